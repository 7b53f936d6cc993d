import { expect, test } from 'vitest';
import { aDiff } from '../../../../test/support/diffs.ts';
import { aFile, aReport } from '../../../../test/support/records.ts';
import { EVERY_LINE } from '../coverage/line-ranges.ts';
import type { FileDiff } from '../diff/file-diff.ts';
import { collectUnmeasured } from './unmeasured-lines.ts';

const carried = aReport(aFile('a.ts', [1, 1, 1]));
const GROWN = aDiff('a.ts', ['add', 'add', 'keep']);
const known = (...files: readonly FileDiff[]) => ({ files, complete: true });

function linesOf(...diffs: readonly Parameters<ReturnType<typeof collectUnmeasured>['add']>[1][]) {
  const found = collectUnmeasured(aReport(aFile('own.ts', [1])));
  for (const diff of diffs) found.add(carried, diff);
  return [...found.lines];
}

test.each([
  ['lines that are new since are', known(GROWN), [[1, 2]]],
  ['a file that did not change has none', known(), []],
  ['where no diff is known every line may be new', undefined, [EVERY_LINE]],
  ['and where the list of files was cut', { files: [], complete: false }, [EVERY_LINE]],
  ['and where the hunks are not known', known(aDiff('a.ts', [], { complete: false })), [EVERY_LINE]],
])('%s', (_, diff, expected) => {
  expect(linesOf(diff)).toEqual([['a.ts', expected]]);
});

test('a renamed file has them under its new name', () => {
  const moved = aDiff('b.ts', ['add', 'keep'], { kind: 'renamed', previousName: 'a.ts' });
  expect(linesOf(known(moved))).toEqual([['b.ts', [[1, 1]]]]);
});

test('what one of several carried reports measured is measured', () => {
  expect(linesOf(undefined, known(GROWN))).toEqual([['a.ts', [[1, 2]]]]);
  expect(linesOf(known(), known(GROWN))).toEqual([['a.ts', []]]);
});

test('of a file that a job of the build names there is none', () => {
  const found = collectUnmeasured(carried);
  found.add(carried, undefined);
  expect(found.lines.size).toBe(0);
});
