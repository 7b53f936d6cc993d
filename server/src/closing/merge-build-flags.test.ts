import { describe, expect, test } from 'vitest';
import { baseWith } from '../../../test/support/close-findings.ts';
import { aDiff } from '../../../test/support/diffs.ts';
import { NOTHING_MERGED } from '../../../test/support/read-pieces.ts';
import { aFile, aFlag, aJob, aReport, totals } from '../../../test/support/records.ts';
import type { Job } from '../core/builds/job.ts';
import { Failure } from '../core/failure.ts';
import { DEFAULT_REPO_SETTINGS } from '../core/repo/settings.ts';
import { encodeReport } from '../reports/codec/encode-report.ts';
import type { ReportEngine } from '../reports/report-engine.ts';
import { splitEncoded } from '../reports/threads/compose-encoded.ts';
import { splitFlags } from './merge-build.ts';

const encoded = (...hits: readonly number[]) => encodeReport(aReport(aFile('a.ts', hits)));

/** Build 70 had the flag ui in jobs 1 and 2, an earlier attempt of it in job 3, and the flag api in job 4. */
const REPORTS: ReadonlyMap<number, Uint8Array> = new Map([
  [1, encoded(1, 1, 0, 0)],
  [2, encoded(0, 0, 1, 0)],
  [3, encoded(1, 1, 1, 1)],
  [4, encoded(1)],
]);
const JOBS: readonly Job[] = ['ui', 'ui', 'ui', 'api'].map((flag, index) =>
  aJob({ number: index + 1, facts: { flag } }),
);
const BASE = baseWith([aFlag('ui', { totals: totals(3, 4) }), aFlag('api', { totals: totals(1, 1) })], {
  countedJobs: [1, 2, 4],
});
const DIFF = { files: [aDiff('a.ts', ['remove', 'remove', 'keep', 'keep'])], complete: true };

type Asked = Parameters<typeof splitFlags>[1];

async function run(stated: Partial<Asked> = {}, gone: readonly number[] = []) {
  const calls: string[] = [];
  const engine: Pick<ReportEngine, 'splitFlags'> = {
    splitFlags: async (asked) => {
      calls.push(`split ${asked.flags.map(({ flag, reports }) => `${flag} of ${reports.length}`).join()}`);
      return splitEncoded(asked);
    },
  };
  const jobs = {
    ofBuild: async (id: number) => {
      calls.push(`jobs of ${id}`);
      return JOBS;
    },
    reports: async (ids: readonly number[]) => {
      calls.push(`reports ${ids}`);
      if (ids.some((id) => gone.includes(id))) throw new Failure('not-found', 'The report is not stored any more.');
      return ids.map((id) => REPORTS.get(id) ?? new Uint8Array());
    },
  };
  const splits = await splitFlags(
    { jobs, mergedReports: NOTHING_MERGED },
    {
      engine,
      settings: DEFAULT_REPO_SETTINGS,
      flags: [
        { name: 'api', kind: 'uploaded', totals: totals(1, 1) },
        { name: 'ui', kind: 'uploaded', totals: totals(1, 2) },
      ],
      base: BASE,
      jobs: [
        { flag: 'ui', report: encoded(1, 0) },
        { flag: 'api', report: encoded(1) },
        { flag: undefined, report: encoded(1) },
      ],
      diffs: { base: DIFF },
      ...stated,
    },
  );
  return { splits, calls };
}

describe('splitFlags', () => {
  test('splits the failing flag by the reports that counted, here and in the base', async () => {
    const { splits, calls } = await run();
    expect([...splits.keys()]).toEqual(['ui']);
    expect(splits.get('ui')).toMatchObject({ base: totals(3, 4), head: totals(1, 2), removed: totals(2, 2) });
    expect(calls).toEqual(['jobs of 70', 'reports 1,2', 'split ui of 1']);
  });

  test.each<[string, Partial<Asked>]>([
    ['no base', { base: undefined }],
    ['no diff', { diffs: {} }],
    ['no failing flag', { flags: [{ name: 'ui', kind: 'uploaded', totals: totals(3, 4) }] }],
  ])('asks for nothing where there is %s', async (_, stated) => {
    const { splits, calls } = await run(stated);
    expect([splits.size, calls]).toEqual([0, []]);
  });

  test('nothing is known of a flag whose reports are gone', async () => {
    const { splits, calls } = await run({}, [2]);
    expect([splits.size, calls]).toEqual([0, ['jobs of 70', 'reports 1,2']]);
  });

  test('a store that is away is no lack of reports', async () => {
    const jobs = {
      ofBuild: async () => JOBS,
      reports: () => Promise.reject(new Failure('unavailable', 'The store is away.')),
    };
    const engine = { splitFlags: async () => [] };
    const asked = { settings: DEFAULT_REPO_SETTINGS, base: BASE, jobs: [], diffs: { base: DIFF } };
    const flags = [{ name: 'ui', kind: 'uploaded', totals: totals(1, 2) } as const];
    await expect(
      splitFlags(
        { jobs, mergedReports: NOTHING_MERGED },
        {
          engine,
          ...asked,
          flags,
        },
      ),
    ).rejects.toMatchObject({
      code: 'unavailable',
    });
  });
});
