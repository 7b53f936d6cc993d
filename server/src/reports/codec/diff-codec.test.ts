import { zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Diff } from '../../core/diff/file-diff.ts';
import { decodeDiff, encodeDiff } from './diff-codec.ts';

const DIFF: Diff = {
  complete: false,
  files: [
    {
      name: 'ä b.ts',
      previousName: 'old.ts',
      kind: 'renamed',
      hunks: [{ oldStart: 2, oldLines: 0, newStart: 2, newLines: 3 }],
      complete: true,
    },
    { name: 'logo.png', previousName: undefined, kind: 'modified', hunks: [], complete: false },
    { name: 'mode.sh', previousName: undefined, kind: 'modified', hunks: [], complete: true },
  ],
};

test('a diff comes back as it was, and equal ones have equal digests that no source text has', () => {
  const { digest, bytes } = encodeDiff(DIFF);
  expect(decodeDiff(bytes)).toEqual(DIFF);
  expect(encodeDiff(structuredClone(DIFF)).digest).toBe(digest);
  expect(encodeDiff({ ...DIFF, complete: true }).digest).not.toBe(digest);
  expect(digest).toMatch(/^diff-[0-9a-f]{64}$/);
});

test.each([
  ['no zstd', Buffer.from('x')],
  ['no JSON', zstdCompressSync(Buffer.from('x'))],
  ['other JSON', zstdCompressSync(Buffer.from('{}'))],
  ['something that unpacks without end', zstdCompressSync(Buffer.alloc(2 ** 26, ' '))],
])('%s is none', (_, bytes) => expect(decodeDiff(bytes)).toBeUndefined());
