import { describe, expect, test } from 'vitest';
import type { Provider } from '../../../server/src/ports/provider.ts';
import { loadGitHistory } from '../../support/github-stand-in/load-git-history.ts';
import { realHistory } from './real-history.ts';
import {
  type Able,
  addGraph,
  addLine,
  createScenes,
  HOSTILE_COMMITS,
  HOSTILE_ENDS,
  type OpenScene,
  ofNoRepo,
  repo,
  shaOf,
} from './scene.ts';

const parentsOf = (provider: Provider, name: string, limit = 100) =>
  provider.listFirstParents({ repo, commit: name.length === 40 ? name : shaOf(name), limit });

/** Merge bases and first parents. */
export function describeHistories(open: OpenScene, able: Able): void {
  const start = createScenes(open);
  const met = (commit: string, ahead: number | undefined, behind: number | undefined) =>
    able.counts ? { commit, ahead, behind } : { commit };

  describe('merge bases', () => {
    test('of branches that parted, of one behind the other, and of a commit with itself', async () => {
      const { host, provider } = await start();
      addGraph(host, [['a'], ['b', 'a'], ['c', 'b'], ['x', 'a'], ['y', 'x'], ['z', 'y']]);
      const find = (base: string, head: string) =>
        provider.findMergeBase({ repo, base: shaOf(base), head: shaOf(head) });
      expect(await find('c', 'z')).toMatchObject(met(shaOf('a'), 3, 2));
      expect(await find('a', 'c')).toMatchObject(met(shaOf('a'), 2, 0));
      expect(await find('c', 'b')).toMatchObject(met(shaOf('b'), 0, 1));
      expect(await find('c', 'c')).toMatchObject(met(shaOf('c'), 0, 0));
    });

    test('of a branch by its name, however it is spelled', async () => {
      const { host, provider } = await start();
      addGraph(host, [['a'], ['x', 'a']]);
      for (const branch of ['release/1.x', 'a#b', 'ünïcode', 'a%2Fb', 'x&y=z']) {
        host.addCommit(repo, { sha: shaOf('b'), parents: [shaOf('a')], branch });
        const found = await provider.findMergeBase({ repo, base: branch, head: shaOf('x') });
        expect([branch, found]).toMatchObject([branch, met(shaOf('a'), 1, 1)]);
      }
    });

    test('after a merge of the base into the head is where that was', async () => {
      const { host, provider } = await start();
      addGraph(host, [['a'], ['b', 'a'], ['x', 'a'], ['m', 'x', 'b'], ['c', 'b']]);
      const range = { repo, base: shaOf('c'), head: shaOf('m') };
      expect(await provider.findMergeBase(range)).toMatchObject(met(shaOf('b'), 2, 1));
    });

    test('of criss-cross merges is one of the two best', async () => {
      const { host, provider } = await start();
      addGraph(host, [['a'], ['b', 'a'], ['x', 'a'], ['bx', 'b', 'x'], ['xb', 'x', 'b'], ['c', 'bx'], ['y', 'xb']]);
      const found = await provider.findMergeBase({ repo, base: shaOf('c'), head: shaOf('y') });
      expect([shaOf('b'), shaOf('x')]).toContain(found?.commit);
      expect(found).toMatchObject(met(found?.commit ?? '', 2, 2));
    });

    test('that do not exist, of unknown commits, and of what is no commit are a definite answer', async () => {
      const { host, provider } = await start();
      addGraph(host, [['a'], ['b', 'a'], ['orphan']]);
      const find = (base: string, head = shaOf('b')) => provider.findMergeBase({ repo, base, head });
      expect(await find(shaOf('orphan'))).toBeUndefined();
      expect(await find(shaOf('unknown'))).toBeUndefined();
      expect(await find('no-such-branch')).toBeUndefined();
      for (const end of HOSTILE_ENDS) {
        expect([end, await find(end)]).toEqual([end, undefined]);
        expect([end, await find(shaOf('a'), end)]).toEqual([end, undefined]);
      }
      const nowhere = { repo: 'acme/none', base: shaOf('a'), head: shaOf('b') };
      expect(await ofNoRepo(provider.findMergeBase(nowhere))).toBeUndefined();
    });

    test('are those that git finds in real histories', async () => {
      const { host, provider } = await start();
      const { directory, mergeBases } = realHistory();
      loadGitHistory(host, { directory, repo });
      for (const { base, head, best, ahead, behind } of mergeBases) {
        const found = await provider.findMergeBase({ repo, base, head });
        expect(best).toContain(found?.commit);
        expect(found).toMatchObject(met(found?.commit ?? '', ahead, behind));
      }
    });
  });

  describe('first parents', () => {
    test('of a straight history, nearest first, to its root', async () => {
      const { host, provider } = await start();
      addGraph(host, [['a'], ['b', 'a'], ['c', 'b']]);
      expect(await parentsOf(provider, 'c')).toEqual({ commits: [shaOf('b'), shaOf('a')], end: 'root' });
      expect(await parentsOf(provider, 'a')).toEqual({ commits: [], end: 'root' });
    });

    test('stop at the limit, and at 100 whatever the limit', async () => {
      const { host, provider } = await start();
      const line = addLine(host, 'n', 250);
      const nearestFirst = line.slice(0, -1).reverse();
      const tip = line.at(-1) ?? '';
      expect(await parentsOf(provider, tip, 3)).toEqual({ commits: nearestFirst.slice(0, 3), end: 'limit' });
      for (const limit of [100, 5_000]) {
        expect(await parentsOf(provider, tip, limit)).toEqual({ commits: nearestFirst.slice(0, 100), end: 'limit' });
      }
    });

    test('a hundred steps away is still there', async () => {
      const { host, provider } = await start();
      const line = addLine(host, 'n', 101);
      const found = await parentsOf(provider, line.at(-1) ?? '');
      expect(found?.commits).toHaveLength(100);
      expect(found?.commits.at(-1)).toBe(line[0]);
    });

    test('pass merged branches by, however many commits they brought', async () => {
      const { host, provider } = await start();
      const [root = ''] = addLine(host, 'root', 1);
      const side = addLine(host, 'side', 130, root);
      const main = addLine(host, 'main', 2, root);
      const merge = shaOf('merge');
      host.addCommit(repo, { sha: merge, parents: [main[1] ?? '', side.at(-1) ?? ''], branch: 'main' });
      expect(await parentsOf(provider, merge)).toEqual({ commits: [main[1], main[0], root], end: 'root' });
    });

    test('of criss-cross merges are those of each side', async () => {
      const { host, provider } = await start();
      addGraph(host, [['a'], ['b', 'a'], ['x', 'a'], ['bx', 'b', 'x'], ['xb', 'x', 'b'], ['c', 'bx'], ['y', 'xb']]);
      expect((await parentsOf(provider, 'c'))?.commits).toEqual(['bx', 'b', 'a'].map(shaOf));
      expect((await parentsOf(provider, 'y'))?.commits).toEqual(['xb', 'x', 'a'].map(shaOf));
    });

    test('are cut where the host does not know what came before', async () => {
      const { host, provider } = await start();
      addGraph(host, [
        ['b', 'a'],
        ['c', 'b'],
      ]);
      expect(await parentsOf(provider, 'c')).toEqual({ commits: [shaOf('b'), shaOf('a')], end: 'cut' });
    });

    test('of unknown commits, and of what is none, are a definite answer', async () => {
      const { host, provider } = await start();
      addGraph(host, [['a']]);
      for (const commit of [shaOf('unknown'), ...HOSTILE_COMMITS]) {
        expect(await provider.listFirstParents({ repo, commit, limit: 10 })).toBeUndefined();
      }
      expect(
        await ofNoRepo(provider.listFirstParents({ repo: 'acme/none', commit: shaOf('a'), limit: 10 })),
      ).toBeUndefined();
    });

    test('are those that git lists in real histories', async () => {
      const { host, provider } = await start();
      const { directory, firstParents } = realHistory();
      loadGitHistory(host, { directory, repo });
      for (const { head, commits } of firstParents)
        expect(await parentsOf(provider, head)).toEqual({ commits, end: 'root' });
    });
  });
}
