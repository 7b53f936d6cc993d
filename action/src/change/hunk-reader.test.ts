import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HunkReader } from './hunk-reader.ts';

const blobs = (digit: string): string => `${digit.repeat(40)}..${'f'.repeat(40)}`;
const TEXT = [
  'diff --git "a/x\\ny" "b/x\\ny"',
  `index ${blobs('1')} 100644`,
  '--- "a/x\\ny"',
  '+++ "b/x\\ny"',
  '@@ -1 +1,2 @@ index 0000..1111',
  `-index ${blobs('9')}`,
  '\\ No newline at end of file',
  '+@@ -7 +7 @@',
  '+-- no header',
  '\\ No newline at end of file',
  '@@ -9,0 +11 @@ void f()',
  `+${'long '.repeat(200)}`,
  'diff --git a/logo.png b/logo.png',
  `index ${blobs('2')} 100644`,
  'Binary files a/logo.png and b/logo.png differ',
  'diff --git a/empty b/empty',
  'new file mode 100644',
  `index ${blobs('3')}`,
  'diff --git a/gone b/gone',
  'deleted file mode 100644',
  `index ${blobs('4')}`,
  '--- a/gone',
  '+++ /dev/null',
  '@@ -1,2 +0,0 @@',
  '-+++ b/x',
  '-',
  '',
].join('\n');
const EXPECTED = {
  [blobs('1')]: [
    [1, 1, 1, 2],
    [10, 0, 11, 1],
  ],
  [blobs('2')]: null,
  [blobs('3')]: [],
  [blobs('4')]: [[1, 2, 1, 0]],
};

test('line numbers alone, however the text arrives in pieces', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1 }), (sizes) => {
      const reader = new HunkReader(100);
      const bytes = Buffer.from(TEXT);
      for (let at = 0, piece = 0; at < bytes.length; piece += 1) {
        const size = sizes[piece % sizes.length] as number;
        expect(reader.read(bytes.subarray(at, at + size))).toBe(true);
        at += size;
      }
      expect(Object.fromEntries(reader.finish(true))).toEqual(EXPECTED);
    }),
  );
});

test('beyond its limit it asks for no more, and the file at which it stopped is not told', () => {
  const reader = new HunkReader(2);
  expect(reader.read(Buffer.from(TEXT))).toBe(false);
  const found = reader.finish(false);
  expect([...found.keys()]).toEqual([blobs('1'), blobs('2'), blobs('3')]);
});

test.each(['first', 'last'])('a file that git calls binary, its equal not, has the lines of that: %s', (place) => {
  const [text, binary] = [
    `index ${blobs('1')} 100644\n@@ -1 +1 @@\n-a\n+b\n`,
    `index ${blobs('1')} 100644\nBinary files a/x and b/x differ\n`,
  ];
  const reader = new HunkReader(9);
  reader.read(Buffer.from(place === 'first' ? binary + text : text + binary));
  expect([...reader.finish(true)]).toEqual([[blobs('1'), [[1, 1, 1, 1]]]]);
});

test('what was read of a file to its end stays, though another of the same text is cut off', () => {
  const file = `index ${blobs('1')} 100644\n@@ -1 +1 @@\n-a\n+b\n@@ -3 +3 @@\n-a\n+b\n`;
  const reader = new HunkReader(3);
  expect(reader.read(Buffer.from(file + file))).toBe(false);
  expect([...reader.finish(false).values()]).toEqual([
    [
      [1, 1, 1, 1],
      [3, 1, 3, 1],
    ],
  ]);
});
