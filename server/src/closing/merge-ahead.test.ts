import { expect, test } from 'vitest';
import { accept, putRepo } from '../../../test/contract/records.ts';
import { createLogbook } from '../../../test/support/logbook.ts';
import { aFile, aReport } from '../../../test/support/records.ts';
import type { Job } from '../core/builds/job.ts';
import { encodeReport } from '../reports/codec/encode-report.ts';
import type { Merger, ReportEngine } from '../reports/report-engine.ts';
import { mergeEncoded } from '../reports/threads/compose-encoded.ts';
import { openSqliteStore } from '../storage/sqlite/open-sqlite.ts';
import type { Store } from '../storage/store.ts';
import { createMergeAhead } from './merge-ahead.ts';
import { readPieces } from './read-pieces.ts';

type Merge = Merger['mergeReports'];

const engineOf = (mergeReports: Merge): Pick<ReportEngine, 'merge'> => ({
  merge: (_, work) => work({ mergeReports } as Merger),
});

async function startScene(count: number) {
  const store: Store = openSqliteStore({ path: ':memory:', busyTimeout: 1_000 });
  const repo = await putRepo(store);
  const accepted = [];
  for (let number = 1; number <= count; number += 1) {
    const report = encodeReport(aReport(aFile('a.ts', [1, number % 2])));
    accepted.push(await accept(store, repo.id, { serviceJobId: `${number}` }, { report }));
  }
  const { build } = accepted.at(-1) as (typeof accepted)[number];
  const jobs: readonly Job[] = await store.jobs.ofBuild(build.id);
  const sizes = async () => {
    const held = await store.mergedReports.ofBuild(build.id);
    return held.map(({ jobs: ids }) => ids.length).toSorted((a, b) => a - b);
  };
  return { store, build, jobs, sizes, log: createLogbook() };
}

const inline: Merge = async (reports) => mergeEncoded(reports);

test('merges in levels, and what it made needless goes', async () => {
  const { store, build, sizes, log } = await startScene(72);
  const ahead = createMergeAhead({ ...store, engine: engineOf(inline), logger: log }, () => {});
  ahead.noteJob(build);
  expect(await ahead.run()).toBe(true);
  expect(await ahead.run()).toBe(false);
  expect(await sizes()).toEqual([8, 64]);
});

test('two instances that merge the same jobs do no harm', async () => {
  const { store, build, jobs, sizes, log } = await startScene(24);
  // Neither sees what the other does before both have merged.
  const meeting = Promise.withResolvers<void>();
  let met = 0;
  const together: Merge = async (reports) => {
    met += 1;
    if (met === 2) meeting.resolve();
    await meeting.promise;
    return inline(reports);
  };
  const instances = [1, 2].map(() => createMergeAhead({ ...store, engine: engineOf(together), logger: log }, () => {}));
  for (const one of instances) one.noteJob(build);
  await Promise.all(instances.map((one) => one.run()));
  expect(await sizes()).toEqual([8, 8, 8]);
  const { jobs: pieces } = await readPieces(store, build.id, jobs);
  const [whole, plain] = [pieces.map(({ report }) => report), await store.jobs.reports(jobs.map(({ id }) => id))];
  expect(mergeEncoded(whole)).toEqual(mergeEncoded(plain));
  expect(log.lines).toEqual([]);
});

test('a build that cannot be merged is left to its close, and a close that is due is not held up', async () => {
  const { store, build, sizes, log } = await startScene(8);
  let asked = 0;
  const refuse: Merge = async () => {
    asked += 1;
    throw new Error('too large');
  };
  const ahead = createMergeAhead({ ...store, engine: engineOf(refuse), logger: log }, () => {});
  ahead.noteJob(build);
  await ahead.run();
  ahead.noteJob(build);
  expect([await ahead.run(), asked, await sizes(), log.lines.length]).toEqual([false, 1, [], 1]);

  const other = createMergeAhead({ ...store, engine: engineOf(inline), logger: log }, () => {});
  other.noteJob(build);
  await store.builds.requestClose({ repoId: build.repoId, buildNumber: '71', carryforward: undefined, at: 1 });
  await other.run();
  expect(await sizes()).toEqual([]);
});

test('pieces are read from the jobs themselves where a merged report has gone in the meantime', async () => {
  const { store, build, jobs } = await startScene(8);
  const merged = { key: 'gone', flag: undefined, jobs: jobs.map(({ id }) => id) };
  const mergedReports = { ofBuild: async () => [merged], read: async () => undefined };
  const { pieces, unused } = await readPieces({ jobs: store.jobs, mergedReports }, build.id, jobs);
  expect([pieces.length, unused]).toEqual([8, []]);
});
