import { zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aDiff } from '../../../../test/support/diffs.ts';
import { aFile } from '../../../../test/support/records.ts';
import { encodeDiff } from '../codec/diff-codec.ts';
import { encodeReport } from '../codec/encode-report.ts';
import { createThreadPool, type ThreadPool } from './thread-pool.ts';

const open = () =>
  createThreadPool({ threads: 1, limits: { reportBytes: 2 ** 26, unusualBytes: 2 ** 26 }, maxQueue: 8 });
/** Has a thread, so that nothing is read on the main thread. */
const warm = open();
let cold: ThreadPool;
const opened: ThreadPool[] = [warm];

beforeAll(() => warm.listTexts({ report: encodeReport({ files: [] }) }));
afterAll(() => Promise.all(opened.map((pool) => pool.close())));

const choice = { folder: '', query: '', show: 'all', among: undefined, sort: 'path' } as const;
const ALL = { offset: 0, limit: 100 };
const names = Array.from({ length: 200 }, (_, at) => `src/${String(at).padStart(3, '0')}.ts`);
const report = encodeReport({ files: names.map((name, at) => aFile(name, [at % 2, -1, 1])) });
const long = encodeReport({ files: [aFile('long.ts', Array<number>(30_000).fill(1)), aFile('short.ts', [1])] });
const manyLines = encodeReport({ files: names.map((name) => aFile(name, Array<number>(1_001).fill(1))) });
const manyNames = encodeReport({ files: Array.from({ length: 3_001 }, (_, at) => aFile(`${10_000 + at}.ts`, [1])) });
const deep = 'a/'.repeat(2_040);
const longNames = encodeReport({
  files: Array.from({ length: 300 }, (_, at) => aFile(`${deep}${1_000 + at}.ts`, [1])),
});
const source = zstdCompressSync('one\ntwo\n');
const group = { name: 'All', asked: [], owners: undefined };
/** 200 hunks. */
const LONG = Array.from({ length: 200 }, () => ['keep', 'add'] as const).flat();
const files = (some: readonly string[]) => some.map((name) => ({ name, ...ALL }));

type Question = (pool: ThreadPool) => Promise<unknown>;
const small: Readonly<Record<string, Question>> = {
  browse: (pool) => pool.browse({ report, base: report, choice, ...ALL }),
  'one file': (pool) => pool.readFile({ report, name: 'src/007.ts', ...ALL }),
  'no such file': (pool) => pool.readFile({ report, name: 'src/none.ts', ...ALL }),
  'some files': (pool) => pool.readFiles({ report, files: files(['src/199.ts', 'none', 'src/000.ts']) }),
  'a short file of a report with a long one': (pool) => pool.readFile({ report: long, name: 'short.ts', ...ALL }),
  lines: (pool) => pool.readLines({ source, ...ALL }),
  'a diff': (pool) => pool.readDiff(encodeDiff({ files: [aDiff('a.ts', ['keep', 'add'])], complete: true }).bytes),
};
const large: Readonly<Record<string, Question>> = {
  'a long file': (pool) => pool.readFile({ report: long, name: 'long.ts', ...ALL }),
  'many files': (pool) => pool.readFiles({ report, files: files(names.slice(0, 21)) }),
  'a report of many lines': (pool) => pool.browse({ report: manyLines, base: undefined, choice, ...ALL }),
  'a base of many lines': (pool) => pool.browse({ report, base: manyLines, choice, ...ALL }),
  'a report of many files': (pool) => pool.readFile({ report: manyNames, name: '10000.ts', ...ALL }),
  'a report of long names': (pool) => pool.browse({ report: longNames, base: undefined, choice, ...ALL }),
  'a group': (pool) => pool.browse({ report, base: undefined, choice: { ...choice, group }, ...ALL }),
  'the files of others': (pool) => pool.browse({ report, base: undefined, within: [report], choice, ...ALL }),
  'a text that unpacks to much': (pool) => pool.readLines({ source: zstdCompressSync('x'.repeat(2 ** 19)), ...ALL }),
  'a diff that unpacks to much': (pool) =>
    pool.readDiff(encodeDiff({ files: names.map((name) => aDiff(name, LONG)), complete: true }).bytes),
  'damaged bytes': (pool) => pool.readFile({ report: report.slice(0, -1), name: 'src/000.ts', ...ALL }),
};

test.each(Object.entries(small))('%s is read without a thread, as a thread reads it', async (_, ask) => {
  cold = open();
  opened.push(cold);
  expect(await ask(cold)).toEqual(await ask(warm));
  expect((await cold.memory()).threads).toBe(0);
});

test.each(Object.entries(large))('%s is left to a thread', async (_, ask) => {
  cold = open();
  opened.push(cold);
  const answerOf = (pool: ThreadPool) => ask(pool).catch(String);
  expect(await answerOf(cold)).toEqual(await answerOf(warm));
  expect((await cold.memory()).threads).toBe(1);
});
