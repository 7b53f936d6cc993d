import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reportInMemory } from '../../../test/support/report-in-memory.ts';
import { recognize } from './formats.ts';
import { lineAt, readHead, scanBlocks, withReportFile } from './report-bytes.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'report-bytes-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Reads a report line by line; every piece has to come once, whole. */
function lines(content: string, chunkBytes: number): string[] {
  const read: string[] = [];
  scanBlocks(
    reportInMemory('r', content),
    ({ bytes, end }) => {
      const stop = bytes.subarray(0, end).lastIndexOf(10) + 1;
      const text = Buffer.from(bytes.subarray(0, stop)).toString();
      if (text !== '') read.push(...text.slice(0, -1).split('\n'));
      return stop;
    },
    chunkBytes,
  );
  return read;
}

test.each([1, 2, 3, 7, 100])('pieces longer than a block of %i bytes come whole', (chunkBytes) => {
  expect(lines('a\nlonger line\n\nthe last one without newline', chunkBytes)).toEqual([
    'a',
    'longer line',
    '',
    'the last one without newline',
  ]);
});

test('an empty report is one empty last block', () => {
  const blocks: [number, boolean][] = [];
  scanBlocks(reportInMemory('r', ''), ({ end, last }) => {
    blocks.push([end, last]);
    return end;
  });
  expect(blocks).toEqual([[0, true]]);
});

test('a file reads like memory, and its head loses the byte order mark', () => {
  const path = join(folder, 'x');
  writeFileSync(path, '\ufeffTN:ä\n');
  expect(withReportFile({ absolute: path, path: 'x' }, readHead)).toBe('TN:Ã¤\n');
  expect(withReportFile({ absolute: path, path: 'x' }, ({ size }) => size)).toBe(9);
});

test('the line of a byte', () => {
  const report = reportInMemory('r', 'ab\ncd\n\nef');
  expect([0, 1, 2, 3, 6, 7, 8, 99].map((position) => lineAt(report, position))).toEqual([1, 1, 1, 2, 3, 4, 4, 4]);
});

test.each(['SF:a.c\nDA:1,1\nend_of_record\n', '{"a.c":{"statementMap":{"0":{"start":{"line":1}}},"s":{"0":1}}}'])(
  'a byte order mark is passed over, however little a file gives at once: %s',
  (text) => {
    const whole = reportInMemory('r', `\ufeff${text}`);
    const slow = {
      ...whole,
      read: (target: Uint8Array, offset: number, length: number, position: number) =>
        whole.read(target, offset, Math.min(length, 2), position),
    };
    for (const report of [whole, slow]) {
      const { format } = recognize(readHead(report));
      expect(format?.parse(report).files.map((file) => [file.name, file.coverage()])).toEqual([['a.c', [1]]]);
    }
  },
);
