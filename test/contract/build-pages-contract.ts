import { describe, expect, it } from 'vitest';
import type { BuildPageQuery } from '../../server/src/storage/build-pages.ts';
import { accept, hex, putClosed, putRepo } from './records.ts';
import type { Subject } from './store-contract.ts';

const query = (repoId: number, more: Partial<BuildPageQuery> = {}): BuildPageQuery => ({
  repoId,
  branch: undefined,
  offset: 0,
  limit: 10,
  ...more,
});

export function describeBuildPages(subject: Subject): void {
  describe('pages of builds', () => {
    it('hold every build of the repo, newest first, open, closed and unverified ones alike', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const other = await putRepo(store, { name: 'octo/other' });
      expect(await store.builds.list(query(repo.id))).toEqual({ total: 0, builds: [] });
      const closed = await putClosed(store, repo.id, { serviceNumber: '1', branch: 'main' });
      const { build: open } = await accept(store, repo.id, { serviceNumber: '2', commit: hex(2) });
      const run = await putClosed(store, repo.id, { serviceNumber: '3', trust: 'run', commit: hex(3) });
      await putClosed(store, other.id);
      expect(await store.builds.list(query(repo.id))).toEqual({ total: 3, builds: [run, open, closed] });
    });

    it('are cut as asked for, and empty beyond the last', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      for (let n = 1; n <= 5; n += 1)
        await accept(store, repo.id, { serviceNumber: `${n}`, commit: hex(n), branch: 'main' });
      const numbers = async (more: Partial<BuildPageQuery>) => {
        const { total, builds } = await store.builds.list(query(repo.id, more));
        return [total, builds.map((build) => build.number).join(' ')];
      };
      for (const branch of [undefined, 'main']) {
        expect(await numbers({ branch, limit: 2 })).toEqual([5, '5 4']);
        expect(await numbers({ branch, limit: 2, offset: 4 })).toEqual([5, '1']);
        expect(await numbers({ branch, limit: 2, offset: 6 })).toEqual([5, '']);
        expect(await numbers({ branch, limit: 2, offset: 2 ** 40 })).toEqual([5, '']);
      }
    });

    it('hold trusted builds alone, or those of unverified runs (rule 29)', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const stated = [{ trust: 'secret' }, { trust: 'run' }, { trust: 'provider' }, { trust: 'run' }] as const;
      for (const [n, one] of stated.entries())
        await accept(store, repo.id, { ...one, serviceNumber: `${n}`, commit: hex(n) });
      const numbers = async (more: Partial<BuildPageQuery>) => {
        const { total, builds } = await store.views.list(query(repo.id, more));
        return [total, builds.map((build) => build.number).join(' ')];
      };
      expect(await numbers({ trust: 'trusted' })).toEqual([2, '2 0']);
      expect(await numbers({ trust: 'unverified' })).toEqual([2, '3 1']);
      expect(await numbers({ trust: 'unverified', limit: 1, offset: 1 })).toEqual([2, '1']);
    });

    it('of a branch hold no pull request, tag, merge queue, other branch or unverified run (rule 29)', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const branch = 'main';
      const closed = await putClosed(store, repo.id, { branch, serviceNumber: '1' });
      await putClosed(store, repo.id, { branch, serviceNumber: '2', pullRequest: 5 });
      await putClosed(store, repo.id, { branch, serviceNumber: '3', tag: true });
      await putClosed(store, repo.id, { branch, serviceNumber: '4', mergeQueue: true });
      await putClosed(store, repo.id, { branch, serviceNumber: '5', trust: 'run' });
      await putClosed(store, repo.id, { branch: 'Main', serviceNumber: '6' });
      await putClosed(store, repo.id, { serviceNumber: '7' });
      const { build: open } = await accept(store, repo.id, { branch, serviceNumber: '8', commit: hex(8) });
      expect(await store.builds.list(query(repo.id, { branch }))).toEqual({ total: 2, builds: [open, closed] });
      expect((await store.builds.list(query(repo.id))).total).toBe(8);
    });
  });
}
