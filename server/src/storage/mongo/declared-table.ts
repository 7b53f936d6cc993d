import type { Collection, Filter, FindOptions } from 'mongodb';
import { CONFLICT, retryOnConflict } from '../commands/retry-on-conflict.ts';
import type { Condition, Declaration, Query, Scalar, Table, Units, Where, Work } from '../table.ts';
import type { Connection } from './connection.ts';
import type { StoredDocument } from './documents.ts';
import { isDuplicate } from './errors.ts';
import { PRESENT } from './repo-rows.ts';
import { assign } from './server-time.ts';
import { openTable } from './table.ts';

type Connected = Pick<Connection, 'collections' | 'run'>;

/** The table of a declaration. */
export function createTable<R, D>(connection: Connected, declared: Declaration<R, string, D>): Table<R, D> {
  const { key, complete = (record: R) => record } = declared;
  const bound = bind(connection, declared);
  const { table, shown, filterOf, form } = bound;
  const { recordOf } = form;
  return {
    ...createWrites(connection, declared, bound),
    one: (where) =>
      wait(async () => {
        const found = await table.one(filterOf(where), shown);
        return found && complete(recordOf(found));
      }),
    list: ({ where = {}, ...part } = {}) =>
      wait(async () => {
        const { beyond, options } = orderOf({ by: key, ...part }, form);
        const filter = { $and: [filterOf(where), beyond] } as Filter<StoredDocument>;
        const found = await table.list(filter, { ...options, ...shown });
        return found.map((document) => complete(recordOf(document)));
      }),
    count: () => wait(() => connection.run(() => bound.collection.countDocuments({}), COUNT_LIMIT)),
  };
}

/** What reads and writes of a declared collection share. */
function bind<R, D>({ collections, run }: Connected, declared: Declaration<R, string, D>) {
  const { name, key, flat, document, hidden } = declared;
  const collection = collections[name as keyof typeof collections] as unknown as Collection<StoredDocument>;
  const form = formOf(declared);
  const always = hidden ? PRESENT : {};
  return {
    collection,
    table: openTable(run, collection),
    form,
    always,
    filterOf: (where: Where<R & D>) => ({ ...toFilter(where, key, form), ...always }),
    /** The rest of a repo's document is not asked for. */
    shown: flat || document ? {} : { projection: { record: 1 } },
  };
}

type Bound<R, D> = ReturnType<typeof bind<R, D>>;

function createWrites<R, D>(
  { collections, run }: Connected,
  { ofRepo, complete = (record) => record }: Declaration<R, string, D>,
  { collection, table, form, always, filterOf, shown }: Bound<R, D>,
): Pick<Table<R, D>, 'insert' | 'put' | 'change' | 'set' | 'remove'> {
  const { idOf, documentOf, partOf, recordOf, isUnchanged } = form;
  const repos = openTable(run, collections.repos);
  const hasRepo = async (record: R): Promise<boolean> => {
    const { repoId = 0 } = record as { readonly repoId?: number };
    return !ofRepo || (await repos.one({ _id: repoId, ...PRESENT }, { projection: { _id: 1 } })) !== undefined;
  };
  const insert = async (record: R): Promise<boolean> => {
    const written = run(() => collection.insertOne(documentOf(record))).then(() => true);
    return (await written.catch(ifTaken)) ?? false;
  };
  const put = async (record: R): Promise<boolean> => {
    if (!(await hasRepo(record))) return false;
    const { _id, ...fields } = documentOf(record);
    return table.update({ _id }, [assign(fields)], { upsert: true }).then(() => true);
  };
  /** A compare-and-set: read, decided and written again where another write came in between. */
  const change = (values: readonly Scalar[], to: (record: R | undefined) => R | undefined) =>
    retryOnConflict(async () => {
      const _id = idOf(values);
      const found = await table.one({ _id, ...always }, shown);
      const record = to(found && complete(recordOf(found)));
      if (record === undefined) return undefined;
      if (found === undefined)
        return (await hasRepo(record)) ? ((await insert(record)) ? record : CONFLICT) : undefined;
      const { _id: __, ...fields } = documentOf(record);
      const written = table.update({ _id, ...always, ...isUnchanged(found) }, [assign(fields)]);
      return written.then((isDone) => (isDone ? record : CONFLICT)).catch(ifTaken);
    });
  const set = async (filter: Filter<StoredDocument>, fields: object): Promise<number> => {
    const change = [assign(partOf(fields))];
    // For one document the driver writes again after an election.
    if (filter._id !== undefined && typeof filter._id !== 'object') return Number(await table.update(filter, change));
    return (await run(() => collection.updateMany(filter, change))).matchedCount;
  };
  return {
    insert: (record) => wait(() => insert(record)),
    put: (record) => wait(() => put(record)),
    change: (values, to) => wait(() => change(values, to)),
    set: (where, fields) => wait(() => set(filterOf(where), fields)),
    remove: (where) => wait(() => table.remove(filterOf(where))),
  };
}

/** Undefined if a unique index refused a write. */
function ifTaken(error: unknown): undefined {
  if (!isDuplicate(error)) throw error;
}

/** Counting a large collection takes long, in ms. */
export const COUNT_LIMIT = 10 * 60_000;

