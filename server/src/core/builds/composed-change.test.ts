import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aDiff, anyComparison } from '../../../../test/support/diffs.ts';
import { aFile, aReport } from '../../../../test/support/records.ts';
import { reportTotals } from '../coverage/totals.ts';
import type { Diff } from '../diff/file-diff.ts';
import { composeChange } from './composed-change.ts';

const base = aReport(aFile('a.ts', [1]), aFile('b.ts', [1]));
const changing = (...names: readonly string[]): Diff => ({
  files: names.map((name) => aDiff(name, ['add'])),
  complete: true,
});
const cut = (diff: Diff): Diff => ({ ...diff, complete: false });

describe('what the diffs tell of a report', () => {
  test('the split is that of base and report, as plain data without files', () => {
    fc.assert(
      fc.property(anyComparison, ({ base: before, head, diff }) => {
        const { split } = composeChange({ report: head, base: before, diffs: { base: diff } });
        expect(split === undefined).toBe(diff === undefined);
        if (split === undefined) return;
        expect(split).not.toHaveProperty('files');
        expect({ base: split.base, head: split.head }).toEqual({
          base: reportTotals(before),
          head: reportTotals(head),
        });
        expect(structuredClone(split)).toEqual(split);
      }),
    );
  });

  test('nothing without diffs', () => {
    const nothing = { split: undefined, patch: undefined, measuredChanges: undefined };
    expect(composeChange({ report: base, base, diffs: {} })).toEqual(nothing);
    expect(composeChange({ report: base, base: undefined, diffs: { base: changing('a.ts') } })).toEqual(nothing);
  });

  test('a patch without a base', () => {
    const { patch, split } = composeChange({ report: base, base: undefined, diffs: { patch: changing('a.ts') } });
    expect(patch?.totals).toMatchObject({ coveredLines: 1, relevantLines: 1 });
    expect(split).toBeUndefined();
  });
});

describe('changed files that the base measures, where a build has no report', () => {
  test.each<[string, { readonly base?: Diff; readonly patch?: Diff }, number | undefined]>([
    ['none', { patch: changing('README.md') }, 0],
    ['some', { patch: changing('README.md', './a.ts') }, 1],
    [
      'one renamed',
      { patch: { files: [aDiff('c.ts', [], { kind: 'renamed', previousName: 'b.ts' })], complete: true } },
      1,
    ],
    ['one removed', { patch: { files: [aDiff('b.ts', [], { kind: 'removed' })], complete: true } }, 1],
    ['by the diff from the base, where no other is known', { base: changing('a.ts') }, 1],
    ['by its own change, where that is known', { base: changing('a.ts'), patch: changing('README.md') }, 0],
    ['none of a list that was cut: not known', { patch: cut(changing('README.md')) }, undefined],
    ['some of a list that was cut', { patch: cut(changing('a.ts')) }, 1],
    ['not known without a diff', {}, undefined],
  ])('%s', (_, diffs, expected) => {
    expect(composeChange({ report: aReport(), base, diffs }).measuredChanges).toBe(expected);
    expect(composeChange({ report: aReport(aFile('z.ts', [1])), base, diffs }).measuredChanges).toBeUndefined();
  });
});
