import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { numRuns } from '../../../../test/support/property-runs.ts';
import { totals } from '../../../../test/support/records.ts';
import type { CoverageTotals } from '../coverage/totals.ts';
import { countToPass, findRemedy } from './cover-to-pass.ts';
import type { Thresholds } from './findings.ts';
import { type JudgedBuild, judgeBuild } from './judge-build.ts';

const judged = (now: CoverageTotals, before: CoverageTotals | undefined, thresholds: Thresholds): JudgedBuild => ({
  totals: now,
  base: before && { number: '70', totals: before },
  thresholds,
  unreported: [],
});
const limits = (minimum: number | null, allowedDrop: number | null): Thresholds => ({ minimum, allowedDrop });

describe('countToPass', () => {
  test.each<[string, CoverageTotals, CoverageTotals | undefined, Thresholds, number]>([
    ['no-decrease, one short', totals(79, 100), totals(80, 100), limits(null, null), 1],
    ['no-decrease, more lines now', totals(80, 110), totals(80, 100), limits(null, null), 8],
    ['no-decrease, held', totals(80, 100), totals(80, 100), limits(null, null), 0],
    ['minimum', totals(66, 100), undefined, limits(66.67, null), 1],
    ['minimum, whatever the base', totals(79, 100), totals(99, 100), limits(80, null), 1],
    ['allowed drop', totals(77, 100), totals(80, 100), limits(null, 2), 1],
    ['allowed drop, a part of a line is a line', totals(7_799, 10_000), totals(8, 10), limits(null, 1.995), 2],
    ['both, the minimum is further', totals(70, 100), totals(80, 100), limits(79, 2), 9],
    ['both, the allowed drop is further', totals(70, 100), totals(80, 100), limits(71, 2), 8],
    ['branches count as lines do', totals(9, 10, 1, 10), totals(10, 10, 2, 10), limits(null, null), 2],
    ['all of it', totals(0, 3), undefined, limits(100, null), 3],
    ['a first build without a minimum', totals(0, 3), undefined, limits(null, 1), 0],
  ])('%s', (_, now, before, thresholds, count) => {
    expect(countToPass(judged(now, before, thresholds))).toBe(count);
  });

  test('nothing helps where nothing is relevant, or where flags did not report', () => {
    expect(countToPass(judged(totals(0, 0), totals(1, 1), limits(null, null)))).toBeUndefined();
    expect(
      countToPass({ ...judged(totals(0, 9), totals(1, 1), limits(null, null)), unreported: ['api'] }),
    ).toBeUndefined();
  });

  test('that many pass, and one fewer fails, by the judge itself', () => {
    const some = fc
      .record({ covered: fc.nat(2 ** 20), missed: fc.nat(2 ** 20), branches: fc.nat(50) })
      .map((one) => totals(one.covered, one.covered + one.missed, Math.min(one.branches, 7), one.branches));
    const relevant = some.filter((all) => all.relevantLines > 0);
    const limit = fc.option(fc.oneof(fc.integer({ min: 0, max: 100 }), fc.double({ min: 0, max: 100, noNaN: true })), {
      nil: null,
    });
    fc.assert(
      fc.property(relevant, fc.option(relevant, { nil: undefined }), limit, limit, (now, before, minimum, drop) => {
        const build = judged(now, before, limits(minimum, drop));
        const count = countToPass(build) as number;
        // Lines first, then branches, as a remedy counts them.
        const passes = (more: number): boolean => {
          const lines = Math.min(more, now.relevantLines - now.coveredLines);
          const better = {
            ...now,
            coveredLines: now.coveredLines + lines,
            coveredBranches: now.coveredBranches + more - lines,
          };
          expect(better.coveredBranches).toBeLessThanOrEqual(now.branches);
          return judgeBuild({ ...build, totals: better }).state === 'success';
        };
        expect(passes(count)).toBe(true);
        if (count > 0) expect(passes(count - 1)).toBe(false);
      }),
      { numRuns: numRuns(500) },
    );
  });
});

describe('findRemedy names the narrowest code that has enough', () => {
  const now = totals(160, 180, 0, 20);
  const short = (count: number) => judged(now, undefined, limits((160 + count) / 2, null));

  test.each([
    [12, totals(0, 12, 0, 4), 'changed-lines'],
    [13, totals(0, 12, 0, 4), 'changed-code'],
    [17, totals(0, 12, 0, 4), 'lines'],
    [20, totals(0, 12, 0, 4), 'lines'],
    [21, totals(0, 12, 0, 4), 'code'],
    [1, totals(12, 12), 'lines'],
    [1, undefined, 'lines'],
  ])('%i of %j: %s', (count, changed, of) => {
    expect(findRemedy(short(count), changed)).toEqual({ count, of });
  });

  test('there is none where none is needed', () => {
    expect(findRemedy(judged(now, now, limits(null, null)), now)).toBeUndefined();
  });
});
