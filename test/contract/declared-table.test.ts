import fc from 'fast-check';
import { MongoClient } from 'mongodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { wrapClient } from '../../server/src/storage/mongo/connection.ts';
import { createTable as createMongoTable, drive } from '../../server/src/storage/mongo/declared-table.ts';
import { openMongoStore } from '../../server/src/storage/mongo/open-mongo.ts';
import { SERVER_TIME } from '../../server/src/storage/mongo/server-time.ts';
import { connect } from '../../server/src/storage/sqlite/connection.ts';
import { createTable as createSqliteTable, finish } from '../../server/src/storage/sqlite/table.ts';
import type {
  Condition,
  Declaration,
  Field,
  Query,
  Scalar,
  Table,
  Where,
  Work,
} from '../../server/src/storage/table.ts';
import { describeWithMongodb } from '../support/mongod/mongodb-server.ts';

interface Thing {
  readonly repoId: number;
  readonly id: number;
  readonly label: string;
  readonly n: number;
  readonly maybe?: number | undefined;
}
interface Keys {
  readonly shout: string;
}
type Declared = Declaration<Thing, string, Keys>;
type Step = (table: Table<Thing, Keys>) => Work<unknown>;
interface Opened {
  readonly table: Table<Thing, Keys>;
  run<T>(work: () => Work<T>): Promise<T>;
  close(): Promise<void>;
}

const shout = ({ label }: Thing): string => `${label}!`;
const REPOS_THERE = [1, 2];
const number = fc.constantFrom(-1, 0, 1, 2, 3, 1_790_000_000_000);
const text = fc.string({ unit: fc.constantFrom('a', 'B', 'é', '😀', '/', '"', "'", '$', '.', '%'), maxLength: 2 });
const thing: fc.Arbitrary<Thing> = fc.record(
  {
    repoId: fc.constantFrom(1, 2, 3),
    id: number,
    label: text,
    n: number,
    maybe: fc.option(number, { nil: undefined }),
  },
  { requiredKeys: ['repoId', 'id', 'label', 'n'] },
);

const declared: fc.Arbitrary<Declared> = fc
  .record({
    key: fc.constantFrom<readonly Field<Thing>[]>(['id'], ['label'], ['repoId', 'label']),
    columns: fc.subarray<Field<Thing>>(['repoId', 'id', 'label', 'n', 'maybe']),
    beside: fc.subarray<Field<Thing>>(['id', 'label', 'n', 'maybe']),
    flat: fc.boolean(),
    ofRepo: fc.boolean(),
  })
  .map(({ key, columns, beside, flat: wish, ofRepo }) => {
    // What has no record is found by its key alone, where that is a repo's.
    const flat = wish && key.length === 1;
    const others = (fields: readonly Field<Thing>[]) => fields.filter((field) => !key.includes(field));
    const all = ['repoId', 'id', 'label', 'n', 'maybe'] as const;
    return {
      name: 'things',
      key,
      columns: others(flat ? all : columns),
      ...(flat ? { flat } : { beside: others(beside), derived: { shout } }),
      ...(ofRepo && { ofRepo }),
      indexes: [],
    };
  });

const range = fc.oneof(
  number,
  fc.record({ above: number }),
  fc.record({ atLeast: number, below: number }),
  fc.record({ atMost: number, not: number }),
  fc.record({ in: fc.array(number, { maxLength: 3 }) }),
);
const where: fc.Arbitrary<Where<Thing & Keys>> = fc.record(
  { id: range, n: range, repoId: fc.constantFrom(1, 2, 3), label: text, maybe: number },
  { requiredKeys: [] },
);

describe('the table of a drawn declaration', () => {
  describe('in SQLite', () => itIsOne(openSqlite, 150));
  describeWithMongodb('in MongoDB', (server) => {
    let url = '';
    beforeAll(async () => {
      url = server.databaseUrl();
      await (await openMongoStore({ url })).close();
    });
    itIsOne((one) => openMongo(url, one), 40);
  });
});

