import { zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { countReads } from '../../../../test/support/count-reads.ts';
import { aFile, aReport } from '../../../../test/support/records.ts';
import { NO_BRANCHES } from '../../core/coverage/file-coverage.ts';
import { encodeReport } from '../codec/encode-report.ts';
import { listFilePage, readOneFile, readSomeFiles, readSourceLines } from './read-stored.ts';

const file = (name: string, ...hits: number[]) => ({
  name,
  digest: undefined,
  source: undefined,
  hits: Int32Array.from(hits),
  branches: NO_BRANCHES,
});
const report = encodeReport({ files: [file('a.ts', 1, 0, -1), file('b.ts'), file('c.ts', 3)] });

describe('files', () => {
  test.each([
    [0, 2, 'a.ts b.ts'],
    [2, 2, 'c.ts'],
    [3, 2, ''],
    [2 ** 40, 2, ''],
  ])('from %i on, at most %i', (offset, limit, names) => {
    const page = listFilePage({ report, offset, limit });
    expect([page.total, page.files.map(({ name }) => name).join(' ')]).toEqual([3, names]);
  });

  test('have their counts, and one has its hits', () => {
    const totals = { coveredLines: 1, relevantLines: 2, coveredBranches: 0, branches: 0 };
    expect(listFilePage({ report, offset: 0, limit: 1 }).files).toEqual([{ name: 'a.ts', lines: 3, totals }]);
    expect(readOneFile({ report, name: 'a.ts', offset: 0, limit: 9 })?.hits).toEqual(Int32Array.of(1, 0, -1));
    const places = { places: [{ kind: 'missed', first: 2, last: 2 }], placeCount: 1 };
    const part = { name: 'a.ts', source: undefined, lines: 3, totals, hits: Int32Array.of(0), ...places };
    expect(readOneFile({ report, name: 'a.ts', offset: 1, limit: 1 })).toMatchObject(part);
    expect(readOneFile({ report, name: 'd.ts', offset: 0, limit: 9 })).toBeUndefined();
  });
});

test('several files of a report are found in it by opening it once', () => {
  const readsFor = (...names: readonly string[]): number => {
    const { values, reads } = countReads(report);
    const parts = readSomeFiles({ report: values, files: names.map((name) => ({ name, offset: 0, limit: 9 })) });
    expect(parts.map((part) => part?.name)).toEqual(names);
    return reads();
  };
  expect(readsFor('a.ts', 'b.ts', 'c.ts')).toBe(readsFor('a.ts'));
});

test('a file has the branches of the lines that were asked for, and those of a line 0 with the first', () => {
  const hits = [1, 1, 1, 1];
  const branches = [0, 0, 0, 9, 1, 0, 0, 1, 2, 0, 0, 0, 2, 0, 1, 5, 4, 0, 0, 1];
  const stored = encodeReport(aReport(aFile('a.ts', hits, { branches })));
  const read = (offset: number, limit: number) =>
    readOneFile({ report: stored, name: 'a.ts', offset, limit })?.branches;
  expect(read(1, 2)).toEqual(aFile('a.ts', hits, { branches: [2, 0, 0, 0, 2, 0, 1, 5] }).branches);
  expect(read(2, 1)).toEqual(NO_BRANCHES);
  expect(read(0, 9)?.line).toEqual(Int32Array.of(0, 1, 2, 2, 4));
});

describe('lines of a source', () => {
  const read = (text: string, offset = 0, limit = 10) =>
    readSourceLines({ source: zstdCompressSync(Buffer.from(text)), offset, limit });

  test.each([
    ['nothing', '', []],
    ['no line break', 'a', ['a']],
    ['a last line break', 'a\n', ['a']],
    ['empty lines', '\n\na\n\n', ['', '', 'a', '']],
    ['Windows line ends', 'a\r\nb\r\n', ['a', 'b']],
    ['other scripts', 'é日\n😀', ['é日', '😀']],
  ])('%s', (_, text, lines) => {
    expect(read(text)).toEqual({ total: lines.length, lines });
  });

  test('are counted though only some are read', () => {
    expect(read('1\n2\n3\n4\n5', 1, 2)).toEqual({ total: 5, lines: ['2', '3'] });
    expect(read('1\n2', 9)).toEqual({ total: 2, lines: [] });
  });

  test('are cut where they are very long', () => {
    expect(read(`${'x'.repeat(50_000)}\ny`).lines).toEqual([`${'x'.repeat(1_999)}…`, 'y']);
  });

  test('are cut shorter where the page has much text already', () => {
    const lines = read(`${'x'.repeat(1_999)}\n`.repeat(2_000), 0, 2_000).lines.map(({ length }) => length);
    expect([lines[0], lines[200], lines[201], lines[1_999]]).toEqual([1_999, 1_999, 200, 200]);
  });

  test('that are damaged are our own fault', () => {
    expect(() => readSourceLines({ source: Buffer.from('no zstd'), offset: 0, limit: 1 })).toThrow(/damaged/);
  });
});
