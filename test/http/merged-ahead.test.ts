import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MergedReports } from '../../server/src/storage/merged-reports.ts';
import type { Store } from '../../server/src/storage/store.ts';
import { job, sourceFile } from '../support/coverage-api.ts';
import { numRuns } from '../support/property-runs.ts';
import { type Service, startService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/** Ids of jobs whose own reports were read, one list for each time. */
let reads: (readonly number[])[] = [];
let service: Service;
/** The same, but nothing is ever merged before a close. */
let plain: Service;
beforeAll(async () => {
  service = await startService({ changeStore: (store) => ({ ...store, jobs: countReports(store.jobs) }) });
  const nothing: MergedReports = {
    ofBuild: async () => [],
    read: async () => undefined,
    put: async () => undefined,
    remove: async () => undefined,
  };
  plain = await startService({ changeStore: (store) => ({ ...store, mergedReports: nothing }) });
});
afterAll(async () => {
  await service.stop();
  await plain.stop();
});

function countReports(jobs: Store['jobs']): Store['jobs'] {
  const reports: Store['jobs']['reports'] = (ids) => {
    if (ids.length > 0) reads.push(ids);
    return jobs.reports(ids);
  };
  return { ...jobs, reports };
}

interface Leg {
  readonly number: number;
  readonly flag?: string | undefined;
  readonly attempt?: number;
  readonly hits?: number;
}

const uploadLeg = (to: Service, token: string, { number, flag, attempt = 1, hits = number % 3 }: Leg) => {
  const files = [
    sourceFile('src/a.ts', [hits, 0, null, number], { branches: [1, 0, 0, hits, 1, 0, 1, 0] }),
    // Now and then another text.
    sourceFile('src/b.ts', number % 5 === 0 ? [1, hits] : [hits, null, 0]),
  ];
  const ids = { service_job_id: `${number}`, service_job_number: `${number}`, service_attempt: attempt };
  return to.upload({
    ...job({ repo_token: token, parallel: true, source_files: files }),
    ...ids,
    ...(flag === undefined ? {} : { flag_name: flag }),
  });
};
const legs = (count: number, flagOf: (number: number) => string | undefined = () => undefined): readonly Leg[] =>
  Array.from({ length: count }, (_, index) => ({ number: index + 1, flag: flagOf(index + 1) }));

/** How many jobs each merged report of a build holds, waited for. */
const merged = (build: string, sizes: readonly number[]) =>
  waitFor(
    async () => {
      const found = await service.store.mergedReports.ofBuild(Number(build));
      const held = found.map(({ jobs }) => jobs.length).toSorted((a, b) => a - b);
      return JSON.stringify(held) === JSON.stringify(sizes) ? found : undefined;
    },
    { what: `merged reports of ${sizes.join(' and ')} jobs`, meanwhile: service.time.skipPause },
  );

describe('a build whose jobs are merged while it is open', () => {
  test('is closed from the few pieces that are left', async () => {
    const { token } = await service.newRepo();
    let build = '';
    for (const leg of legs(18, (number) => (number % 9 === 0 ? 'e2e' : undefined)))
      build = (await uploadLeg(service, token, leg)).build;
    await merged(build, [8]);
    for (const leg of legs(6)) build = (await uploadLeg(service, token, { ...leg, number: leg.number + 18 })).build;
    await merged(build, [8, 8]);
    reads = [];
    await service.close(token, 71);
    // 22 jobs without a flag, of which 16 are merged, and two of the other flag.
    expect(reads.map((ids) => ids.length)).toEqual([8]);
  });

  test('takes a late job without reading the others again', async () => {
    const { token } = await service.newRepo();
    for (const leg of legs(12, () => 'unit')) await uploadLeg(service, token, leg);
    const { id } = await service.close(token, 71);
    const [kept] = await merged(id, [12]);
    expect(kept).toMatchObject({ flag: 'unit' });
    reads = [];
    const late = await uploadLeg(service, token, { number: 13, flag: 'unit' });
    await service.close(token, 71);
    expect(reads).toEqual([[Number(late.job)]]);
  });

  test('does without what holds an attempt that was replaced (rule 10)', async () => {
    const { token } = await service.newRepo();
    let build = '';
    for (const leg of legs(8)) build = (await uploadLeg(service, token, leg)).build;
    await merged(build, [8]);
    for (const leg of legs(8)) await uploadLeg(service, token, { ...leg, attempt: 2, hits: 0 });
    await service.close(token, 71);
    const { result } = (await service.store.builds.find(Number(build))) ?? {};
    // Three of them are the same uploads as before: they count for the later attempt.
    const counted = result?.countedJobs ?? [];
    expect(counted).toHaveLength(8);
    const held = await service.store.mergedReports.ofBuild(Number(build));
    expect(held.flatMap(({ jobs }) => jobs).filter((id) => !counted.includes(id))).toEqual([]);
    expect(result?.totals.coveredBranches).toBe(0);
  });

  test('gives the bytes and the numbers that merging all at the close gives (rule 7)', async () => {
    const anyLeg = fc.record({
      number: fc.integer({ min: 1, max: 14 }),
      flag: fc.constantFrom(undefined, undefined, 'unit'),
      attempt: fc.constantFrom(1, 1, 1, 2),
      hits: fc.constantFrom(0, 1, 300, 2 ** 31, Number.MAX_SAFE_INTEGER),
    });
    const history = fc.array(anyLeg, { minLength: 8, maxLength: 18 });
    await fc.assert(
      fc.asyncProperty(history, fc.nat(18), async (some, cut) => {
        const outcomes: unknown[] = [];
        for (const to of [service, plain]) {
          const { token } = await to.newRepo();
          for (const leg of some.slice(0, cut)) await uploadLeg(to, token, leg);
          if (cut > 0) await to.close(token, 71);
          for (const leg of some.slice(cut)) await uploadLeg(to, token, leg);
          const { id, covered_lines, relevant_lines, covered_branches, warnings } = await to.close(token, 71);
          const report = await to.store.builds.report(Number(id));
          const { flags } = (await to.store.builds.find(Number(id)))?.result ?? {};
          const totals = flags?.map(({ name, totals: counts }) => [name, counts]);
          outcomes.push({ report, covered_lines, relevant_lines, covered_branches, warnings, totals });
        }
        expect(outcomes[0]).toEqual(outcomes[1]);
      }),
      { numRuns: numRuns(100) / 5 },
    );
  });
});
