import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findGitPlaces, foldersBetween, readHead } from './git-places.ts';

const SHA = 'a'.repeat(40);
let folder = '';
let workspace = '';
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'places-')));
  workspace = join(folder, 'work');
  write({ 'work/.git/HEAD': 'ref: refs/heads/main\n', 'work/.git/objects/x': '' });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
const found = (root: string) => findGitPlaces(join(folder, root), workspace);

describe('a checkout', () => {
  test('is the folder that has a .git, and none below or above it', () => {
    const git = join(workspace, '.git');
    expect(found('work')).toEqual({ root: workspace, folder: git, common: git });
    mkdirSync(join(workspace, 'sub'));
    expect([found('work/sub'), found('work/.git'), found('.')]).toEqual([undefined, undefined, undefined]);
  });

  test('may be a worktree or a submodule inside the workspace, and is none where that lies outside', () => {
    const own = 'work/.git/worktrees/tree';
    write({
      [`${own}/HEAD`]: `${SHA}\n`,
      [`${own}/commondir`]: '../..\n',
      'work/tree/.git': `gitdir: ../.git/worktrees/tree\n`,
    });
    const places = found('work/tree');
    expect(places).toMatchObject({ folder: join(folder, own), common: join(workspace, '.git') });
    expect(places === undefined ? undefined : readHead(places)).toBe(SHA);
    write({ 'away/HEAD': `${SHA}\n`, 'away/objects/x': '', 'work/sub/.git': 'gitdir: ../../away\n' });
    expect(found('work/sub')).toBeUndefined();
    write({ [`${own}/commondir`]: join(folder, 'away') });
    expect(found('work/tree')).toBeUndefined();
    mkdirSync(join(workspace, 'linked'));
    symlinkSync(join(folder, 'away'), join(workspace, 'linked/.git'));
    expect(found('work/linked')).toBeUndefined();
  });

  test.each(['text', 'gitdir: ', 'gitdir: gone', 'gitdir: .git/HEAD', `gitdir: ${'x'.repeat(9_000)}`])(
    'is none where .git says %j',
    (text) => {
      write({ 'work/sub/.git': text });
      expect(found('work/sub')).toBeUndefined();
    },
  );
});

describe('what is checked out', () => {
  const head = (): string | undefined => {
    const places = found('work');
    return places && readHead(places);
  };

  test('by itself, by a ref, and by a packed ref', () => {
    expect(head()).toBeUndefined();
    write({
      'work/.git/packed-refs': `# pack-refs\n${'b'.repeat(40)} refs/heads/x/refs/heads/main\n${SHA} refs/heads/main\n`,
    });
    expect(head()).toBe(SHA);
    write({ 'work/.git/refs/heads/main': `${'c'.repeat(40)}\n` });
    expect(head()).toBe('c'.repeat(40));
    write({ 'work/.git/HEAD': `${'d'.repeat(64)}\n` });
    expect(head()).toBe('d'.repeat(64));
  });

  test.each(['ref: refs/heads/main', 'ref: refs/../../../HEAD', 'ref: HEAD', 'HEAD', '--all', 'x'.repeat(40)])(
    'is unknown where the ref says %j',
    (text) => {
      write({ 'work/.git/refs/heads/main': text, HEAD: SHA });
      expect(head()).toBeUndefined();
    },
  );
});

test('the folders on the way to a report, from the top', () => {
  const below = (path: string) => foldersBetween('/w', path);
  expect(below('/w/a/b')).toEqual(['/w/a', '/w/a/b']);
  expect([below('/w'), below('/'), below('/other/a'), below('/w2')]).toEqual([[], [], [], []]);
});
