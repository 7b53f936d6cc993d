import { createHash } from 'node:crypto';
import { type ArchiveEntry, type ArchiveKind, keyOfEntry } from '../archive.ts';

/** How many entries of a kind there are, and a digest over all of them in order of key. */
export interface KindDigest {
  readonly count: number;
  /** Hex SHA-256. */
  readonly digest: string;
}

/** For no entries. */
export const NO_ENTRIES: KindDigest = { count: 0, digest: createHash('sha256').digest('hex') };

/** An entry as it is counted and compared. */
export interface MeasuredEntry {
  readonly key: string;
  /** SHA-256 over key, canonical record and bytes. */
  readonly digest: Buffer;
  /** Bytes of record and report, about. */
  readonly size: number;
}

export function measureEntry<K extends ArchiveKind>(kind: K, entry: ArchiveEntry<K>): MeasuredEntry {
  const key = keyOfEntry(kind, entry);
  const text = canonicalJson(entry.record);
  const bytes = entry.bytes === undefined ? 'none' : createHash('sha256').update(entry.bytes).digest('hex');
  const digest = createHash('sha256').update(`${key}\n${bytes}\n${text}`).digest();
  return { key, digest, size: text.length + (entry.bytes?.length ?? 0) };
}

/**
 * The digest with one entry more. A chain, so that it can be noted between any two entries and gone on with by another
 * process.
 */
export function addEntry({ count, digest }: KindDigest, entry: Pick<MeasuredEntry, 'digest'>): KindDigest {
  const chained = createHash('sha256').update(digest, 'hex').update(entry.digest);
  return { count: count + 1, digest: chained.digest('hex') };
}

/**
 * JSON that is the same for the same record in every store: keys sorted, undefined left out. MongoDB keeps texts as
 * UTF-8, which has no half of a surrogate pair, so one counts as what it becomes there.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`;
  if (typeof value === 'string') return JSON.stringify(value.toWellFormed());
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`);
  return `{${fields.join(',')}}`;
}
