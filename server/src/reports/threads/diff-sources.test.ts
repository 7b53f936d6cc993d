import { zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { MAX_DIFFED_TEXT } from '../report-engine.ts';
import { diffSources } from './diff-sources.ts';

const pack = (text: string): Uint8Array => zstdCompressSync(Buffer.from(text));
const diff = (from: Uint8Array, to: Uint8Array) => diffSources({ name: 'a.ts', from, to });

describe('what changed between two stored texts', () => {
  test('is found line by line', () => {
    expect(diff(pack('a\nb\nc\n'), pack('a\nx\ny\nc'))).toEqual({
      name: 'a.ts',
      previousName: undefined,
      kind: 'modified',
      hunks: [{ oldStart: 2, oldLines: 1, newStart: 2, newLines: 2 }],
      complete: true,
    });
  });

  test('is nothing where only line endings did', () => {
    expect(diff(pack('a\nb\n'), pack('a\r\nb\r\n'))?.hunks).toEqual([]);
  });

  test('is not looked for in a text that is very large, and damaged ones do no harm', () => {
    const large = pack('x'.repeat(MAX_DIFFED_TEXT + 1));
    expect(diff(pack('x'.repeat(MAX_DIFFED_TEXT)), pack('y'))).toBeDefined();
    expect(diff(large, pack('y'))).toBeUndefined();
    expect(diff(pack('y'), large)).toBeUndefined();
    expect(diff(pack('y'), Buffer.from('no zstd'))).toBeUndefined();
  });

  test('is given up where nearly every line differs', () => {
    const lines = (order: (a: number, b: number) => number): string =>
      Array.from({ length: 20_000 }, (_, index) => (index * 7_919) % 20_011)
        .sort(order)
        .join('\n');
    expect(diff(pack(lines((a, b) => a - b)), pack(lines((a, b) => b - a)))).toBeUndefined();
  });
});
