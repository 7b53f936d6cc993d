import { describe, expect, test } from 'vitest';
import { aFile, aReport } from '../../../../test/support/records.ts';
import { MAX_FILE_LINES, NO_BRANCHES } from '../../core/coverage/file-coverage.ts';
import { encodeReport } from '../codec/encode-report.ts';
import { MAX_REPORT_LINES } from '../codec/report-limits.ts';
import { CannotMerge, type EncodedComposition } from '../report-engine.ts';
import { composeEncoded } from './compose-encoded.ts';
import { estimateMerge } from './merge-estimate.ts';

const KIB = 2 ** 10;

const jobsOf = (...reports: readonly Uint8Array[]): EncodedComposition => ({
  jobs: reports.map((report, index) => ({ flag: `flag ${index}`, report })),
  carried: [],
  base: undefined,
});

function obstacleOf(work: () => unknown): CannotMerge['obstacle'] {
  try {
    work();
  } catch (error) {
    if (error instanceof CannotMerge) return error.obstacle;
    throw error;
  }
  throw new Error('it was merged');
}

/** A report whose columns cannot be read any more: its last byte is another. */
function spoiled(report: Uint8Array): Uint8Array {
  const bytes = Uint8Array.from(report);
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 0xff;
  return bytes;
}

const tall = (name: string, lines = 10_000) =>
  encodeReport(
    aReport(
      aFile(
        name,
        Array.from({ length: lines }, () => 1),
      ),
    ),
  );

describe('what a merge may take', () => {
  test('jobs of the same files take little more than one of them', () => {
    const one = estimateMerge(jobsOf(tall('a.ts')), 300 * KIB);
    const report = tall('a.ts');
    const many = estimateMerge(jobsOf(...Array.from({ length: 60 }, () => report)), 300 * KIB);
    expect(many).toBeLessThan(1.2 * one);
    expect(one).toBeGreaterThan(3 * 4 * 10_000);
  });

  test('is checked before any column is read', () => {
    const reports = Array.from({ length: 8 }, (_, index) => spoiled(tall(`${index}.ts`)));
    const budget = 512 * KIB;
    const obstacle = obstacleOf(() => composeEncoded(jobsOf(...reports), budget));
    expect(obstacle).toMatchObject({ kind: 'memory', limit: budget });
    expect(obstacleOf(() => composeEncoded(jobsOf(...reports)))).toEqual({ kind: 'damaged' });
  });

  test('more lines than a report can hold are found by the tables alone', () => {
    const hits = new Int32Array(MAX_FILE_LINES).fill(1);
    const file = (name: string) => ({ name, digest: undefined, source: undefined, hits, branches: NO_BRANCHES });
    const reports = Array.from({ length: 9 }, (_, index) => spoiled(encodeReport({ files: [file(`${index}.ts`)] })));
    const obstacle = obstacleOf(() => composeEncoded(jobsOf(...reports)));
    expect(obstacle).toEqual({ kind: 'limit', what: 'lines', seen: 9 * MAX_FILE_LINES, limit: MAX_REPORT_LINES });
  });

  test('branches that are at other places in each report are counted as they are merged', () => {
    const leg = (line: number) => {
      const groups = Array.from({ length: 4_000 }, (_, index) => [line, 0, index, 1]).flat();
      return encodeReport(aReport(aFile('a.ts', [1], { branches: groups })));
    };
    const legs = Array.from({ length: 12 }, (_, index) => leg(index + 1));
    const needed = estimateMerge(jobsOf(...legs));
    expect(obstacleOf(() => composeEncoded(jobsOf(...legs), 2 * KIB * KIB)).kind).toBe('memory');
    expect(composeEncoded(jobsOf(...legs)).totals.branches).toBe(12 * 4_000);
    expect(needed).toBeGreaterThan(0);
  });
});
