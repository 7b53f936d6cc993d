import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyText } from '../../../../test/support/any-text.ts';
import { aDiff, edits, followEdits } from '../../../../test/support/diffs.ts';
import { numRuns } from '../../../../test/support/property-runs.ts';
import type { FileDiff } from './file-diff.ts';
import { type ListedFile, parseFilePatch } from './parse-patch.ts';

const listed = (patch: string | undefined, stated: Partial<ListedFile> = {}): FileDiff =>
  parseFilePatch({ name: 'a.ts', previousName: undefined, kind: 'modified', patch, ...stated });

const MODIFIED: FileDiff = { name: 'a.ts', previousName: undefined, kind: 'modified', hunks: [], complete: true };
const UNKNOWN: FileDiff = { ...MODIFIED, complete: false };

/** `[oldStart, oldLines, newStart, newLines]` each. */
const hunks = (...all: readonly (readonly [number, number, number, number])[]): FileDiff['hunks'] =>
  all.map(([oldStart, oldLines, newStart, newLines]) => ({ oldStart, oldLines, newStart, newLines }));

describe('a patch of one file, as an API gives it', () => {
  test.each<[string, string, FileDiff['hunks']]>([
    ['one line replaced', '@@ -1,3 +1,3 @@ function f() {\n a\n-b\n+B\n c', hunks([2, 1, 2, 1])],
    ['counts of 1 left out', '@@ -1 +1 @@\n-a\n+A', hunks([1, 1, 1, 1])],
    ['two runs in one hunk', '@@ -1,3 +1,3 @@\n-a\n b\n+x\n c', hunks([1, 1, 1, 0], [3, 0, 2, 1])],
    ['two hunks', '@@ -2,2 +2,3 @@\n a\n+x\n b\n@@ -10,2 +11,1 @@\n c\n-d\n', hunks([3, 0, 3, 1], [11, 1, 12, 0])],
    ['put in after line 5, without context', '@@ -5,0 +6,2 @@\n+x\n+y', hunks([6, 0, 6, 2])],
    ['taken out after line 5, without context', '@@ -6,2 +5,0 @@\n-x\n-y', hunks([6, 2, 6, 0])],
    [
      'no newline at the end',
      '@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n\\ No newline at end of file',
      hunks([2, 1, 2, 1]),
    ],
    ['lines that look like headers', '@@ -1,3 +1,3 @@\n--- a/x\n+++ b/x\n @@ -1 +1 @@\n c', hunks([1, 1, 1, 1])],
    ['carriage returns', '@@ -1,2 +1,2 @@\r\n a\r\n-b\r\n+B\r\n', hunks([2, 1, 2, 1])],
    ['an unchanged empty line that lost its blank', '@@ -1,3 +1,3 @@\n a\n\n-b\n+B', hunks([3, 1, 3, 1])],
    ['an old Mac’s line ends and Unicode ones are none', '@@ -1,2 +1,2 @@\n a\rb\u2028c\n-d\n+D', hunks([2, 1, 2, 1])],
  ])('%s', (_, patch, expected) => {
    expect(listed(patch)).toEqual({ ...MODIFIED, hunks: expected });
  });

  test.each<[string, string]>([
    ['nothing', ''],
    ['prose', 'Sorry, this diff is too large to show.'],
    ['a hunk that was cut', '@@ -1,3 +1,3 @@\n a\n-b'],
    ['more lines than stated', '@@ -1,1 +1,1 @@\n-a\n+A\n+B'],
    ['more old lines than stated', '@@ -1,1 +1,3 @@\n-a\n-b\n+B\n+C\n+D'],
    ['hunks that overlap', '@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n@@ -2,2 +2,2 @@\n-b\n+B\n c'],
    ['hunks in the wrong order', '@@ -9,1 +9,1 @@\n-b\n+B\n@@ -1,1 +1,1 @@\n-a\n+A'],
    ['unequal numbers of unchanged lines between hunks', '@@ -1,1 +1,1 @@\n-a\n+A\n@@ -9,1 +10,1 @@\n-b\n+B'],
    ['unequal numbers of lines before the first', '@@ -3,1 +4,1 @@\n-a\n+A'],
    ['line 0', '@@ -0,1 +0,1 @@\n-a\n+A'],
    ['a line beyond the last that a file may have', '@@ -16777217,1 +16777217,1 @@\n-a\n+A'],
    ['absurd numbers', '@@ -9999999999,1 +9999999999,1 @@\n-a\n+A'],
    ['numbers beyond absurd', '@@ -99999999999999999999,1 +99999999999999999999,1 @@\n-a\n+A'],
    ['a line of another sign', '@@ -1,2 +1,2 @@\n a\n*b\n'],
    ['a merge’s hunk', '@@@ -1,1 -1,1 +1,1 @@@\n--a\n++A'],
    ['text after the hunks', '@@ -1,1 +1,1 @@\n-a\n+A\n...'],
  ])('is not known: %s', (_, patch) => {
    expect(listed(patch)).toEqual(UNKNOWN);
  });

  test('counts that the provider states show what was cut away between hunks', () => {
    const patch = '@@ -1,1 +1,2 @@\n-a\n+A\n+B';
    expect(listed(patch, { additions: 2, deletions: 1 })).toMatchObject({ complete: true });
    expect(listed(patch, { additions: 3, deletions: 1 })).toEqual(UNKNOWN);
    expect(listed(patch, { additions: 2, deletions: 2 })).toEqual(UNKNOWN);
  });

  test('without a patch only a rename that changes no line is known', () => {
    const renamed = { kind: 'renamed', previousName: 'b.ts' } as const;
    expect(listed(undefined, { ...renamed, additions: 0, deletions: 0 })).toEqual({ ...MODIFIED, ...renamed });
    expect(listed(undefined, { ...renamed, additions: 3000, deletions: 0 })).toMatchObject({ complete: false });
    expect(listed(undefined, renamed)).toMatchObject({ complete: false, kind: 'renamed', previousName: 'b.ts' });
    expect(listed('@@ -1 +1 @@\n-a\n+A', { kind: 'renamed' })).toMatchObject({ complete: false });
    expect(listed(undefined, { additions: 0, deletions: 0 })).toEqual(UNKNOWN);
    expect(listed(undefined, { kind: 'added', additions: 9, deletions: 0 })).toMatchObject({
      kind: 'added',
      complete: false,
    });
  });

  test('hunks of an added or removed file have one side', () => {
    const replaced = '@@ -1 +1 @@\n-a\n+A';
    expect(listed('@@ -0,0 +1,2 @@\n+a\n+b', { kind: 'added' }).hunks).toEqual(hunks([1, 0, 1, 2]));
    expect(listed('@@ -1,2 +0,0 @@\n-a\n-b', { kind: 'removed' }).hunks).toEqual(hunks([1, 2, 1, 0]));
    expect(listed(replaced, { kind: 'added' })).toMatchObject({ complete: false, hunks: [] });
    expect(listed(replaced, { kind: 'removed' })).toMatchObject({ complete: false, hunks: [] });
  });

  test('a previous name is that of a renamed file', () => {
    expect(listed('@@ -1 +1 @@\n-a\n+A', { previousName: 'b.ts' }).previousName).toBeUndefined();
  });

  test('any edits, printed as one hunk', () => {
    const signs = { keep: ' ', remove: '-', add: '+' };
    fc.assert(
      fc.property(edits, fc.constantFrom('x', '', '-- a', '++ b', '@ -1 +1 @@', '\\'), (all, text) => {
        const { map, added } = followEdits(all);
        fc.pre(map.length > 0 && added.length > 0 && all.some((edit) => edit !== 'keep'));
        const patch = [`@@ -1,${map.length} +1,${added.length} @@`, ...all.map((edit) => signs[edit] + text)].join(
          '\n',
        );
        expect(listed(patch)).toEqual(aDiff('a.ts', all));
      }),
    );
  });

  test('garbage never throws, and what is known of it has ordered hunks', () => {
    const scraps = fc.constantFrom(
      'diff --git a/a b/a',
      '@@ -1 +1 @@',
      '@@ -0,0 +1,2 @@',
      '@@ -3,2 +1 @@ x',
      '-',
      '+',
      ' ',
      '',
      '\\',
      '-a',
      '+b',
      ' c',
      '--- a/a',
      '+++ ',
      '\r',
      '\0',
      '\uD800',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(scraps, anyText()), { maxLength: 40 }), (lines) => {
        const { hunks: all, complete } = listed(lines.join('\n'));
        if (!complete) expect(all).toEqual([]);
        let [old, now] = [1, 1];
        for (const hunk of all) {
          expect(hunk.oldStart - old).toBe(hunk.newStart - now);
          expect(hunk.oldStart >= old && hunk.oldLines + hunk.newLines > 0).toBe(true);
          [old, now] = [hunk.oldStart + hunk.oldLines + 1, hunk.newStart + hunk.newLines + 1];
        }
      }),
      { numRuns: numRuns(500) },
    );
  });

  test('a cut anywhere gives no wrong number: a prefix of the hunks, or none', () => {
    const patch = '@@ -1,3 +1,4 @@\n a\n-b\n+B\n+C\n d\n@@ -10,2 +11,2 @@\n e\n-f\n+F';
    const all = hunks([2, 1, 2, 2], [11, 1, 12, 1]);
    expect(listed(patch).hunks).toEqual(all);
    for (let end = 0; end < patch.length; end += 1) {
      const { hunks: some, complete } = listed(patch.slice(0, end));
      if (complete) expect([all, all.slice(0, 1)]).toContainEqual(some);
      else expect(some).toEqual([]);
    }
  });

  test('a patch of hundreds of thousands of lines', () => {
    const lines = Array.from({ length: 200_000 }, () => '-x\n+y');
    expect(listed(['@@ -1,200000 +1,200000 @@', ...lines].join('\n')).hunks).toEqual(hunks([1, 200_000, 1, 200_000]));
  });
});
