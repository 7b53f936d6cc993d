import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { branchesOf, hitsOf } from '../../../../test/support/diffs.ts';
import { aFile, toColumn, totals } from '../../../../test/support/records.ts';
import {
  EVERY_LINE,
  intersectRanges,
  type LineRange,
  missedRanges,
  partlyCoveredLines,
  rangeTotals,
  subtractRanges,
} from './line-ranges.ts';
import { fileTotals } from './totals.ts';

describe('rangeTotals', () => {
  test('counts what stands on the given lines, and nothing else', () => {
    const chosen = fc.array(fc.boolean(), { minLength: 13, maxLength: 13 });
    fc.assert(
      fc.property(hitsOf(10), branchesOf(12), chosen, (hits, groups, on) => {
        const file = aFile('a.ts', hits, { branches: groups });
        const ranges = on.flatMap((one, line): LineRange[] => (one ? [[line, line]] : []));
        const lines = hits.filter((_, index) => on[index + 1]);
        const branches = [...file.branches.hits].filter((_, index) => on[file.branches.line[index] as number]);
        expect(rangeTotals(file, ranges)).toEqual({
          coveredLines: lines.filter((value) => value > 0).length,
          relevantLines: lines.filter((value) => value >= 0).length,
          coveredBranches: branches.filter((value) => value > 0).length,
          branches: branches.length,
        });
      }),
    );
  });

  test('on every line it is the file’s, line 0 and lines beyond the column too', () => {
    const file = aFile('a.ts', [1, 0, -1], { branches: [0, 0, 0, 1, 2, 0, 0, 0, 2 ** 40, 0, 0, 1] });
    expect(rangeTotals(file, [EVERY_LINE])).toEqual(fileTotals(file));
    expect(rangeTotals(file, [EVERY_LINE])).toEqual(totals(1, 2, 2, 3));
    expect(rangeTotals(file, [])).toEqual(totals(0, 0));
  });
});

describe('missedRanges', () => {
  const column = toColumn([0, 0, 1, 0, -1, 0, 0]);

  test.each<[string, readonly LineRange[], readonly LineRange[]]>([
    ['nowhere', [], []],
    [
      'everywhere',
      [EVERY_LINE],
      [
        [1, 2],
        [4, 7],
      ],
    ],
    [
      'a covered line breaks a range',
      [[2, 4]],
      [
        [2, 2],
        [4, 4],
      ],
    ],
    ['one that is not relevant does not', [[4, 6]], [[4, 6]]],
    ['nor begins or ends one', [[5, 5]], []],
    [
      'two given ranges stay two',
      [
        [1, 1],
        [2, 2],
      ],
      [
        [1, 1],
        [2, 2],
      ],
    ],
    ['beyond the column', [[7, 99]], [[7, 7]]],
  ])('%s', (_, ranges, expected) => {
    expect(missedRanges(column, ranges)).toEqual(expected);
  });
});

describe('intersectRanges', () => {
  const chosen = fc.array(fc.boolean(), { maxLength: 20 });
  const rangesOf = (on: readonly boolean[]): LineRange[] => {
    const ranges: [number, number][] = [];
    on.forEach((one, line) => {
      const last = ranges.at(-1);
      if (one && last !== undefined && last[1] === line - 1) last[1] = line;
      else if (one) ranges.push([line, line]);
    });
    return ranges;
  };

  test('holds the lines of both, in order', () => {
    fc.assert(
      fc.property(chosen, chosen, (one, other) => {
        const both = one.map((on, line) => on && other[line] === true);
        expect(intersectRanges(rangesOf(one), rangesOf(other))).toEqual(rangesOf(both));
      }),
    );
  });

  test('takes ranges without an end', () => {
    expect(intersectRanges([EVERY_LINE], [[3, Number.POSITIVE_INFINITY]])).toEqual([[3, EVERY_LINE[1]]]);
  });
});

test('subtractRanges: the lines of the first that are not in the other, sorted', () => {
  const linesOf = (ranges: readonly LineRange[]): number[] =>
    ranges.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, index) => first + index));
  const ranges = fc
    .uniqueArray(fc.nat(30), { maxLength: 12 })
    // Some of one line, some of two; none overlaps.
    .map((lines) => lines.toSorted((a, b) => a - b))
    .map((lines) => lines.map((line): LineRange => [line, line + (lines.includes(line + 1) ? 0 : 1)]));
  fc.assert(
    fc.property(ranges, ranges, (one, other) => {
      const gone = new Set(linesOf(other));
      expect(linesOf(subtractRanges(one, other))).toEqual(linesOf(one).filter((line) => !gone.has(line)));
    }),
  );
  expect(subtractRanges([EVERY_LINE], [[3, 5]])).toEqual([
    [0, 2],
    [6, EVERY_LINE[1]],
  ]);
});

describe('partlyCoveredLines', () => {
  const branches = [0, 0, 0, 0, 2, 0, 0, 1, 2, 0, 1, 0, 3, 0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 0, 6, 0, 0, 1, 9, 0, 0, 0];
  const file = aFile('a.ts', [1, 1, 0, 5, 1, 1], { branches });

  test('are those with a missed branch that are not missed themselves, each once, none of no line', () => {
    expect(partlyCoveredLines(file, [EVERY_LINE])).toEqual([2, 4, 9]);
  });

  test('only among the given lines', () => {
    expect(partlyCoveredLines(file, [[3, 5]])).toEqual([4]);
    expect(
      partlyCoveredLines(file, [
        [1, 1],
        [2, 3],
        [5, 9],
      ] as LineRange[]),
    ).toEqual([2, 9]);
    expect(partlyCoveredLines(file, [])).toEqual([]);
  });
});
