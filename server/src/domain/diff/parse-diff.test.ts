import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FileDiff } from './file-diff.ts';
import { parseDiff, parseFilePatch } from './parse-patch.ts';

const MODIFIED: FileDiff = { name: 'a.ts', previousName: undefined, kind: 'modified', hunks: [], complete: true };

/** `[oldStart, oldLines, newStart, newLines]` each. */
const hunks = (...all: readonly (readonly [number, number, number, number])[]): FileDiff['hunks'] =>
  all.map(([oldStart, oldLines, newStart, newLines]) => ({ oldStart, oldLines, newStart, newLines }));

describe('a whole git diff', () => {
  const file = (lines: readonly string[]): string => `${lines.join('\n')}\n`;
  const BODY = ['--- a/a.ts', '+++ b/a.ts', '@@ -1 +1 @@', '-a', '+A'];
  const INDEX = 'index 7898192..6178079 100644';

  test.each<[string, readonly string[], Partial<FileDiff>]>([
    ['modified', ['diff --git a/a.ts b/a.ts', INDEX, ...BODY], { hunks: hunks([1, 1, 1, 1]) }],
    [
      'new',
      [
        'diff --git a/a.ts b/a.ts',
        'new file mode 100644',
        'index 0000000..7898192',
        '--- /dev/null',
        '+++ b/a.ts',
        '@@ -0,0 +1 @@',
        '+a',
      ],
      { kind: 'added', hunks: hunks([1, 0, 1, 1]) },
    ],
    [
      'new and empty',
      ['diff --git a/a.ts b/a.ts', 'new file mode 100644', 'index 0000000..e69de29'],
      { kind: 'added' },
    ],
    [
      'deleted',
      [
        'diff --git a/a.ts b/a.ts',
        'deleted file mode 100644',
        INDEX,
        '--- a/a.ts',
        '+++ /dev/null',
        '@@ -1 +0,0 @@',
        '-a',
      ],
      { kind: 'removed', hunks: hunks([1, 1, 1, 0]) },
    ],
    [
      'renamed',
      ['diff --git a/b.ts b/a.ts', 'similarity index 100%', 'rename from b.ts', 'rename to a.ts'],
      { kind: 'renamed', previousName: 'b.ts' },
    ],
    [
      'renamed and changed',
      ['diff --git a/b.ts b/a.ts', 'similarity index 90%', 'rename from b.ts', 'rename to a.ts', INDEX, ...BODY],
      { kind: 'renamed', previousName: 'b.ts', hunks: hunks([1, 1, 1, 1]) },
    ],
    [
      'copied: all its lines are new here',
      ['diff --git a/b.ts b/a.ts', 'similarity index 90%', 'copy from b.ts', 'copy to a.ts', INDEX, ...BODY],
      { kind: 'added', complete: false },
    ],
    ['of another mode', ['diff --git a/a.ts b/a.ts', 'old mode 100644', 'new mode 100755'], {}],
    ['binary', ['diff --git a/a.ts b/a.ts', INDEX, 'Binary files a/a.ts and b/a.ts differ'], { complete: false }],
    [
      'binary, in full',
      ['diff --git a/a.ts b/a.ts', INDEX, 'GIT binary patch', 'delta 5', 'McmZ', '', 'delta 5', 'x'],
      { complete: false },
    ],
    [
      'rewritten',
      ['diff --git a/a.ts b/a.ts', 'dissimilarity index 99%', INDEX, ...BODY],
      { hunks: hunks([1, 1, 1, 1]) },
    ],
    ['without a prefix', ['diff --git a.ts a.ts', INDEX, ...BODY], { hunks: hunks([1, 1, 1, 1]) }],
    ['with mnemonic prefixes', ['diff --git i/a.ts w/a.ts', INDEX, ...BODY], { hunks: hunks([1, 1, 1, 1]) }],
    [
      'of a merge',
      ['diff --cc a.ts', 'index 1,2..3', '--- a/a.ts', '+++ b/a.ts', '@@@ -1,1 -1,1 +1,1 @@@', '- a', ' -b', '++c'],
      { complete: false },
    ],
    ['cut after its first line', ['diff --git a/a.ts b/a.ts'], { complete: false }],
    ['cut after its index', ['diff --git a/a.ts b/a.ts', INDEX], { complete: false }],
    ['cut after its names', ['diff --git a/a.ts b/a.ts', INDEX, '--- a/a.ts', '+++ b/a.ts'], { complete: false }],
    [
      'renamed, cut before what changed',
      ['diff --git a/b.ts b/a.ts', 'similarity index 90%', 'rename from b.ts', 'rename to a.ts'],
      { kind: 'renamed', previousName: 'b.ts', complete: false },
    ],
    ['cut within a hunk', ['diff --git a/a.ts b/a.ts', INDEX, ...BODY.slice(0, -1)], { complete: false }],
    [
      'with a heading nobody knows',
      ['diff --git a/a.ts b/a.ts', 'shade of green', INDEX, ...BODY],
      { complete: false },
    ],
  ])('a file that is %s', (_, lines, expected) => {
    expect(parseDiff(file(lines))).toEqual({ files: [{ ...MODIFIED, ...expected }], complete: true });
    // Carriage returns that some channel put in change nothing.
    expect(parseDiff(file(lines).replaceAll('\n', '\r\n'))).toEqual(parseDiff(file(lines)));
  });

  test.each<[string, string, string]>([
    ['a blank', 'diff --git a/my file.ts b/my file.ts', 'my file.ts'],
    ['a second " b/"', 'diff --git a/x b/y b/x b/y', 'x b/y'],
    ['a folder named like a prefix', 'diff --git a/a/x b/a/x', 'a/x'],
    ['octal escapes', '"a/\\303\\251.ts"', 'é.ts'],
    ['escapes of C', '"a/q\\"\\\\\\t\\n.ts"', 'q"\\\t\n.ts'],
    ['raw letters beside escapes', '"a/é\\t.ts"', 'é\t.ts'],
    ['bytes that are no UTF-8', '"a/\\377.ts"', '\uFFFD.ts'],
    ['a byte order mark', '"a/\\357\\273\\277\\t"', '\uFEFF\t'],
  ])('a name with %s', (_, shown, name) => {
    const line = shown.startsWith('"') ? `diff --git ${shown} ${shown.replace('"a/', '"b/')}` : shown;
    expect(parseDiff(`${line}\nold mode 100644\nnew mode 100755\n`)).toEqual({
      files: [{ ...MODIFIED, name }],
      complete: true,
    });
  });

  test('quoted names of a rename', () => {
    const text = 'diff --git "a/\\303\\251" b/e\nsimilarity index 100%\nrename from "\\303\\251"\nrename to e\n';
    expect(parseDiff(text).files).toEqual([{ ...MODIFIED, kind: 'renamed', name: 'e', previousName: 'é' }]);
    const marked = 'diff --git a/e b/f\nsimilarity index 100%\nrename from "\\357\\273\\277\\t"\nrename to f\n';
    expect(parseDiff(marked).files).toMatchObject([{ name: 'f', previousName: '\uFEFF\t' }]);
  });

  test('several files, one of them garbled, which hides none of the others', () => {
    const whole = file(['diff --git a/a.ts b/a.ts', INDEX, ...BODY]);
    const garbled = file(['diff --git a/b.ts b/b.ts', INDEX, '@@ -1,9 +1,9 @@', ' x', '!']);
    const { files, complete } = parseDiff(whole + garbled + whole.replaceAll('a.ts', 'c.ts'));
    expect(files.map(({ name, complete: known }) => [name, known])).toEqual([
      ['a.ts', true],
      ['b.ts', false],
      ['c.ts', true],
    ]);
    expect(complete).toBe(true);
  });

  test.each<[string, string, number]>([
    ['a name that cannot be told', 'diff --git a/x b/y\nold mode 100644\nnew mode 100755\n', 0],
    ['a broken quote', 'diff --git "a/\\9" "b/\\9"\nold mode 100644\n', 0],
    ['a quote without an end', 'diff --git "a/x "b/x\nold mode 100644\n', 0],
    ['an empty name', 'diff --git a/ b/\nold mode 100644\n', 0],
    ['a rename to nowhere', 'diff --git a/x b/y\nrename from x\nrename to \n', 0],
    ['a rename from nowhere', 'diff --git a/x b/y\nrename from "\nrename to y\n', 0],
    ['an unmerged file', `* Unmerged path b.ts\n${file(['diff --git a/a.ts b/a.ts', INDEX, ...BODY])}`, 1],
    ['hunks without a name', '@@ -1 +1 @@\n-a\n+A\n', 0],
    ['an error page', '<html>429</html>', 0],
  ])('the list lacks something: %s', (_, text, known) => {
    const { files, complete } = parseDiff(text);
    expect([files.length, complete]).toEqual([known, false]);
  });

  test('nothing changed', () => {
    expect(parseDiff('')).toEqual({ files: [], complete: true });
    expect(parseDiff('\n\r\n')).toEqual({ files: [], complete: true });
  });

  test('garbage never throws, and what is known of it has ordered hunks', () => {
    const scraps = fc.constantFrom(
      'diff --git a/a b/a',
      'diff --git "a/\\',
      'diff --cc ',
      'index 1..2',
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
      'rename from a',
      'rename to ',
      'copy from x',
      '--- a/a',
      '+++ ',
      '\r',
      '\0',
      '\uD800',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(scraps, fc.string({ unit: 'binary' })), { maxLength: 40 }), (lines) => {
        const text = lines.join('\n');
        for (const { hunks: all, complete } of [
          ...parseDiff(text).files,
          parseFilePatch({ ...MODIFIED, patch: text }),
        ]) {
          if (!complete) expect(all).toEqual([]);
          let [old, now] = [1, 1];
          for (const hunk of all) {
            expect(hunk.oldStart - old).toBe(hunk.newStart - now);
            expect(hunk.oldStart >= old && hunk.oldLines + hunk.newLines > 0).toBe(true);
            [old, now] = [hunk.oldStart + hunk.oldLines + 1, hunk.newStart + hunk.newLines + 1];
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  test('a cut anywhere gives no wrong number: a prefix of the hunks, or none', () => {
    const text = file([
      'diff --git a/a.ts b/a.ts',
      INDEX,
      '--- a/a.ts',
      '+++ b/a.ts',
      '@@ -1,3 +1,4 @@',
      ' a',
      '-b',
      '+B',
      '+C',
      ' d',
      '@@ -10,2 +11,2 @@',
      ' e',
      '-f',
      '+F',
    ]);
    const all = hunks([2, 1, 2, 2], [11, 1, 12, 1]);
    expect(parseDiff(text).files[0]?.hunks).toEqual(all);
    for (let end = 0; end < text.length; end += 1) {
      for (const { hunks: some, complete } of parseDiff(text.slice(0, end)).files) {
        if (complete) expect([all, all.slice(0, 1)]).toContainEqual(some);
        else expect(some).toEqual([]);
      }
    }
  });

  test('large texts', () => {
    const many = file([
      'diff --git a/a.ts b/a.ts',
      INDEX,
      '@@ -1,200000 +1,200000 @@',
      ...Array.from({ length: 200_000 }, () => '-x\n+y'),
    ]);
    const names = `diff --git "a/${'\\303'.repeat(200_000)}\n`.repeat(5);
    expect(parseDiff(many).files[0]?.hunks).toEqual(hunks([1, 200_000, 1, 200_000]));
    expect(parseDiff(names).complete).toBe(false);
    expect(parseDiff(names).files).toEqual([]);
  });
});
