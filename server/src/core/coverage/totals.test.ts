import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toColumn } from '../../../../test/support/records.ts';
import { MAX_HITS } from './column.ts';
import { NO_BRANCHES } from './file-coverage.ts';
import { branchesFromGroups } from './merge.ts';
import { fileTotals, NO_TOTALS, reportTotals } from './totals.ts';

describe('fileTotals', () => {
  it.each([
    { hits: [], relevantLines: 0, coveredLines: 0 },
    { hits: [-1, -1], relevantLines: 0, coveredLines: 0 },
    { hits: [0, -1, 1, 7], relevantLines: 3, coveredLines: 2 },
    { hits: [MAX_HITS, 0, -1], relevantLines: 2, coveredLines: 1 },
    { hits: [0x7fff_ffff], relevantLines: 1, coveredLines: 1 },
  ])('rule 1: $hits', ({ hits, ...counts }) => {
    expect(fileTotals({ hits: toColumn(hits), branches: NO_BRANCHES })).toEqual({
      ...counts,
      coveredBranches: 0,
      branches: 0,
    });
  });

  it('counts a branch per group of four, covered above 0', () => {
    const branches = branchesFromGroups([1, 0, 0, 0, 1, 0, 1, 5, 2, 0, 0, 0]);
    expect(fileTotals({ hits: toColumn([]), branches })).toMatchObject({ branches: 3, coveredBranches: 1 });
  });

  it('counts as filters do', () => {
    const hits = fc.array(fc.oneof(fc.integer({ min: -1, max: 2 }), fc.constantFrom(0x7fff_ffff, MAX_HITS)));
    fc.assert(
      fc.property(hits, (values) => {
        const totals = fileTotals({ hits: toColumn(values), branches: NO_BRANCHES });
        expect(totals.relevantLines).toBe(values.filter((value) => value >= 0).length);
        expect(totals.coveredLines).toBe(values.filter((value) => value > 0).length);
      }),
    );
  });
});

describe('reportTotals', () => {
  it('is nothing for nothing', () => expect(reportTotals({ files: [] })).toEqual(NO_TOTALS));

  it('sums its files', () => {
    const file = {
      name: 'a',
      digest: undefined,
      source: undefined,
      hits: toColumn([1, 0, -1]),
      branches: branchesFromGroups([1, 0, 0, 1]),
    };
    expect(reportTotals({ files: [file, { ...file, name: 'b' }] })).toEqual({
      coveredLines: 2,
      relevantLines: 4,
      coveredBranches: 2,
      branches: 2,
    });
  });
});
