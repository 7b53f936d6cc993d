import { describe, expect, test } from 'vitest';
import { createGitRepo } from '../../support/git-repo.ts';
import { loadGitHistory } from '../../support/github-stand-in/load-git-history.ts';
import type { ChangedFile } from '../../support/github-stand-in/model.ts';
import { type Able, addGraph, createScenes, HOSTILE_ENDS, type OpenScene, ofNoRepo, repo, shaOf } from './scene.ts';

const range = { repo, base: shaOf('base'), head: shaOf('head') };
const HOSTILE_NAMES = [
  'a b.js',
  'ä/ü.js',
  '`x` | <b>@mona</b>.js',
  'a\tb.js',
  '"quoted".js',
  'back\\slash.js',
  '\u202egnp.js',
  '-rf',
];

function manyFiles(count: number): readonly ChangedFile[] {
  return Array.from({ length: count }, (_, i) => ({
    filename: `src/file-${i}.js`,
    status: 'modified',
    additions: 1,
    deletions: 0,
    patch: `@@ -1,0 +1 @@\n+line ${i}`,
  }));
}

/** The files that a range changes. */
const withoutBlob = <T extends { readonly blob?: string | undefined }>({ blob: _, ...file }: T) => file;

export function describeChangedFiles(open: OpenScene, able: Able): void {
  const start = createScenes(open);
  const startRange = async () => {
    const scene = await start();
    addGraph(scene.host, [['base'], ['head', 'base']]);
    return scene;
  };

  describe('changed files', () => {
    test('of every kind, with their patches where there are any', async () => {
      const { host, provider } = await startRange();
      const counts = { additions: 0, deletions: 0 };
      host.setComparedFiles(repo, range.base, range.head, [
        { filename: 'new.js', status: 'added', additions: 1, deletions: 0, patch: '@@ -0,0 +1 @@\n+a' },
        { filename: 'old.js', status: 'removed', additions: 0, deletions: 1, patch: '@@ -1 +0,0 @@\n-a' },
        { filename: 'b.js', previousFilename: 'a.js', status: 'renamed', ...counts },
        {
          filename: 'd.js',
          previousFilename: 'c.js',
          status: 'renamed',
          additions: 1,
          deletions: 1,
          patch: '@@ -1 +1 @@\n-c\n+d',
        },
        { filename: 'huge.js', status: 'modified', additions: 90_000, deletions: 0 },
        { filename: 'logo.png', status: 'modified', ...counts },
        { filename: 'run.sh', status: 'changed', ...counts },
      ]);
      const plain = { previousName: undefined, patch: undefined };
      const answer = await provider.compareFiles(range);
      expect(answer).toMatchObject({ complete: true, mergeBase: range.base });
      expect(answer?.files.map(withoutBlob)).toEqual([
        { ...plain, name: 'new.js', status: 'added', patch: '@@ -0,0 +1 @@\n+a' },
        { ...plain, name: 'old.js', status: 'removed', patch: '@@ -1 +0,0 @@\n-a' },
        { name: 'b.js', previousName: 'a.js', status: 'renamed', patch: '' },
        { name: 'd.js', previousName: 'c.js', status: 'renamed', patch: '@@ -1 +1 @@\n-c\n+d' },
        { ...plain, name: 'huge.js', status: 'modified' },
        { ...plain, name: 'logo.png', status: 'modified' },
        { ...plain, name: 'run.sh', status: 'modified' },
      ]);
    });

    test('have any name that git allows', async () => {
      const { host, provider } = await startRange();
      const files = HOSTILE_NAMES.map(
        (filename) => ({ filename, status: 'added', additions: 1, deletions: 0 }) as const,
      );
      host.setComparedFiles(repo, range.base, range.head, files);
      expect((await provider.compareFiles(range))?.files.map(({ name }) => name)).toEqual(HOSTILE_NAMES);
    });

    test('none', async () => {
      const { provider } = await startRange();
      expect(await provider.compareFiles({ ...range, head: range.base })).toEqual({
        files: [],
        complete: true,
        mergeBase: range.base,
      });
    });

    test('of a pull request, by any of both ways', async () => {
      const { host, provider } = await startRange();
      host.addPullRequest(repo, {
        number: 7,
        headSha: range.head,
        baseSha: range.base,
        baseRef: 'main',
        files: manyFiles(2),
      });
      const expected = { files: [{ name: 'src/file-0.js' }, { name: 'src/file-1.js' }], complete: true };
      expect(await provider.compareFiles({ ...range, pullRequest: 7 })).toMatchObject(expected);
      expect(await provider.compareFiles(range)).toMatchObject(expected);
    });

    test.runIf(Number.isFinite(able.comparedFiles))(
      'of a large range are as many as the host lists, and it says so',
      async () => {
        const { host, provider } = await startRange();
        host.setComparedFiles(repo, range.base, range.head, manyFiles(able.comparedFiles - 1));
        expect(await provider.compareFiles(range)).toMatchObject({
          complete: true,
          files: { length: able.comparedFiles - 1 },
        });
        host.setComparedFiles(repo, range.base, range.head, manyFiles(able.comparedFiles + 340));
        expect(await provider.compareFiles(range)).toMatchObject({
          complete: false,
          files: { length: able.comparedFiles },
        });
      },
    );

    test.runIf(able.comparedFiles === 300).each([
      [300, true],
      [640, true],
      [3_000, false],
      [3_100, false],
    ])('of a pull request with %d files', async (count, complete) => {
      const { host, provider } = await startRange();
      const files = manyFiles(count);
      host.addPullRequest(repo, { number: 7, headSha: range.head, baseSha: range.base, baseRef: 'main', files });
      const answer = await provider.compareFiles({ ...range, pullRequest: 7 });
      const names = files.slice(0, 3_000).map(({ filename }) => filename);
      expect(answer?.files.map(({ name }) => name)).toEqual(names);
      expect(answer?.complete).toBe(complete);
    });

    test.runIf(able.comparedFiles === 300)(
      'of a pull request that has another head by now are those of the range',
      async () => {
        const { host, provider } = await startRange();
        host.setComparedFiles(repo, range.base, range.head, manyFiles(400));
        const other = manyFiles(350).map((file) => ({ ...file, filename: `other/${file.filename}` }));
        host.addPullRequest(repo, {
          number: 7,
          headSha: shaOf('newer'),
          baseSha: range.base,
          baseRef: 'main',
          files: other,
        });
        const answer = await provider.compareFiles({ ...range, pullRequest: 7 });
        expect(answer).toMatchObject({ complete: false, files: { length: 300, 0: { name: 'src/file-0.js' } } });
        expect(await provider.compareFiles({ ...range, pullRequest: 8 })).toMatchObject({ files: { length: 300 } });
      },
    );

    test('between unknown commits, and what is none, are a definite answer', async () => {
      const { provider } = await startRange();
      for (const end of [shaOf('unknown'), 'no-such-branch', ...HOSTILE_ENDS]) {
        expect(await provider.compareFiles({ ...range, base: end })).toBeUndefined();
        expect(await provider.compareFiles({ ...range, head: end })).toBeUndefined();
      }
      expect(await ofNoRepo(provider.compareFiles({ ...range, repo: 'acme/none' }))).toBeUndefined();
    });

    test.runIf(able.ranges)('of a real history are those since the merge base', async () => {
      const { host, provider } = await start();
      const git = createGitRepo();
      try {
        const lines = Array.from({ length: 30 }, (_, i) => `line ${i}`).join('\n');
        const kept = { 'keep.js': 'k\n', 'a b.js': `${lines}\n`, 'gone.js': 'g\n', 'ä.png': Buffer.from([0, 1, 2]) };
        const root = git.commit('root', kept);
        git.switchTo('topic');
        const changed = {
          'a b.js': `first\n${lines}\n`,
          'gone.js': undefined,
          'ä.png': Buffer.from([0, 9]),
          'new.js': 'n',
        };
        git.commit('one', changed);
        git.git('mv', 'keep.js', 'moved.js');
        const head = git.commit('two');
        git.switchTo('main');
        const base = git.commit('elsewhere', { 'other.js': 'o\n' });
        loadGitHistory(host, { directory: git.directory, repo });
        const answer = await provider.compareFiles({ repo, base, head });
        expect(answer).toMatchObject({ complete: true, mergeBase: root });
        const blobOf = (name: string) => git.git('rev-parse', `${head}:${name}`).trim();
        for (const { name, blob, status } of answer?.files ?? [])
          expect([name, blob]).toEqual([name, status === 'removed' || !able.trees ? undefined : blobOf(name)]);
        expect(answer?.files.map(withoutBlob)).toEqual([
          {
            name: 'a b.js',
            previousName: undefined,
            status: 'modified',
            patch: '@@ -1,3 +1,4 @@\n+first\n line 0\n line 1\n line 2',
          },
          { name: 'gone.js', previousName: undefined, status: 'removed', patch: '@@ -1 +0,0 @@\n-g' },
          { name: 'moved.js', previousName: 'keep.js', status: 'renamed', patch: '' },
          {
            name: 'new.js',
            previousName: undefined,
            status: 'added',
            patch: '@@ -0,0 +1 @@\n+n\n\\ No newline at end of file',
          },
          { name: 'ä.png', previousName: undefined, status: 'modified', patch: undefined },
        ]);
      } finally {
        git.remove();
      }
    });
  });
}
