import type { Report } from '../server/src/core/coverage/file-coverage.ts';
import { mergeReports } from '../server/src/core/coverage/merge.ts';
import { reportTotals } from '../server/src/core/coverage/totals.ts';
import { decodeReport } from '../server/src/reports/codec/decode-report.ts';
import { encodeReport } from '../server/src/reports/codec/encode-report.ts';
import { mergeIntoStored } from '../server/src/reports/codec/merge-stored.ts';
import { unpackColumns } from '../server/src/reports/codec/packed-file.ts';
import { buildReport } from '../server/src/reports/ingest/build-report.ts';
import { parseJob } from '../server/src/reports/ingest/parse-job.ts';
import { type GeneratedJob, generateJob, SHAPES } from './generate-job.ts';
import type { BenchResult } from './goals.ts';
import { timeIstanbul } from './istanbul.ts';
import { compare, medianOf, processorTime } from './measure.ts';

const JOBS = 10;

/**
 * Ten jobs of one matrix merged and counted, against istanbul-lib-coverage, and against the simplest version: plain
 * arrays with a Map of branches.
 */
export function benchMerge(): BenchResult[] {
  const jobs = Array.from({ length: JOBS }, (_, index) => generateJob(SHAPES.M, index + 1));
  const bodies = jobs.map((job) => Buffer.from(JSON.stringify(job)));
  const read = (body: Uint8Array): Report => ({
    files: buildReport(parseJob(body, 2 ** 28).job).report.files.map(unpackColumns),
  });
  const stored = bodies.map((body) => encodeReport(read(body)));
  // As a close has them.
  const reports = stored.map(decodeReport);
  const timings = compare(
    [
      { name: 'plain arrays and a Map', run: () => mergeNaively(jobs) },
      { name: 'merge and totals', run: () => reportTotals(mergeReports(reports)) },
      { name: '10 x JSON.parse', run: () => bodies.map((body) => JSON.parse(body.toString())) },
      { name: '10 bodies to merged totals', run: () => reportTotals(mergeReports(bodies.map(read))) },
      { name: '10 stored reports to a stored one', run: () => mergeIntoStored(stored) },
    ],
    { rounds: 25, warmup: 6, now: processorTime },
  );
  const agree = JSON.stringify(mergeNaively(jobs)) === JSON.stringify(reportTotals(mergeReports(reports)));
  if (!agree) throw new Error('the merges disagree');
  const istanbul = timeIstanbul(reports);
  const ratio = (a: string, b: string): number => medianOf(timings, a) / medianOf(timings, b);
  return [
    {
      title: 'merge 10 x M',
      timings: [...timings, ...(istanbul === undefined ? [] : [istanbul])],
      goals: [
        ...(istanbul === undefined
          ? []
          : [
              {
                what: 'istanbul-lib-coverage / merge',
                measured: istanbul.median / medianOf(timings, 'merge and totals'),
                wanted: 'above',
                goal: 140,
                unit: 'x',
              } as const,
            ]),
        {
          what: 'stored to stored / 10 x JSON.parse',
          measured: ratio('10 stored reports to a stored one', '10 x JSON.parse'),
          wanted: 'below',
          goal: 0.8,
          unit: 'x',
        },
        {
          what: 'plain arrays / merge',
          measured: ratio('plain arrays and a Map', 'merge and totals'),
          wanted: 'above',
          goal: 10,
          unit: 'x',
        },
        {
          what: 'bodies to totals / 10 x JSON.parse',
          measured: ratio('10 bodies to merged totals', '10 x JSON.parse'),
          wanted: 'below',
          goal: 1.3,
          unit: 'x',
        },
      ],
      notes:
        istanbul === undefined
          ? ['istanbul-lib-coverage: skipped, it is not installed (npm ci --prefix bench/references)']
          : [],
    },
  ];
}

interface NaiveFile {
  readonly lines: (number | null)[];
  readonly branches: Map<string, number>;
}

function mergeNaively(jobs: readonly GeneratedJob[]): object {
  const files = new Map<string, NaiveFile>();
  for (const job of jobs) {
    for (const source of job.source_files) {
      const file = files.get(source.name) ?? { lines: [], branches: new Map() };
      files.set(source.name, file);
      source.coverage.forEach((hits, line) => {
        const before = file.lines[line] ?? null;
        file.lines[line] = hits === null ? before : before === null ? hits : before + hits;
      });
      for (let at = 0; at < source.branches.length; at += 4) {
        const key = source.branches.slice(at, at + 3).join(':');
        file.branches.set(key, (file.branches.get(key) ?? 0) + (source.branches[at + 3] ?? 0));
      }
    }
  }
  return countNaively([...files.values()]);
}

function countNaively(files: readonly NaiveFile[]): object {
  const lines = files.flatMap((file) => file.lines).filter((hits) => hits !== null);
  const branches = files.flatMap((file) => [...file.branches.values()]);
  return {
    coveredLines: lines.filter((hits) => hits > 0).length,
    relevantLines: lines.length,
    coveredBranches: branches.filter((hits) => hits > 0).length,
    branches: branches.length,
  };
}
