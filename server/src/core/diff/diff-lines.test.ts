import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countReads } from '../../../../test/support/count-reads.ts';
import { numRuns } from '../../../../test/support/property-runs.ts';
import { DIFF_LIMITS, diffLines, diffTexts, splitLines } from './diff-lines.ts';
import type { Hunk } from './file-diff.ts';
import { countChanges } from './read-hunks.ts';
import { markShortestEdit } from './shortest-edit.ts';

/** The old lines with the hunks applied; lines that were put in come from the new text. */
function apply(old: readonly string[], now: readonly string[], hunks: readonly Hunk[]): readonly string[] {
  const result: string[] = [];
  let at = 1;
  for (const hunk of hunks) {
    result.push(...old.slice(at - 1, hunk.oldStart - 1));
    expect(result.length).toBe(hunk.newStart - 1);
    result.push(...now.slice(hunk.newStart - 1, hunk.newStart - 1 + hunk.newLines));
    at = hunk.oldStart + hunk.oldLines;
  }
  return [...result, ...old.slice(at - 1)];
}

/** Length of the longest common subsequence, by the textbook's table. */
function longestCommon(a: readonly string[], b: readonly string[]): number {
  let row = new Array<number>(b.length + 1).fill(0);
  for (const one of a) {
    const next = [0];
    b.forEach(
      (other, j) =>
        void next.push(one === other ? (row[j] as number) + 1 : Math.max(row[j + 1] as number, next[j] as number)),
    );
    row = next;
  }
  return row[b.length] as number;
}

const edited = (old: readonly string[], now: readonly string[], limits = DIFF_LIMITS) => {
  const hunks = diffLines(old, now, limits);
  return hunks && countChanges(hunks);
};

const fewLetters = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 40 });
const manyLines = fc.array(fc.nat(60).map(String), { maxLength: 80 });

describe('diffLines', () => {
  test.each([fewLetters, manyLines])(
    'applied to the old text it gives the new one, and no diff is shorter',
    (lines) => {
      fc.assert(
        fc.property(lines, lines, (old, now) => {
          const hunks = diffLines(old, now) as readonly Hunk[];
          expect(apply(old, now, hunks)).toEqual(now);
          const common = longestCommon(old, now);
          expect(countChanges(hunks)).toEqual({ removed: old.length - common, added: now.length - common });
        }),
        { numRuns: numRuns(400) },
      );
    },
  );

  test('hunks have a common line between them', () => {
    fc.assert(
      fc.property(fewLetters, fewLetters, (old, now) => {
        const hunks = diffLines(old, now) ?? [];
        hunks.slice(1).forEach((hunk, index) => {
          const before = hunks[index] as Hunk;
          expect(hunk.oldStart).toBeGreaterThan(before.oldStart + before.oldLines);
          expect(hunk.newStart).toBeGreaterThan(before.newStart + before.newLines);
        });
      }),
    );
  });

  test.each<[string, string, string, readonly (readonly [number, number, number, number])[]]>([
    ['nothing', 'abc', 'abc', []],
    ['empty texts', '', '', []],
    ['all new', '', 'ab', [[1, 0, 1, 2]]],
    ['all gone', 'ab', '', [[1, 2, 1, 0]]],
    ['put in', 'abc', 'abxc', [[3, 0, 3, 1]]],
    ['put in at the end', 'abc', 'abcx', [[4, 0, 4, 1]]],
    ['taken out', 'abc', 'ac', [[2, 1, 2, 0]]],
    ['replaced', 'abc', 'axc', [[2, 1, 2, 1]]],
    [
      'two places',
      'abcde',
      'xbcdy',
      [
        [1, 1, 1, 1],
        [5, 1, 5, 1],
      ],
    ],
  ])('%s', (_, old, now, expected) => {
    const hunks = diffLines([...old], [...now])?.map((hunk) => [
      hunk.oldStart,
      hunk.oldLines,
      hunk.newStart,
      hunk.newLines,
    ]);
    expect(hunks).toEqual(expected);
  });

  test('beyond the edits allowed there is no diff; just within them there is', () => {
    const shuffled = (lines: number) => Array.from({ length: lines }, (_, index) => String((index * 7) % lines));
    const sorted = (lines: number) => Array.from({ length: lines }, (_, index) => String(index));
    const { removed, added } = edited(sorted(50), shuffled(50)) as { removed: number; added: number };
    const edits = removed + added;
    expect(edits % 2).toBe(0);
    expect(edited(sorted(50), shuffled(50), { ...DIFF_LIMITS, edits })).toEqual({ removed, added });
    expect(edited(sorted(50), shuffled(50), { ...DIFF_LIMITS, edits: edits - 2 })).toBeUndefined();
    expect(edited(sorted(50), shuffled(50), { ...DIFF_LIMITS, steps: 100 })).toBeUndefined();
  });

  test('a text rewritten throughout needs no search', () => {
    const lines = (word: string) => Array.from({ length: 20_000 }, (_, index) => `${word} ${index}`);
    expect(edited(lines('old'), lines('new'), { edits: 0, steps: 10 })).toEqual({ removed: 20_000, added: 20_000 });
  });

  const noise = (seed: number, length: number) => {
    let state = seed;
    return Array.from({ length }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return String((state >>> 16) % 50);
    });
  };

  test('the search looks at no more lines than its steps allow', () => {
    const lines = (seed: number) => countReads(Int32Array.from(noise(seed, 20_000), Number));
    for (const steps of [20_000, 100_000]) {
      const [old, now] = [lines(1), lines(2)];
      expect(markShortestEdit(old.values, now.values, { ...DIFF_LIMITS, steps })).toBeUndefined();
      // Every step reads one line of each; a round of edits that has begun is not cut off.
      expect(old.reads()).toBeGreaterThan(steps / 2);
      expect(old.reads() + now.reads()).toBeLessThan(2 * steps + 4 * DIFF_LIMITS.edits);
    }
  });

  test('the worst that can be asked for is given up', () => {
    const [old, now] = [noise(1, 20_000), noise(2, 20_000)];
    expect(diffLines(old, now)).toBeUndefined();
    expect(diffLines(old, old)).toEqual([]);
  });
});

describe('texts', () => {
  test.each([
    ['', []],
    ['a', ['a']],
    ['a\n', ['a']],
    ['a\n\n', ['a', '']],
    ['\na', ['', 'a']],
    ['a\r\nb\r\n', ['a', 'b']],
    ['a\rb', ['a\rb']],
  ])('the lines of %j', (text, lines) => expect(splitLines(text)).toEqual(lines));

  test('line ends move no line', () => {
    const diff = { name: 'a.ts', previousName: undefined, kind: 'modified', complete: true };
    expect(diffTexts('a.ts', { old: 'a\nb\n', new: 'a\r\nb' })).toEqual({ ...diff, hunks: [] });
    expect(diffTexts('a.ts', { old: 'a\nb\n', new: 'x\r\na\r\nb' })).toEqual({
      ...diff,
      hunks: [{ oldStart: 1, oldLines: 0, newStart: 1, newLines: 1 }],
    });
  });
});
