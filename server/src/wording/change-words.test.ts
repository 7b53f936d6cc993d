import { describe, expect, test } from 'vitest';
import { aDiff, type Edit } from '../../../test/support/diffs.ts';
import { aFile, aReport } from '../../../test/support/records.ts';
import type { FileCoverage } from '../core/coverage/file-coverage.ts';
import type { ChangePart } from '../core/verdict/attribute-change.ts';
import type { Remedy } from '../core/verdict/reason.ts';
import { type ChangeSums, sumChange } from '../core/verdict/split-change.ts';
import type { FlagVerdict } from '../core/verdict/verdict.ts';
import { describeCause } from './change-words.ts';

const BRANCHES = [1, 0, 0, 1, 1, 0, 1, 1];
const split = (before: readonly FileCoverage[], after: readonly FileCoverage[], edits?: readonly Edit[]): ChangeSums =>
  sumChange({
    base: aReport(...before),
    head: aReport(...after),
    diff: { files: edits === undefined ? [] : [aDiff('a.ts', edits)], complete: true },
  });
const file = (hits: readonly number[], branches: readonly number[] = []): FileCoverage =>
  aFile('a.ts', hits, { branches });

const FAILED: FlagVerdict = { state: 'failure', rule: 'no-decrease', reason: { kind: 'nothing-relevant' } };

const causeInBrief = (mainPart: ChangePart, sums: ChangeSums) =>
  describeCause({ mainPart, split: sums, remedy: undefined }, FAILED).clause;

describe('the main part of a change in few words', () => {
  test.each<[ChangePart, ChangeSums, string]>([
    ['changed', split([file([1])], [file([1, 0])], ['keep', 'add']), '1 of 1 changed line missed'],
    ['changed', split([file([1])], [file([0, 1, 0])], ['remove', 'add', 'add', 'add']), '2 of 3 changed lines missed'],
    ['changed', split([], [file([1], [1, 0, 0, 1, 1, 0, 1, 0])], ['add']), '1 of 2 branches on changed lines missed'],
    ['removed', split([file([1])], [file([])], ['remove']), '1 covered line removed'],
    [
      'removed',
      split([file([1, 1, 1])], [file([0])], ['remove', 'remove', 'remove', 'add']),
      '3 covered lines removed',
    ],
    ['removed', split([file([0], BRANCHES)], [file([])], ['remove']), '2 covered branches removed'],
    ['outside', split([file([1, 1])], [file([0, 1, 1])], ['keep', 'keep', 'add']), '1 line lost outside the change'],
    ['untouched', split([file([1, 1])], [file([0, 0])]), '2 lines lost outside the change'],
    ['untouched', split([file([1])], [file([1, 0])]), 'coverage fell in files that did not change'],
    [
      'outside',
      split([file([1])], [file([1, 0])], ['keep', 'keep']),
      'coverage fell on unchanged lines of changed files',
    ],
  ])('%s', (part, sums, expected) => {
    expect(causeInBrief(part, sums)).toBe(expected);
  });

  test('of files whose changes are not known', () => {
    const unknown = sumChange({
      base: aReport(file([1])),
      head: aReport(file([0])),
      diff: { files: [], complete: false },
    });
    expect(causeInBrief('unexplained', unknown)).toBe('coverage moved in 1 file, changes not known');
  });
});

test.each<[Remedy, string]>([
  [{ count: 1, of: 'changed-lines' }, 'cover 1 more changed line to pass'],
  [{ count: 2, of: 'changed-lines' }, 'cover 2 more changed lines to pass'],
  [{ count: 2, of: 'changed-code' }, 'cover 2 more changed lines or branches to pass'],
  [{ count: 1, of: 'lines' }, 'cover 1 more line to pass'],
  [{ count: 3, of: 'code' }, 'cover 3 more lines or branches to pass'],
])('what would pass in few words: %j', (remedy, expected) => {
  expect(describeCause({ mainPart: undefined, split: undefined, remedy }, FAILED).remedy).toBe(expected);
});
