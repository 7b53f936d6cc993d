import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { FileHits } from '../formats/file-hits.ts';
import type { Log } from '../runner/log.ts';
import { type CollectOptions, collectFiles, type ReadReport, toSourceFile } from './source-files.ts';
import { createSourceReader } from './source-reader.ts';
import { TextEnds } from './text-ends.ts';

let root = '';
let lines: string[] = [];
const log: Log = { info: (line) => lines.push(line), warning: (line) => lines.push(`warning: ${line}`) };

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'source-files-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));
beforeEach(() => {
  lines = [];
});

function report(files: Record<string, number[]>): ReadReport {
  const hits = Object.entries(files).map(([name, counts]) => {
    const file = new FileHits(name);
    for (const [index, count] of counts.entries()) file.addLine(index + 1, count);
    file.addBranch(1, 0, 0, 1);
    return file;
  });
  return { path: 'lcov.info', absolute: `${root}/lcov.info`, files: hits, sources: [], warnings: [] };
}

type Options = Partial<Omit<CollectOptions, 'checkout'>>;
const collect = (reports: ReadReport[], files: string[], options: Options = {}) =>
  collectAll(reports, files, options).files;
const collectAll = (reports: ReadReport[], files: string[], options: Options = {}) =>
  collectFiles(
    reports,
    {
      checkout: { root, files: new Set(files), links: new Set<string>(), byGit: true },
      basePath: '',
      allowAmbiguous: false,
      ...options,
    },
    log,
  );

test('files of several reports are joined under one name, sorted', () => {
  const files = collect(
    [report({ 'b.c': [1], './a.c': [1, 0] }), report({ [`${root}/a.c`]: [2, 0, 3] })],
    ['a.c', 'b.c'],
  );
  expect(files.map((file) => [file.name, file.coverage(), file.branches()])).toEqual([
    ['a.c', [3, 0, 3], [1, 0, 0, 2]],
    ['b.c', [1], [1, 0, 0, 1]],
  ]);
});

test('a report of no files leaves nothing out', () => {
  expect(collectAll([report({})], ['a.c'])).toEqual({ files: [], leftOut: {} });
});

test('names are import paths only where the report says so', () => {
  writeFileSync(join(root, 'go.mod'), 'module money\n');
  const files = ['go.mod', 'a.js', 'money/a.js'];
  expect(collect([report({ 'money/a.js': [1] })], files).map(({ name }) => name)).toEqual(['money/a.js']);
  const ofGo = { ...report({ 'money/a.js': [1] }), importPaths: true };
  expect(collect([ofGo], files).map(({ name }) => name)).toEqual(['a.js']);
});

test("a lone foreign file is the checkout's by no last part where the report says its folder (gcov's JSON)", () => {
  const files = ['main.c', 'src/calc.c'];
  const placed = (name: string) => ({ ...report({ [name]: [1] }), isPlaced: true });
  const namesOf = (name: string) => collectAll([placed(name), report({ 'src/calc.c': [1] })], files);
  expect(namesOf('/opt/otherlib/main.c')).toMatchObject({ files: [{ name: 'src/calc.c' }], leftOut: { files: 1 } });
  expect(namesOf('/opt/otherlib/calc.c')).toMatchObject({ files: [{ name: 'src/calc.c' }], leftOut: { files: 1 } });
  const found = ['/app/main.c', '/srv/any/src/calc.c'].map((name) => collect([placed(name)], files)[0]?.name);
  expect(found).toEqual(['main.c', 'src/calc.c']);
  expect(collect([report({ '/opt/otherlib/main.c': [1] })], files)[0]?.name).toBe('main.c');
});

test('what is outside of the checkout is left out, one line for each folder', () => {
  const names = { 'a.c': [1], '/usr/include/x.h': [1], '/usr/include/y.h': [1], 'build/gen.c': [1] };
  expect(collect([report(names), report(names)], ['a.c']).map((file) => file.name)).toEqual(['a.c']);
  expect(lines).toEqual([
    'warning: Left out, because not in the checkout: 3 files, in /usr/include, build',
    '  /usr/include (2 files)',
    '  build (1 file)',
  ]);
});

test('the folders with the most files come first, then as the alphabet has them; a hundred are listed', () => {
  const inFolders = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`/opt/${100 + at}/x.h`, [1]] as const));
  const many = { '/srv/b/y.h': [1], '/srv/b/x.h': [1], '/srv/a/x.h': [1], '/srv/a/y.h': [1] };
  const shown = ['/srv/a', '/srv/b', '/opt/100', '/opt/101', '/opt/102'];
  const { leftOut } = collectAll([report({ 'a.c': [1], ...inFolders(98), ...many })], ['a.c']);
  expect(leftOut).toEqual({ files: 102, folders: shown });
  expect([lines.length, lines.at(-1)]).toEqual([101, '  /opt/197 (1 file)']);
  collect([report({ 'a.c': [1], ...inFolders(100), ...many })], ['a.c']);
  expect(lines.at(-1)).toBe('  and 2 more folders');
});

