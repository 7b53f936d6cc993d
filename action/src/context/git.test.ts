import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCheckout } from '../report/checkout.ts';
import { createGit } from './git.ts';

let folder = '';
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
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('files are those in the index, whatever is in their names', async () => {
  expect(await readCheckout(createGit(), join(folder, 'sub'))).toEqual({
    root: folder,
    files: new Set(['sub/x\ny.c', 'ä b.c']),
    byGit: true,
  });
});

test('commits and remotes, without secrets', async () => {
  const head = git('rev-parse', 'HEAD');
  expect(await createGit().headSha(folder)).toBe(head);
  expect(await createGit().readCommit(folder, head)).toMatchObject({
    parents: [],
    authorName: 'Zoë',
    authorEmail: 'z@x',
    message: 'First\n\nMore',
  });
  expect(await createGit().readCommit(folder, 'f'.repeat(40))).toBeUndefined();
  expect(await createGit().readCommit(folder, '--batch')).toBeUndefined();
  expect(await createGit().remotes(folder)).toEqual([{ name: 'origin', url: 'https://github.com/o/r.git' }]);
});

test('without git, or outside of a repository, nothing is known and the folder is walked', async () => {
  const missing = createGit('no-such-git-command');
  expect(await missing.topFolder(folder)).toBeUndefined();
  expect(await missing.headSha(folder)).toBeUndefined();
  expect(await missing.remotes(folder)).toEqual([]);
  expect(await readCheckout(missing, folder)).toEqual({
    root: folder,
    files: new Set(['sub/x\ny.c', 'untracked.c', 'ä b.c']),
    byGit: false,
  });
});
