import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGitFolders, type GitFolders } from '../git/git-folder.ts';
import { readCheckout } from '../report/checkout.ts';
import { createGit } from './git.ts';

let folder = '';
let folders: GitFolders;
const server = { url: 'https://github.com', token: '' };
const git = (...args: string[]): string =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=Zoë', '-c', 'user.email=z@x', ...args], {
    encoding: 'utf8',
  }).trim();

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'git-')));
  git('init', '-q', '-b', 'main');
  mkdirSync(join(folder, 'sub'));
  for (const name of ['ä b.c', 'sub/x\ny.c', 'untracked.c']) writeFileSync(join(folder, name), name);
  git('add', 'ä b.c', 'sub');
  git('commit', '-q', '-m', 'First\n\nMore');
  git('remote', 'add', 'origin', 'https://x:secret@github.com/o/r.git');
  folders = createGitFolders(folder, { server });
});
afterAll(async () => {
  await folders.remove();
  rmSync(folder, { recursive: true, force: true });
});

test('files are those in the index, whatever is in their names', async () => {
  expect(await readCheckout(createGit(folders), folder)).toEqual({
    root: folder,
    files: new Set(['sub/x\ny.c', 'ä b.c']),
    links: new Set(),
    byGit: true,
  });
});

test('commits and remotes, without secrets', async () => {
  const head = git('rev-parse', 'HEAD');
  expect(await createGit(folders).headSha(folder)).toBe(head);
  expect(await createGit(folders).readCommit(folder, head)).toMatchObject({
    parents: [],
    authorName: 'Zoë',
    authorEmail: 'z@x',
    message: 'First\n\nMore',
  });
  expect(await createGit(folders).completeSha(folder, head.slice(0, 7))).toBe(head);
  expect(await createGit(folders).completeSha(folder, 'f'.repeat(7))).toBeUndefined();
  expect(await createGit(folders).completeSha(folder, 'HEAD')).toBeUndefined();
  expect(await createGit(folders).readCommit(folder, 'f'.repeat(40))).toBeUndefined();
  expect(await createGit(folders).readCommit(folder, '--batch')).toBeUndefined();
  expect(await createGit(folders).remotes(folder)).toEqual([{ name: 'origin', url: 'https://github.com/o/r.git' }]);
});

test('without git, or outside of a repository, nothing is known and the folder is walked', async () => {
  const missing = createGit(createGitFolders(folder, { server, command: 'no-such-git-command' }));
  expect(await missing.listFiles(folder)).toEqual([]);
  expect(await missing.headSha(folder)).toBeUndefined();
  expect(await missing.remotes(folder)).toEqual([]);
  expect(await readCheckout(missing, folder)).toEqual({
    root: folder,
    files: new Set(['sub/x\ny.c', 'untracked.c', 'ä b.c']),
    links: new Set(),
    byGit: false,
  });
  // The folder around it is a checkout, and this is none.
  expect(await readCheckout(createGit(folders), join(folder, 'sub'))).toEqual({
    root: join(folder, 'sub'),
    files: new Set(['x\ny.c']),
    links: new Set(),
    byGit: false,
  });
});

test.each([
  ['sha1', []],
  ['sha256', []],
  ['sha1', ['--sparse-index']],
])('a checkout of %s that is packed and sparse %j', async (format, options) => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'packed-')));
  const inRoot = (...args: string[]): string => git('-C', root, ...args);
  inRoot('init', '-q', `--object-format=${format}`);
  mkdirSync(join(root, 'in'));
  mkdirSync(join(root, 'out'));
  for (const name of ['in/a.c', 'out/b.c']) writeFileSync(join(root, name), name);
  inRoot('add', '.');
  inRoot('commit', '-q', '-m', 'First');
  inRoot('sparse-checkout', 'set', '--cone', ...options, 'in');
  inRoot('gc', '-q');
  const packed = createGitFolders(root, { server });
  const clone = createGit(packed);
  const head = inRoot('rev-parse', 'HEAD');
  expect((await clone.listFiles(root)).map(({ name }) => name)).toEqual(['in/a.c', 'out/b.c']);
  expect(await clone.headSha(root)).toBe(head);
  expect(await clone.readCommit(root, head)).toMatchObject({ message: 'First' });
  await packed.remove();
  rmSync(root, { recursive: true });
});

test.each([
  ['https://x-access-token:ghs_secret@github.com/o/r.git', 'https://github.com/o/r.git'],
  ['https://user@github.com/o/r?token=secret#secret', 'https://github.com/o/r'],
  ['ssh://git:pw@host:22/o/r', 'ssh://host:22/o/r'],
  ['git@github.com:o/r.git', 'github.com:o/r.git'],
  ['https://a:p@ss@host/x', 'https://host/x'],
  ['http://bad host:x@y/z', 'http://y/z'],
  ['https://github.com/o/r', 'https://github.com/o/r'],
  ['/srv/git/r.git', '/srv/git/r.git'],
  ['../r@2', '../r@2'],
])('the remote %s', async (url, clean) => {
  git('config', 'remote.other.url', url);
  const fresh = createGitFolders(folder, { server });
  expect(await createGit(fresh).remotes(folder)).toContainEqual({ name: 'other', url: clean });
  await fresh.remove();
});