function itIsOne(open: (one: Declared) => Promise<Opened>, runs: number): void {
  it('answers what a list in memory answers, whatever it is asked', async () => {
    const drawn = declared.chain((one) =>
      fc.tuple(fc.constant(one), fc.array(step(one), { minLength: 8, maxLength: 25, size: 'max' })),
    );
    await fc.assert(
      fc.asyncProperty(drawn, async ([one, steps]) => {
        const { table, run, close } = await open(one);
        const model = createModel(one);
        try {
          for (const ask of steps) expect(await run(() => ask(table))).toEqual(finish(ask(model)));
          expect(await run(() => table.list({ by: one.key }))).toEqual(finish(model.list({ by: one.key })));
        } finally {
          await close();
        }
      }),
      { numRuns: runs },
    );
  }, 120_000);

  it('loses no change of several at once', async () => {
    const { table, run, close } = await open({ name: 'things', key: ['id'], indexes: [] });
    const more = (before: Thing | undefined): Thing => ({ repoId: 1, id: 7, label: '', n: (before?.n ?? 0) + 1 });
    await Promise.all(Array.from({ length: 20 }, () => run(() => table.change([7], more))));
    expect(await run(() => table.one({ id: 7 }))).toMatchObject({ n: 20 });
    await close();
  });

  it('refuses what a unique field of another has', async () => {
    const { table, run, close } = await open({
      name: 'unique_things',
      key: ['id'],
      columns: ['n'],
      beside: ['n'],
      indexes: [],
    });
    const [one, two] = [
      { repoId: 1, id: 1, label: '', n: 1 },
      { repoId: 1, id: 2, label: '', n: 2 },
    ];
    expect([await run(() => table.insert(one)), await run(() => table.insert(two))]).toEqual([true, true]);
    expect(await run(() => table.insert({ ...one, id: 3 }))).toBe(false);
    expect(await run(() => table.change([2], (before) => before && { ...before, n: 1 }))).toBeUndefined();
    expect(await run(() => table.list())).toEqual([one, two]);
    await close();
  });
}

/** Lists are in a whole order: by a field and the key. */
function step({ key, flat }: Declared): fc.Arbitrary<Step> {
  const keyOf = (one: Thing): readonly Scalar[] => key.map((field) => one[field] as Scalar);
  const query = fc
    .record({
      by: fc.constantFrom(['n'] as const, [] as const),
      from: fc.option(thing),
      newestFirst: fc.boolean(),
      limit: fc.option(fc.constantFrom(1, 3)),
      skip: fc.constantFrom(0, 0, 2),
      where,
    })
    .map(({ by: [first], from, limit, ...rest }): Query<Thing & Keys> => {
      const by = first === undefined || key.includes(first) ? key : [first, ...key];
      const after = from === null ? {} : { after: by.map((field) => from[field] as Scalar) };
      return { ...rest, by, ...after, ...(limit !== null && { limit }) };
    });
  const steps: readonly fc.Arbitrary<Step>[] = [
    thing.map((one) => (table) => table.insert(one)),
    thing.map((one) => (table) => table.insert(one)),
    thing.map((one) => (table) => table.put(one)),
    fc.tuple(thing, number).map(
      ([one, n]) =>
        (table) =>
          table.change(keyOf(one), (before) => (before === undefined ? one : { ...before, n, maybe: undefined })),
    ),
    thing.map((one) => (table) => table.change(keyOf(one), () => undefined)),
    fc.tuple(fc.oneof(where, fc.constant({})), fc.option(number, { nil: undefined })).map(
      ([found, maybe]) =>
        (table) =>
          table.set(found, { maybe }),
    ),
    where.filter((found) => Object.keys(found).length > 1).map((found) => (table) => table.remove(found)),
    thing.map((one) => (table) => table.one(Object.fromEntries(key.map((field) => [field, one[field]])))),
    query.map((asked) => (table) => table.list(asked)),
    query.map((asked) => (table) => table.list(asked)),
    fc.constant<Step>((table) => table.count()),
  ];
  const found = text.map(
    (label): Step =>
      (table) =>
        table.list({ where: { shout: `${label}!` }, by: key }),
  );
  return fc.oneof(...steps, ...(flat ? [] : [found]));
}

