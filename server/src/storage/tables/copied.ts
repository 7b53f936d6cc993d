import type { ArchiveEntry, ArchiveKind, ArchiveReads, Holding } from '../archive.ts';
import type { Declaration, Scalar, Units, Work } from '../table.ts';
import { DECLARED } from './all.ts';

/** The kinds that are declared. */
export type DeclaredKind = Exclude<ArchiveKind, 'counter' | 'repo' | 'build' | 'job' | 'source' | 'delivery'>;

/** Entries that are in memory at once. */
const PAGE = 500;

/** How each is read to be copied, in the order of its key. */
export function createDeclaredReads({ table, read }: Pick<Units, 'table' | 'read'>): Pick<ArchiveReads, DeclaredKind> {
  return ofEach((declared) => {
    const rows = table(declared);
    return async function* entries(key: string | undefined) {
      let after = key === undefined ? undefined : partsOf(key, declared.key);
      for (let isLast = false; !isLast; ) {
        const found = await read(() => rows.list({ ...(after && { after }), limit: PAGE }));
        for (const record of found) yield { record };
        const last = found.at(-1);
        isLast = last === undefined || found.length < PAGE;
        after = declared.key.map((field) => last?.[field] as Scalar);
      }
    };
  }) as unknown as Pick<ArchiveReads, DeclaredKind>;
}

/** How one of each is written, in the form that `write` gives it; one that exists already stays. */
export function createDeclaredWrites<T>(
  { table }: Pick<Units, 'table'>,
  write: (insert: (entry: ArchiveEntry<DeclaredKind>) => Work<boolean>) => T,
): Readonly<Record<DeclaredKind, T>> {
  return ofEach((declared) => {
    const rows = table(declared);
    return write(({ record }) => rows.insert(record as never));
  }) as Record<DeclaredKind, T>;
}

/** What a store holds of what people would miss. */
export function countDeclared({ table, read }: Pick<Units, 'table' | 'read'>): Promise<readonly Holding[]> {
  const named = DECLARED.flatMap(({ words, ...declared }) => (words === undefined ? [] : [{ words, declared }]));
  const count = async ({ words: what, declared }: (typeof named)[number]): Promise<Holding> => {
    const rows = table(declared as unknown as AnyDeclaration);
    return { what, count: await read(() => rows.count()) };
  };
  return Promise.all(named.map(count));
}

/** The last part is any text, with slashes perhaps, and ids are numbers. */
function partsOf(key: string, fields: readonly string[]): readonly Scalar[] {
  const parts = key.split('/');
  const values = [...parts.slice(0, fields.length - 1), parts.slice(fields.length - 1).join('/')];
  return values.map((value, at) => (/^id$|Id$/.test(fields[at] ?? '') ? Number(value) : value));
}

type AnyDeclaration = Declaration<Readonly<Record<string, unknown>>>;

function ofEach<T>(make: (declared: AnyDeclaration) => T): object {
  const copied = DECLARED.filter((declared) => declared.copied !== undefined);
  return Object.fromEntries(copied.map((declared) => [declared.copied, make(declared as unknown as AnyDeclaration)]));
}
