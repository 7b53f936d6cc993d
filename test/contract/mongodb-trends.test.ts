import fc from 'fast-check';
import { type Collection, MongoClient } from 'mongodb';
import { expect, it } from 'vitest';
import type { Build, BuildResult } from '../../server/src/core/builds/build.ts';
import { keysOf } from '../../server/src/storage/mongo/build-rows.ts';
import type { BuildDocument } from '../../server/src/storage/mongo/documents.ts';
import { openMongoStore } from '../../server/src/storage/mongo/open-mongo.ts';
import { describeWithMongodb } from '../support/mongod/mongodb-server.ts';
import { flag, MINUTE, putClosed, putRepo, T0 } from './records.ts';

const SPANS = 6;
const bounds = Array.from({ length: SPANS + 1 }, (_, n) => T0 + n * MINUTE);

interface History {
  /** Builds of each span. */
  readonly counts: readonly number[];
  /** One of so many has no percentage; 0: each has one. */
  readonly withoutPercentage: number;
  readonly seed: number;
}

const HISTORY: fc.Arbitrary<History> = fc.record({
  counts: fc.array(
    fc.oneof({ weight: 4, arbitrary: fc.constantFrom(0, 1, 3, 20, 49) }, { weight: 1, arbitrary: fc.constant(400) }),
    { minLength: SPANS, maxLength: SPANS },
  ),
  withoutPercentage: fc.constantFrom(0, 1, 2, 7),
  seed: fc.nat({ max: 100_000 }),
});

/** Copies of a build, in no order of time; some at the same moment as others. */
function buildsOf({ counts, withoutPercentage, seed }: History, template: Build): readonly Build[] {
  const times = counts.flatMap((count, span) =>
    Array.from({ length: count }, (_, n) => (bounds[span] as number) + ((n * 7_919 + seed) % 400) * 150),
  );
  return times.map((createdAt, index): Build => {
    const isEmpty = withoutPercentage > 0 && (index + seed) % withoutPercentage === 0;
    const result = template.result as BuildResult;
    const totals = isEmpty ? { ...result.totals, relevantLines: 0, branches: 0 } : result.totals;
    const sequence = ((index * 7_919) % 99_991) + 1;
    return { ...template, id: 1_000 + index, sequence, createdAt, result: { ...result, totals } };
  });
}

async function put(collection: Collection<BuildDocument>, builds: readonly Build[]): Promise<void> {
  await collection.deleteMany({});
  const documents = builds.map((record) => {
    const { id: _id, repoId, sequence, createdAt } = record;
    return { ...keysOf(record), _id, repoId, sequence, openedAt: new Date(createdAt), record } as BuildDocument;
  });
  if (documents.length > 0) await collection.insertMany(documents);
}

/** The newest with a percentage of each span. */
function newestOf(builds: readonly Build[]): readonly number[] {
  const newestFirst = builds
    .filter(({ result }) => (result?.totals.relevantLines ?? 0) > 0)
    .toSorted((a, b) => b.createdAt - a.createdAt || b.sequence - a.sequence);
  return bounds.slice(1).flatMap((to) => {
    const newest = newestFirst.find(({ createdAt }) => createdAt < to && createdAt >= to - MINUTE);
    return newest?.id ?? [];
  });
}

describeWithMongodb('trends on MongoDB', (server) => {
  it('have the newest build with a percentage of each span, however many builds a branch has', async () => {
    const url = server.databaseUrl();
    const store = await openMongoStore({ url });
    const client = new MongoClient(url, { ignoreUndefined: true });
    const { id: repoId } = await putRepo(store);
    const template = await putClosed(store, repoId, { branch: 'main' }, { flags: [flag('unit')] });
    const of = { repoId, branch: 'main' };
    const series = [of, { ...of, flag: 'unit' }, { ...of, flag: 'other' }, { ...of, branch: 'dev' }];
    await fc.assert(
      fc.asyncProperty(HISTORY, async (history) => {
        const builds = buildsOf(history, template);
        await put(client.db().collection('builds'), builds);
        const found = await store.views.trends({ series, bounds });
        const newest = newestOf(builds);
        expect(found.map((points) => points.map(({ buildId }) => buildId))).toEqual([newest, newest, [], []]);
      }),
      { numRuns: 25 },
    );
    await client.close();
    await store.close();
  });
});