export function* wait<T>(work: () => Promise<T>): Work<T> {
  return (yield work()) as T;
}

/** What the work of a unit answers, step by step. */
export async function drive<T>(work: Work<T>): Promise<T> {
  let step = work.next();
  while (!step.done) step = work.next(await step.value);
  return step.value;
}

/** The tables of a connection. */
export function createTables(connection: Connection): Pick<Units, 'table' | 'read'> {
  return { table: (declared) => createTable(connection, declared), read: (work) => drive(work()) };
}

/** How a document has a record, and what it is found by. */
function formOf<R, D>({ key, columns = [], beside = [], derived, flat, document }: Declaration<R, string, D>) {
  const [first = key[0], second] = key;
  const named = Object.entries((derived ?? {}) as Readonly<Record<string, (record: R) => unknown>>);
  const own = new Set<string>([...beside, ...named.map(([field]) => field), ...(flat ? columns : [])]);
  if (second !== undefined) own.add(first as string);
  const read = (record: R, field: string): unknown => record[field as keyof R];
  const idOf = (values: readonly Scalar[]): number | string =>
    second === undefined ? (values.at(-1) as Scalar) : values.join('/');
  const contents = document?.fields ?? (flat ? columns : ['record']);
  return {
    idOf,
    pathOf: (field: string): string => {
      // What the key ends in is in `_id` alone, behind the repo, unless it is a field of its own.
      if (field === (second ?? first) && !own.has(field)) return '_id';
      return own.has(field) ? field : `record.${field}`;
    },
    documentOf: (record: R): StoredDocument => ({
      _id: idOf(key.map((field) => read(record, field) as Scalar)),
      ...Object.fromEntries([...own].map((field) => [field, read(record, field)])),
      ...Object.fromEntries(named.map(([field, derive]) => [field, derive(record)])),
      ...(document?.write(record) ?? (flat ? {} : { record })),
    }),
    /** Fields of a record, wherever the document has them. */
    partOf: (fields: object): Readonly<Record<string, unknown>> =>
      Object.fromEntries(
        Object.entries(fields).flatMap(([field, value]) => [
          ...(flat ? [] : [[`record.${field}`, value]]),
          ...(own.has(field) ? [[field, value]] : []),
        ]),
      ),
    recordOf(stored: StoredDocument): R {
      if (document !== undefined) return document.read(stored as never);
      if (!flat) return stored.record as R;
      const { _id, ...fields } = stored;
      const named =
        second === undefined ? { [String(first)]: _id } : { [second]: String(_id).slice(String(_id).indexOf('/') + 1) };
      return { ...fields, ...named } as R;
    },
    /** Filter: nobody changed the record that was read. */
    isUnchanged: (stored: StoredDocument): Filter<StoredDocument> =>
      Object.fromEntries(
        contents.map((field) => [field, field in stored ? { $eq: stored[field] } : { $exists: false }]),
      ),
  };
}

const OPERATORS = { above: '$gt', atLeast: '$gte', below: '$lt', atMost: '$lte', not: '$ne', in: '$in' } as const;

function toFilter(
  where: Readonly<Record<string, Condition | undefined>>,
  key: readonly string[],
  { pathOf, idOf }: { pathOf(field: string): string; idOf(values: readonly Scalar[]): number | string },
): Filter<StoredDocument> {
  const isOne = key.length > 1 && key.every((field) => where[field] !== undefined && typeof where[field] !== 'object');
  const entries = Object.entries(where).flatMap(([field, condition]) => {
    if (condition === undefined || (isOne && key.includes(field))) return [];
    const compared =
      typeof condition !== 'object'
        ? condition
        : Object.fromEntries(
            Object.entries(condition).map(([name, value]) => [OPERATORS[name as keyof typeof OPERATORS], value]),
          );
    const path = pathOf(field);
    // `_id` has all fields of such a key: one of them alone is compared in the record.
    return [[path === '_id' && key.length > 1 ? `record.${field}` : path, compared]];
  });
  return { ...Object.fromEntries(entries), ...(isOne && { _id: idOf(key.map((field) => where[field] as Scalar)) }) };
}

function orderOf<R>(
  query: Query<R>,
  { pathOf, idOf }: { pathOf(field: string): string; idOf(values: readonly Scalar[]): number | string },
): { beyond: object; options: FindOptions } {
  const { by = [], newestFirst = false, after: given = [], skip = 0, limit = 0 } = query;
  const paths = by.map(pathOf);
  const after = given.map((value, at) => (paths[at] === '_id' ? idOf(given.slice(0, at + 1)) : value));
  const sort = Object.fromEntries(paths.map((path) => [path, newestFirst ? -1 : 1] as const));
  const than = newestFirst ? '$lt' : '$gt';
  // Behind all of them: the same up to one field, and behind the value of that.
  const behind = after.map((value, at) => ({
    ...Object.fromEntries(paths.slice(0, at).map((path, earlier) => [path, after[earlier]])),
    [paths[at] ?? '']: { [than]: value },
  }));
  const [one = {}] = behind;
  return { beyond: behind.length > 1 ? { $or: behind } : one, options: { sort, skip, limit } };
}