function createModel({ key, ofRepo }: Declared): Table<Thing, Keys> {
  let rows: readonly Thing[] = [];
  const isSame = (one: Thing) => (other: Thing) => key.every((field) => one[field] === other[field]);
  const replace = (one: Thing): boolean => {
    if (ofRepo && !REPOS_THERE.includes(one.repoId)) return false;
    rows = [...rows.filter((other) => !isSame(one)(other)), one];
    return true;
  };
  const select = ({
    where = {},
    by = key,
    newestFirst,
    after,
    skip = 0,
    limit,
  }: Query<Thing & Keys>): readonly Thing[] => {
    const valuesOf = (one: Thing) => by.map((field) => one[field as Field<Thing>] as Scalar);
    const sorted = rows
      .filter(matching(where))
      .sort((a, b) => compare(valuesOf(a), valuesOf(b)) * (newestFirst ? -1 : 1));
    const isBehind = (one: Thing) => after === undefined || compare(valuesOf(one), after) * (newestFirst ? -1 : 1) > 0;
    return sorted.filter(isBehind).slice(skip, limit === undefined ? undefined : skip + limit);
  };
  return {
    one: (found) => answer(() => rows.find(matching(found))),
    list: (query = {}) => answer(() => select(query)),
    count: () => answer(() => rows.length),
    insert: (one) =>
      answer(() => {
        if (rows.some(isSame(one))) return false;
        rows = [...rows, one];
        return true;
      }),
    put: (one) => answer(() => replace(one)),
    change: (values, to) =>
      answer(() => {
        const before = rows.find((one) => key.every((field, at) => one[field] === values[at]));
        const after = to(before);
        if (after === undefined || (before === undefined && !replace(after))) return undefined;
        rows = rows.map((one) => (one === before ? after : one));
        return after;
      }),
    set: (found, fields) =>
      answer(() => {
        const meant = rows.filter(matching(found));
        rows = rows.map((one) => (meant.includes(one) ? ({ ...one, ...fields } as Thing) : one));
        return meant.length;
      }),
    remove: (found) =>
      answer(() => {
        const kept = rows.filter((one) => !matching(found)(one));
        const count = rows.length - kept.length;
        rows = kept;
        return count;
      }),
  };
}

// biome-ignore lint/correctness/useYield: it is there at once.
function* answer<T>(work: () => T): Work<T> {
  return work();
}

function matching(found: Where<Thing & Keys>): (one: Thing) => boolean {
  const conditions = Object.entries(found) as readonly (readonly [Field<Thing & Keys>, Condition])[];
  return (one) =>
    conditions.every(([field, condition]) => {
      const value = field === 'shout' ? shout(one) : one[field];
      if (typeof condition !== 'object') return value === condition;
      if (value === undefined) return false;
      const { above, atLeast, below, atMost, not, in: list } = condition;
      return (
        (above === undefined || value > above) &&
        (atLeast === undefined || value >= atLeast) &&
        (below === undefined || value < below) &&
        (atMost === undefined || value <= atMost) &&
        (not === undefined || value !== not) &&
        (list === undefined || list.includes(value))
      );
    });
}

function compare(a: readonly Scalar[], b: readonly Scalar[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at < 0 ? 0 : (a[at] ?? 0) < (b[at] ?? 0) ? -1 : 1;
}

async function openSqlite(one: Declared): Promise<Opened> {
  const connection = connect({ path: ':memory:', busyTimeout: 0 });
  const { prepare, write, close } = connection;
  const types = {
    repoId: 'repo_id INTEGER',
    id: 'id INTEGER',
    label: 'label TEXT',
    n: 'n INTEGER',
    maybe: 'maybe INTEGER',
  };
  const columns = [...one.key, ...(one.columns ?? [])].map((field) => types[field]);
  const more = [...(one.derived === undefined ? [] : ['shout TEXT']), ...(one.flat ? [] : ['record TEXT'])];
  const key = one.key.map((field) => types[field].split(' ', 1)[0]).join(', ');
  const unique = one.name === 'unique_things' ? ', UNIQUE (n)' : '';
  prepare(`CREATE TABLE ${one.name} (${[...columns, ...more].join(', ')}, PRIMARY KEY (${key})${unique}) STRICT`).run();
  for (const id of REPOS_THERE)
    prepare("INSERT INTO repos (id, service, name_key, last_sequence, record) VALUES (?, 'manual', ?, 0, '{}')").run(
      id,
      `${id}`,
    );
  return { table: createSqliteTable(connection, one), run: async (work) => write(() => finish(work())), close };
}

async function openMongo(url: string, one: Declared): Promise<Opened> {
  const client = new MongoClient(url, { ignoreUndefined: true });
  const db = client.db();
  const collection = db.collection(one.name);
  await collection.drop();
  if (one.name === 'unique_things') await collection.createIndex({ n: 1 }, { unique: true });
  const { collections, run, close } = wrapClient(client, db, { serverTime: SERVER_TIME });
  await collections.repos.deleteMany({});
  await collections.repos.insertMany(REPOS_THERE.map((_id) => ({ _id }) as never));
  const known = { ...collections, [one.name]: collection };
  return { table: createMongoTable({ collections: known, run }, one), run: (work) => drive(work()), close };
}
