import { describe, expect, it } from 'vitest';
import { bytes, hex, putRepo, T0 } from './records.ts';
import type { Subject } from './store-contract.ts';

const textOf = (n: number, text = 'text') => ({ digest: hex(n, 64), bytes: bytes(text) });

export function describeProviderSources(subject: Subject): void {
  describe('source texts of the provider', () => {
    const put = (repoId: number, key: string, n: number, maxBytes = 1_000) =>
      subject.store.providerSources.put({ repoId, key, source: textOf(n), maxBytes, at: T0 + n });

    it('are kept per repo and key, and replaced', async () => {
      const { providerSources } = subject.store;
      const repo = await putRepo(subject.store);
      const other = await putRepo(subject.store, { name: 'octo/other' });
      await put(repo.id, 'c/$a.ts', 1);
      expect(await providerSources.find(repo.id, 'c/$a.ts')).toEqual(textOf(1));
      expect(await providerSources.find(other.id, 'c/$a.ts')).toBeUndefined();
      expect(await providerSources.find(repo.id, 'c/b.ts')).toBeUndefined();
      await put(repo.id, 'c/$a.ts', 2);
      expect(await providerSources.find(repo.id, 'c/$a.ts')).toEqual(textOf(2));
    });

    it('go with the oldest first once they have more bytes, those of other repos stay', async () => {
      const { providerSources } = subject.store;
      const repo = await putRepo(subject.store);
      const other = await putRepo(subject.store, { name: 'octo/other' });
      await put(other.id, 'a', 0);
      for (const [n, key] of ['b', 'a', 'c'].entries()) await put(repo.id, key, n);
      const held = async () => {
        const found = await Promise.all(['a', 'b', 'c', 'd'].map((key) => providerSources.find(repo.id, key)));
        return found.map((text) => text !== undefined);
      };
      await put(repo.id, 'd', 3, 12);
      expect(await held()).toEqual([true, false, true, true]);
      await put(repo.id, 'a', 4, 8);
      expect(await held()).toEqual([true, false, false, true]);
      await put(repo.id, 'b', 5, 0);
      expect(await held()).toEqual([false, false, false, false]);
      expect(await providerSources.find(other.id, 'a')).toEqual(textOf(0));
    });

    it('go with their repo, and none come for one that is gone', async () => {
      const { providerSources, repos } = subject.store;
      const repo = await putRepo(subject.store);
      await put(repo.id, 'a', 1);
      await repos.remove({ repoId: repo.id, description: 'repo was removed', at: T0 });
      expect(await providerSources.find(repo.id, 'a')).toBeUndefined();
      await put(repo.id, 'a', 1);
      expect(await providerSources.find(repo.id, 'a')).toBeUndefined();
    });
  });
}
