import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { numRuns } from '../../../../test/support/property-runs.ts';
import { toColumn } from '../../../../test/support/records.ts';
import { MAX_HITS } from '../../core/coverage/column.ts';
import type { FileCoverage, Report } from '../../core/coverage/file-coverage.ts';
import { branchesFromGroups, compareNames, mergeReports } from '../../core/coverage/merge.ts';
import { decodeReport, listFiles } from './decode-report.ts';
import { encodeReport } from './encode-report.ts';
import { DIGESTS_DIFFER, SOURCES_DIFFER } from './file-table.ts';
import { mergeIntoMemory, mergeIntoStored } from './merge-stored.ts';

const hits = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: -1, max: 3 }) },
  { weight: 2, arbitrary: fc.integer({ min: 250, max: 400 }) },
  { weight: 1, arbitrary: fc.constantFrom(0x4000_0000, 0x7fff_ffff, 0x8000_0000, MAX_HITS - 1, MAX_HITS) },
);
const column = fc
  .array(fc.tuple(hits, fc.constantFrom(1, 1, 2, 3, 64, 200)), { maxLength: 6 })
  .map((runs) => toColumn(runs.flatMap(([value, length]) => Array<number>(length).fill(value))));
/** The branches of one text, with other hits; sometimes of another text, or numbered in an unusual way. */
const branches = fc
  .tuple(
    fc.constantFrom(0, 2, 2, 2, 3),
    fc.constantFrom(1, 1, 1, 1, 400),
    fc.array(hits, { minLength: 3, maxLength: 3 }),
  )
  .map(([count, block, values]) =>
    branchesFromGroups(Array.from({ length: count }, (_, n) => [n + 1, block, 0, Math.max(0, values[n] ?? 0)]).flat()),
  );
const file = (name: string): fc.Arbitrary<FileCoverage> =>
  fc.record({
    name: fc.constant(name),
    digest: fc.constantFrom(undefined, 'aa', 'aa', 'bb', 'Other'),
    source: fc.constantFrom(undefined, undefined, 'c'.repeat(64), 'd'.repeat(64)),
    hits: column,
    branches,
  });
/** More files than a chunk has, of which each report has most. */
const NAMES = Array.from({ length: 70 }, (_, n) => `src/${String.fromCharCode(97 + (n % 26))}/file-${n}.ts`).toSorted(
  compareNames,
);
const report: fc.Arbitrary<Report> = fc
  .tuple(fc.constantFrom(1, 3, 3, 70), fc.nat(69))
  .chain(([count, gap]) =>
    fc.tuple(
      ...NAMES.slice(0, count)
        .filter((_, n) => n !== gap)
        .map(file),
    ),
  )
  .map((files) => ({ files: files as readonly FileCoverage[] }));

/** Merges in the order and the groups that a property found: each step takes some of the pieces and puts one back. */
function mergeInSteps(pieces: readonly Uint8Array[], steps: readonly (readonly number[])[]): Uint8Array {
  let left = pieces;
  for (const step of steps) {
    const taken = [...new Set(step.map((at) => at % left.length))];
    left = [
      ...left.filter((_, index) => !taken.includes(index)),
      mergeIntoStored(taken.map((at) => left[at] as Uint8Array)),
    ];
  }
  return mergeIntoStored(left);
}

/** What differs, by the reports themselves. */
function differingOf(reports: readonly Report[]): Readonly<Record<string, number>> {
  const files = Map.groupBy(
    reports.flatMap((one) => one.files),
    ({ name }) => name,
  );
  const several = (values: readonly (string | undefined)[]): boolean =>
    new Set(values.filter((value) => value !== undefined)).size > 1;
  const kindOf = (same: readonly FileCoverage[]): number =>
    (several(same.map(({ digest }) => digest)) ? DIGESTS_DIFFER : 0) |
    (several(same.map(({ source }) => source)) ? SOURCES_DIFFER : 0);
  return Object.fromEntries([...files].map(([name, same]) => [name, kindOf(same)]));
}

describe('merging stored reports', () => {
  it('gives the same bytes as merging them in memory, in whatever order and steps (rule 7)', () => {
    const reports = fc.array(report, { minLength: 1, maxLength: 6 });
    const steps = fc.array(fc.array(fc.nat(5), { minLength: 1, maxLength: 4 }), { maxLength: 4 });
    fc.assert(
      fc.property(reports, steps, (all, some) => {
        const merged = mergeInSteps(all.map(encodeReport), some);
        expect(decodeReport(merged)).toEqual(mergeReports(all));
        expect(Buffer.compare(merged, mergeIntoStored(all.toReversed().map(encodeReport)))).toBe(0);
        const inMemory = mergeIntoMemory([merged]);
        expect(Buffer.compare(encodeReport(inMemory.report), encodeReport(mergeReports(all)))).toBe(0);
        const said = Object.fromEntries(listFiles(merged).map(({ name, differing }) => [name, differing]));
        expect(said).toEqual(differingOf(all));
        expect(inMemory.differing).toEqual(listFiles(merged).map(({ differing }) => differing));
      }),
      { numRuns: numRuns(120) },
    );
  });

  it('is not read by a program that does not know what it says of its jobs', () => {
    const merged = mergeIntoStored([encodeReport({ files: [] })]);
    expect([merged[3], encodeReport({ files: [] })[3]]).toEqual([3, 1]);
  });

  it('of none holds nothing', () => {
    expect(decodeReport(mergeIntoStored([]))).toEqual({ files: [] });
  });
});
