import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { chooseTexts, createSourceReader } from './source-reader.ts';

const MAKE_PIPE = 'mkfifo';
let root = '';
let said: string[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'source-reader-'));
  said = [];
  put({ 'src/a.js': 'a', 'src/deep/b.js': 'b', '.env': 'secret', '.git/config': 'secret', 'loose.js': 'secret' });
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(root, { recursive: true, force: true });
});

function put(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
}

/** From a link to what it says. */
function link(links: Readonly<Record<string, string>>): void {
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(root, name));
}

function read(tracked: readonly string[], { links = [] as readonly string[], byGit = true } = {}) {
  const reader = createSourceReader({ root, files: new Set([...tracked, ...links]), links: new Set(links), byGit });
  const texts = [...tracked, ...links].map((name) => [name, reader.read(name)?.toString()]);
  reader.tellRefused({ info: () => {}, warning: (line) => said.push(line) });
  return Object.fromEntries(texts);
}

test('a link is read where it leads to a plain file that git tracks, and nowhere else', () => {
  link({
    'src/real.js': 'a.js',
    'src/folder': 'deep',
    'src/git.js': '../.git/config',
    'src/env.js': '../.env',
    'src/up.js': '../../../../../../../../../etc/hostname',
    'src/twice.js': 'env.js',
    'src/loose.js': '../loose.js',
    'src/in-folder.js': 'folder/b.js',
    'src/gone.js': 'nothing',
  });
  const links = ['real.js', 'git.js', 'env.js', 'up.js', 'twice.js', 'loose.js', 'in-folder.js', 'gone.js'];
  expect(read(['src/a.js', 'src/deep/b.js'], { links: links.map((name) => `src/${name}`) })).toEqual({
    'src/a.js': 'a',
    'src/deep/b.js': 'b',
    'src/real.js': 'a',
    'src/in-folder.js': 'b',
  });
  expect(said).toEqual([
    'Neither text nor digest is sent for 5 files (src/git.js, src/env.js, src/up.js, src/twice.js, src/loose.js): ' +
      'they are links, and do not lead to a plain file that git tracks. Their coverage still counts.',
  ]);
});

test('what git tracks as a file, and a link replaced, is not read; nor its folder', () => {
  rmSync(join(root, 'src'), { recursive: true });
  put({ 'secrets/a.js': 'secret', 'secrets/deep/b.js': 'secret' });
  link({ src: 'secrets' });
  expect(read(['src/a.js', 'src/deep/b.js'])).toEqual({});
  expect(said).toEqual([expect.stringContaining('2 files (src/a.js, src/deep/b.js)')]);
});

test('where only the path of an open file can be asked, files are read too', () => {
  vi.spyOn(process, 'platform', 'get').mockReturnValue('darwin');
  link({ 'src/real.js': 'a.js', 'src/env.js': '../.env' });
  expect(read(['src/a.js'], { links: ['src/real.js', 'src/env.js'] })).toEqual({ 'src/a.js': 'a', 'src/real.js': 'a' });
});

test('the text that stands for a link where links cannot be made is not read', () => {
  expect(read([], { links: ['src/a.js'] })).toEqual({});
  expect(said).toHaveLength(1);
});

test('a name below .git is not read, whatever an index says', () => {
  put({ '.GIT/x': 'secret', 'GIT~1/x': 'secret', 'sub/.git/x': 'secret', '.gitignore': 'out', 'a.git/x': 'x' });
  expect(read(['.git/config', '.GIT/x', 'GIT~1/x', 'sub/.git/x', '.gitignore', 'a.git/x'])).toEqual({
    '.gitignore': 'out',
    'a.git/x': 'x',
  });
});

test('without git no link and no name with a dot before it is on the way', () => {
  put({ '.config/c.js': 'secret' });
  link({ 'src/real.js': 'a.js', 'src/env.js': '../.env', folder: 'src', 'src/c.js': '../.config/c.js' });
  const names = ['src/a.js', './src/deep/b.js', 'src/real.js', 'src/env.js', 'folder/a.js', 'src/c.js'];
  const hidden = ['.env', '.config/c.js', '.git/config', 'src/../.env', `../${root.split('/').at(-1)}/.env`];
  expect(read([...names, ...hidden], { byGit: false })).toEqual({ 'src/a.js': 'a', './src/deep/b.js': 'b' });
  expect(said).toEqual([
    expect.stringContaining('9 files (src/real.js, src/env.js, folder/a.js, src/c.js, .env and 4 more)'),
  ]);
});

test('pipes, devices and folders are not read, and nobody waits for them', () => {
  execFileSync(MAKE_PIPE, [join(root, 'src/pipe.js')]);
  expect(read(['src/pipe.js', 'src/deep'])).toEqual({});
  expect(said).toEqual([]);
});

test.runIf(process.platform === 'linux')(
  'a folder that becomes a link before it is read gives nothing away',
  async () => {
    put({ 'secrets/a.js': 'secret' });
    const reader = createSourceReader({ root, files: new Set(['src/a.js']), links: new Set(), byGit: true });
    const ended = new Int32Array(new SharedArrayBuffer(4));
    const flip = `const fs = require('node:fs');
    const { root, ended } = require('node:worker_threads').workerData;
    const [src, kept] = [root + '/src', root + '/kept'];
    while (Atomics.load(ended, 0) === 0) {
      fs.renameSync(src, kept);
      fs.symlinkSync('secrets', src);
      fs.unlinkSync(src);
      fs.renameSync(kept, src);
    }`;
    const worker = new Worker(flip, { eval: true, workerData: { root, ended } });
    await once(worker, 'online');
    const texts = new Set<string | undefined>();
    for (let tries = 0; tries < 20_000; tries += 1) texts.add(reader.read('src/a.js')?.toString());
    Atomics.store(ended, 0, 1);
    await once(worker, 'exit');
    expect([...texts].filter((text) => text !== undefined)).toEqual(['a']);
  },
);

const diff = {
  base_sha: '',
  head_sha: '',
  complete: true,
  files: [{ name: 'a.c', kind: 'added', hunks: null } as const],
};
const ask = (texts: ReturnType<typeof chooseTexts>, ...names: readonly string[]) =>
  names.map((name) => texts.textOf(name, Buffer.from(`text of ${name}`)));

test('all, those that changed, or none go along', () => {
  expect(ask(chooseTexts('all', undefined), 'a.c', 'b.c')).toEqual(['text of a.c', 'text of b.c']);
  expect(ask(chooseTexts('changed', diff), 'a.c', 'b.c')).toEqual(['text of a.c', undefined]);
  expect(ask(chooseTexts('changed', undefined), 'a.c')).toEqual([undefined]);
  expect(ask(chooseTexts('none', diff), 'a.c')).toEqual([undefined]);
});

test('what is too large, too much or no text stays behind, and is counted', () => {
  const texts = chooseTexts('all', undefined, { file: 20, all: 25 });
  expect(ask(texts, 'a', 'very-long-name-of-a-file', 'bb', 'ccccccc')).toEqual([
    'text of a',
    undefined,
    'text of bb',
    undefined,
  ]);
  for (const bytes of [[0], [0xff], [0x61, 0xc3]]) expect(texts.textOf('x', Buffer.from(bytes))).toBeUndefined();
  expect(texts.counts()).toEqual({ sent: 2, kept: 5 });
  const full = chooseTexts('all', undefined, { file: 10, all: 19 });
  expect(ask(full, 'a', 'bb', 'c')).toEqual(['text of a', 'text of bb', undefined]);
});
