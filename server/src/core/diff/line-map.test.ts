import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aDiff, branchesOf, edits, followEdits, hitsOf, mapOldLine } from '../../../../test/support/diffs.ts';
import { aFile } from '../../../../test/support/records.ts';
import type { FileCoverage } from '../coverage/file-coverage.ts';
import type { LineRange } from '../coverage/line-ranges.ts';
import { addedLines, moveCoverage, removedLines, unchangedRuns } from './line-map.ts';

const linesOf = (ranges: readonly LineRange[] | undefined): readonly number[] | undefined =>
  ranges?.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, index) => first + index));

/** 1-based numbers of what is true. */
const numbersOf = (all: readonly boolean[]): readonly number[] => all.flatMap((one, index) => (one ? [index + 1] : []));

const groupsOf = ({ branches }: FileCoverage): readonly (readonly number[])[] =>
  [...branches.line].map(
    (line, index) => [line, branches.block[index], branches.branch[index], branches.hits[index]] as number[],
  );

describe('lines by a diff', () => {
  test('are mapped as the edits say, one by one', () => {
    fc.assert(
      fc.property(edits, fc.nat(3), (all, more) => {
        const { map, added } = followEdits(all);
        const diff = aDiff('a.ts', all);
        expect(map.map((_, index) => mapOldLine(diff, index + 1))).toEqual(map);
        // Whatever follows moves by as many lines as there are more, or fewer.
        expect(mapOldLine(diff, map.length + 1 + more)).toBe(added.length + 1 + more);
        expect(linesOf(addedLines(diff))).toEqual(numbersOf(added));
        expect(linesOf(removedLines(diff))).toEqual(numbersOf(map.map((line) => line === undefined)));
      }),
    );
  });

  test('line 0, which some tools put branches on, stays', () => {
    expect(mapOldLine(aDiff('a.ts', ['add', 'remove', 'keep']), 0)).toBe(0);
  });

  test('unchanged runs are what is mapped', () => {
    expect(unchangedRuns(aDiff('a.ts', ['keep', 'remove', 'keep', 'add', 'keep']))).toEqual([
      { oldStart: 0, newStart: 0, length: 2 },
      { oldStart: 3, newStart: 2, length: 1 },
      { oldStart: 4, newStart: 4, length: Number.POSITIVE_INFINITY },
    ]);
  });

  test('where the hunks are not known nothing is told', () => {
    const unknown = aDiff('a.ts', [], { complete: false });
    expect([addedLines(unknown), removedLines(unknown), unchangedRuns(unknown), mapOldLine(unknown, 1)]).toEqual(
      Array(4).fill(undefined),
    );
    expect(moveCoverage(aFile('a.ts', [1]), unknown)).toBeUndefined();
  });

  test.each([true, false])('of an added or removed file all are new, or gone; complete: %s', (complete) => {
    const added = aDiff('a.ts', ['add'], { kind: 'added', complete });
    const removed = aDiff('a.ts', ['remove'], { kind: 'removed', complete });
    const every = [[0, Number.MAX_SAFE_INTEGER]];
    expect([addedLines(added), removedLines(added)]).toEqual([every, []]);
    expect([addedLines(removed), removedLines(removed)]).toEqual([[], every]);
    expect([mapOldLine(added, 1), mapOldLine(removed, 1)]).toEqual([undefined, undefined]);
    expect([unchangedRuns(added), unchangedRuns(removed)]).toEqual([[], []]);
  });
});

describe('moveCoverage (rule 16)', () => {
  test('hits and branches go where their lines go', () => {
    const cases = edits.chain((all) => {
      const lines = followEdits(all).map.length + 2;
      return fc.record({ all: fc.constant(all), hits: hitsOf(lines), branches: branchesOf(lines) });
    });
    fc.assert(
      fc.property(cases, ({ all, hits, branches }) => {
        const { map, added } = followEdits(all);
        const newLine = (line: number) =>
          line === 0 ? 0 : line > map.length ? line - map.length + added.length : map[line - 1];
        const file = aFile('a.ts', hits, { branches });
        const moved = moveCoverage(file, aDiff('a.ts', all)) as FileCoverage;
        const expected: number[] = [];
        hits.forEach((value, index) => {
          const line = newLine(index + 1);
          if (line === undefined) return;
          while (expected.length < line - 1) expected.push(-1);
          expected.push(value);
        });
        expect([...moved.hits]).toEqual(expected);
        expect(groupsOf(moved)).toEqual(
          groupsOf(file).flatMap(([line, ...rest]) => {
            const to = newLine(line as number);
            return to === undefined ? [] : [[to, ...rest]];
          }),
        );
      }),
    );
  });

  test('it has the new name, and neither digest nor source of a text that is gone', () => {
    const file = { ...aFile('b.ts', [1, 0], { digest: 'old' }), source: '00' };
    const diff = aDiff('./src/a.ts', ['add', 'keep', 'keep'], { kind: 'renamed', previousName: 'b.ts' });
    expect(moveCoverage(file, diff)).toEqual(aFile('src/a.ts', [-1, 1, 0]));
  });

  test('of a removed file nothing is left; an added one was not there', () => {
    const file = aFile('a.ts', [1, 0], { branches: [0, 0, 0, 1, 1, 0, 0, 1] });
    expect(moveCoverage(file, aDiff('a.ts', [], { kind: 'removed' }))).toEqual(aFile('a.ts', []));
    expect(moveCoverage(file, aDiff('a.ts', [], { kind: 'added' }))).toBeUndefined();
  });

  test('large hits keep their width, and lose it with the line that needed it', () => {
    const file = aFile('a.ts', [2 ** 40, 1]);
    expect(moveCoverage(file, aDiff('a.ts', ['keep', 'add']))?.hits).toEqual(Float64Array.of(2 ** 40, -1, 1));
    expect(moveCoverage(file, aDiff('a.ts', ['remove']))?.hits).toEqual(Int32Array.of(1));
  });
});
