import { describe, expect, test } from 'vitest';
import { aFile } from '../../../../test/support/records.ts';
import { type ExcerptOf, makeExcerpt } from './excerpt.ts';
import type { FileDiff, Hunk } from './file-diff.ts';

const modified = (...hunks: readonly Hunk[]): FileDiff => ({
  name: 'a.ts',
  previousName: undefined,
  kind: 'modified',
  hunks,
  complete: true,
});
const put = (newStart: number, newLines: number, oldLines = 0, oldStart = newStart): Hunk => ({
  oldStart,
  oldLines,
  newStart,
  newLines,
});
const excerpt = (hits: readonly number[], of: Partial<ExcerptOf> = {}, branches: readonly number[] = []) => {
  const { hits: column, branches: columns } = aFile('a.ts', hits, { branches });
  return makeExcerpt({ offset: 0, hits: column, branches: columns, diff: undefined, missed: [], max: 400, ...of });
};
/** `3!+` is a changed line to cover, `3+` another changed one, `(4-9)` a fold, `-2x3` three removed lines. */
const rowsOf = (...asked: Parameters<typeof excerpt>): string =>
  excerpt(...asked)
    .rows.map((row) => {
      if (row.kind === 'fold') return `(${row.first}-${row.last})`;
      if (row.kind === 'removed') return `-${row.first}x${row.count}`;
      return `${row.line}${row.toCover ? '!' : ''}${row.changed ? '+' : ''}`;
    })
    .join(' ');
const ones = (count: number): readonly number[] => Array.from({ length: count }, () => 1);

describe('an excerpt', () => {
  test('folds more than four lines without anything to cover, but for those next to it', () => {
    const hits = [...ones(9), 0, ...ones(4), 0, ...ones(6), 0, ...ones(5)];
    expect(rowsOf(hits, { diff: modified(put(10, 1), put(15, 1), put(22, 1)) })).toBe(
      '(1-8) 9 10!+ 11 12 13 14 15!+ 16 (17-20) 21 22!+ 23 (24-27)',
    );
  });

  test('shows a short run as it is', () => {
    expect(rowsOf([1, 1, 1, 1, 0, 1, 1, 1, 1], { diff: modified(put(5, 1)) })).toBe('1 2 3 4 5!+ 6 7 8 9');
  });

  test('has the lines of the change alone to cover, and missed branches on them', () => {
    const branches = [1, 0, 0, 0, 2, 0, 0, 1, 2, 0, 1, 0, 3, 0, 0, 1];
    const of = { diff: modified(put(2, 2)) };
    expect(rowsOf([0, 5, 5, 0], of, branches)).toBe('1 2!+ 3+ 4');
    expect(excerpt([0, 5, 5, 0], of, branches).rows[1]).toMatchObject({ hits: 5, branches: { covered: 1, all: 2 } });
  });

  test('is empty where nothing is to be covered', () => {
    expect(excerpt([0, 1, 0], { diff: modified(put(2, 1)) })).toEqual({ rows: [], cut: false });
  });

  test('shows lost lines beside changed ones, and marks those alone that did not change', () => {
    const of = { diff: modified(put(2, 1)), lost: [[2, 3]] as const };
    expect(rowsOf([1, 0, 0, 1], of)).toBe('1 2!+ 3! 4');
    const { rows } = excerpt([1, 0, 0, 1], of);
    expect(rows.map((row) => row.kind === 'line' && row.lost)).toEqual([undefined, undefined, true, undefined]);
    expect(rowsOf([1, 1, 0, 1], { lost: [[2, 3]] })).toBe('1 2 3! 4');
  });

  test('goes by the missed lines that are known where no diff is', () => {
    expect(rowsOf([0, 0, 1, 0], { missed: [[2, 2]] })).toBe('1 2!+ 3 4');
  });

  test('has removed lines where they stood', () => {
    expect(rowsOf([1, 0, 1], { diff: modified(put(2, 1, 3, 2)) })).toBe('1 -2x3 2!+ 3');
  });

  test('begins behind the lines that were not read', () => {
    expect(rowsOf([1, 0], { offset: 100, diff: modified(put(102, 1)) })).toBe('101 102!+');
  });

  test('is cut at its limit, and says so only where something to cover is left out', () => {
    const diff = modified(put(1, 6));
    const [all, max] = [[0, 1, 0, 1, 0, 1], 5];
    expect([excerpt(all, { diff, max }).rows.length, excerpt(all, { diff, max }).cut]).toEqual([5, false]);
    expect(excerpt(all, { diff, max: 4 }).cut).toBe(true);
  });
});
