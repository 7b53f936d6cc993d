import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aDiff, anyComparison } from '../../../../test/support/diffs.ts';
import { aFile, aReport, totals } from '../../../../test/support/records.ts';
import { showPercent, totalPercent } from '../coverage/percent.ts';
import { addTotals, fileTotals, NO_TOTALS } from '../coverage/totals.ts';
import { patchCoverage } from './patch-coverage.ts';

describe('patchCoverage', () => {
  test('counts lines and branches on the changed lines alone (rule 2)', () => {
    const file = aFile('a.ts', [0, 1, 0, 1, 0], { branches: [1, 0, 0, 0, 2, 0, 0, 1, 2, 0, 1, 0, 5, 0, 0, 1] });
    const { totals: sum, files } = patchCoverage(aReport(file), [
      aDiff('a.ts', ['keep', 'add', 'add', 'remove', 'keep', 'keep']),
    ]);
    expect(files).toEqual([{ name: 'a.ts', totals: totals(1, 2, 1, 2), uncovered: [[3, 3]], partlyCovered: [2] }]);
    expect(sum).toEqual(totals(1, 2, 1, 2));
    expect(showPercent(totalPercent(sum))).toBe('50.00%');
  });

  test('is a sum over the files, not a mean (rule 3)', () => {
    const report = aReport(aFile('a.ts', [1]), aFile('b.ts', [0, 0, 0]), aFile('c.ts', [1, 1]));
    const diffs = [aDiff('a.ts', ['add']), aDiff('b.ts', ['add', 'add', 'add'])];
    expect(patchCoverage(report, diffs).totals).toEqual(totals(1, 4));
  });

  test('where nothing relevant changed there is no percentage (rule 4)', () => {
    const report = aReport(aFile('a.ts', [-1, 1]));
    const { totals: sum, files } = patchCoverage(report, [aDiff('a.ts', ['add', 'keep']), aDiff('README.md', ['add'])]);
    expect(totalPercent(sum)).toBeUndefined();
    expect(files).toEqual([{ name: 'a.ts', totals: totals(0, 0), uncovered: [] }]);
  });

  test('says what it cannot count: unknown hunks, and files that no report names', () => {
    const report = aReport(aFile('a.ts', [1]), aFile('gone.ts', [1]));
    const diffs = [
      aDiff('a.ts', [], { complete: false }),
      aDiff('z.ts', ['add']),
      aDiff('moved.ts', [], { kind: 'renamed', previousName: 'old.ts' }),
      aDiff('gone.ts', ['remove'], { kind: 'removed' }),
    ];
    expect(patchCoverage(report, diffs)).toEqual({
      totals: totals(0, 0),
      files: [{ name: 'a.ts', totals: undefined, uncovered: [] }],
      unmeasured: ['moved.ts', 'z.ts'],
    });
  });

  test('a new file counts as a whole, also where its patch was left out', () => {
    const file = aFile('a.ts', [1, 0, 0], { branches: [0, 0, 0, 1] });
    const diff = aDiff('a.ts', [], { kind: 'added', complete: false });
    expect(patchCoverage(aReport(file), [diff]).files).toEqual([
      { name: 'a.ts', totals: fileTotals(file), uncovered: [[2, 3]] },
    ]);
  });

  test('names meet as reports write them (rule 6)', () => {
    expect(patchCoverage(aReport(aFile('src/a.ts', [0])), [aDiff('src\\a.ts', ['add'])]).totals).toEqual(totals(0, 1));
  });

  test('whatever the diff, the sum is that of the files, and uncovered lines are as many as are missed', () => {
    fc.assert(
      fc.property(anyComparison, ({ head, diff }) => {
        const { totals: sum, files } = patchCoverage(head, diff?.files ?? []);
        expect(files.reduce((all, file) => addTotals(all, file.totals ?? NO_TOTALS), NO_TOTALS)).toEqual(sum);
        for (const { name, totals: ofFile, uncovered } of files) {
          const hits = head.files.find((file) => file.name === name)?.hits ?? [];
          const missed = uncovered
            .flatMap(([first, last]) => [...hits.slice(first - 1, last)])
            .filter((value) => value === 0);
          expect(missed).toHaveLength((ofFile?.relevantLines ?? 0) - (ofFile?.coveredLines ?? 0));
        }
      }),
    );
  });
});