test('nothing in the checkout is an error that says where it was looked', () => {
  expect(() => collect([report({ 'x/a.c': [1] })], ['b.c'])).toThrow(
    `The reports name 1 file (x/a.c), none of them in the checkout: git lists 1 file in ${root}. Run ` +
      'actions/checkout before this step',
  );
  const three = { 'x/a.c': [1], 'x/b.c': [1], 'x/c.c': [1] };
  expect(() => collect([report(three)], ['d.c'])).toThrow('3 files (x/a.c, x/b.c, x/c.c), none');
  expect(() => collect([report({ ...three, 'x/e.c': [1] })], ['d.c'])).toThrow('(x/a.c, x/b.c, x/c.c, …), none');
});

test('names that fit several files are a failure, or allowed a warning, not thousands', () => {
  const names = Object.fromEntries(Array.from({ length: 14 }, (_, index) => [`/app/s/${index}/i.js`, [1]]));
  const files = Array.from({ length: 14 }, (_, index) => [`p/${index}/i.js`, `q/${index}/i.js`]).flat();
  expect(() => collect([report({ ...names, 'q/1/i.js': [1] })], files)).toThrow(
    '/app/s/0/i.js may be any of p/0/i.js, q/0/i.js, and several files fit 13 more names too. Left out, they would ' +
      'make the total wrong: give the folder that names begin in as "base-path", or set "allow-ambiguous"',
  );
  lines = [];
  const rest = collectAll([report({ ...names, 'q/1/i.js': [1] })], files, { allowAmbiguous: true });
  expect(rest.files.map(({ name }) => name)).toEqual(['q/1/i.js']);
  expect(rest.leftOut).toEqual({ ambiguous: 14 });
  expect(lines.filter((line) => line.startsWith('warning'))).toHaveLength(11);
  expect(lines[10]).toBe('warning: Several files match 4 more names too.');
  const ten = Object.fromEntries(Object.entries(names).slice(0, 10));
  lines = [];
  collect([report({ ...ten, 'q/1/i.js': [1] })], files, { allowAmbiguous: true });
  expect(lines).toHaveLength(10);
  expect(lines[0]).toContain('may be any of p/0/i.js, q/0/i.js. It is left out');
  expect(lines.join()).not.toContain('not in the checkout');
});

test('two packages that both name src/calc.js stay two files, whatever base-path says', () => {
  const of = (name: string): ReadReport => ({
    ...report({ 'src/calc.js': [1] }),
    absolute: `${root}/packages/${name}/coverage/lcov.info`,
  });
  const files = collect([of('a'), of('b')], ['packages/a/src/calc.js', 'packages/b/src/calc.js'], {
    basePath: 'packages/a',
  });
  expect(files.map((file) => [file.name, file.coverage()])).toEqual([
    ['packages/a/src/calc.js', [1]],
    ['packages/b/src/calc.js', [1]],
  ]);
  const alone = collect([of('b')], ['packages/a/src/calc.js', 'packages/b/src/calc.js'], { basePath: 'packages/a' });
  expect(alone.map(({ name }) => name)).toEqual(['packages/a/src/calc.js']);
});

describe('a file on the wire', () => {
  const readerOf = (...files: readonly string[]) =>
    createSourceReader({ root, files: new Set(files), links: new Set(), byGit: true });

  test('with the MD5 of its bytes', () => {
    const bytes = Buffer.from([0xff, 0x0a, 0xc3, 0xa4]);
    writeFileSync(join(root, 'latin.c'), bytes);
    const [file] = report({ 'latin.c': [1, 0] }).files;
    expect(toSourceFile(file as FileHits, readerOf('latin.c'), { ends: new TextEnds() })).toEqual({
      name: 'latin.c',
      source_digest: createHash('md5').update(bytes).digest('hex'),
      coverage: [1, 0],
      branches: [1, 0, 0, 1],
    });
  });

  test('without a digest where the file is not there, without branches where it has none', () => {
    const file = new FileHits('gone.c');
    file.addLine(2, 1);
    const sent = toSourceFile(file, readerOf('gone.c'), { ends: new TextEnds() });
    expect(sent).toEqual({ name: 'gone.c', coverage: [null, 1] });
  });
});

test('include and exclude choose among the files of the repo', () => {
  const reports = [report({ '/app/src/a.c': [1], '/app/src/gen.c': [1], '/app/test/t.c': [1] })];
  const files = ['be/src/a.c', 'be/src/gen.c', 'be/test/t.c'];
  const pathMap = [{ from: '/app', to: 'be' }];
  const choice = { include: ['be/src'], exclude: ['**/gen.c'] };
  expect(collect(reports, files, { pathMap, choice }).map(({ name }) => name)).toEqual(['be/src/a.c']);
  expect(lines).toEqual(['Left out by include and exclude: 2 files']);
  expect(() => collect(reports, files, { pathMap, choice: { include: ['src'], exclude: [] } })).toThrow(
    'Inputs include and exclude leave out all 3 files',
  );
});

test('what path-map takes to a place without a file is left out, and listed', () => {
  const reports = [report({ '/app/a.c': [1], '/app/src/b.c': [1] })];
  const pathMap = [{ from: '/app', to: '.' }];
  expect(collect(reports, ['a.c', 'x/src/b.c'], { pathMap }).map(({ name }) => name)).toEqual(['a.c']);
  expect(lines).toEqual(['warning: Left out, because not in the checkout: 1 file, in /app/src', '  /app/src (1 file)']);
});
