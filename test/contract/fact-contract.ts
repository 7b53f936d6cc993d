import { describe, expect, it } from 'vitest';
import { putRepo, T0 } from './records.ts';
import type { Subject } from './store-contract.ts';

export function describeFacts(subject: Subject): void {
  describe('facts of the provider', () => {
    it('are kept per repo and key, and replaced', async () => {
      const { facts } = subject.store;
      const repo = await putRepo(subject.store);
      const other = await putRepo(subject.store, { name: 'octo/other' });
      const value = { 'a.b': ['$x', null, 1.5], '': { __proto__x: 'é\u0000' } };
      expect(await facts.find(repo.id, 'k')).toBeUndefined();
      await facts.put({ repoId: repo.id, key: 'k', value, at: T0 });
      expect(await facts.find(repo.id, 'k')).toEqual(value);
      expect(await facts.find(other.id, 'k')).toBeUndefined();
      await facts.put({ repoId: repo.id, key: 'k', value: 'next', at: T0 + 1 });
      expect(await facts.find(repo.id, 'k')).toBe('next');
    });

    it('that are added keep their first value, even if several are added at once', async () => {
      const { facts } = subject.store;
      const { id: repoId } = await putRepo(subject.store);
      const found: unknown[] = [];
      for (const key of ['a', 'b', 'c', 'd']) {
        const add = async (value: number) => {
          await facts.add({ repoId, key, value, at: T0 });
          found.push(await facts.find(repoId, key));
        };
        await Promise.all([1, 2, 3].map(add));
        await facts.add({ repoId, key, value: 'late', at: T0 + 1 });
        const kept = await facts.find(repoId, key);
        expect([1, 2, 3]).toContain(kept);
        expect(found.splice(0)).toEqual([kept, kept, kept]);
      }
    });

    it('go with their repo, and none come for one that is gone', async () => {
      const { facts, repos } = subject.store;
      const repo = await putRepo(subject.store);
      await facts.put({ repoId: repo.id, key: 'k', value: 1, at: T0 });
      await repos.remove({ repoId: repo.id, description: 'repo was removed', at: T0 });
      expect(await facts.find(repo.id, 'k')).toBeUndefined();
      await facts.put({ repoId: repo.id, key: 'k', value: 1, at: T0 });
      await facts.add({ repoId: repo.id, key: 'l', value: 1, at: T0 });
      expect(await facts.find(repo.id, 'k')).toBeUndefined();
      expect(await facts.find(repo.id, 'l')).toBeUndefined();
    });
  });

  describe('a repo that follows its provider', () => {
    it('changes name, id, suspension and what was seen, and nothing else', async () => {
      const { repos } = subject.store;
      const repo = await putRepo(subject.store);
      const seen = { defaultBranch: 'trunk', visibility: 'public', at: T0 } as const;
      const followed = await repos.follow({
        repoId: repo.id,
        name: 'Octo/New',
        providerId: '4711',
        suspended: 'why',
        seen,
        at: T0 + 5,
      });
      const now = { ...repo, name: 'Octo/New', providerId: '4711', suspended: 'why', seen, updatedAt: T0 + 5 };
      expect(followed).toEqual(now);
      expect(await repos.find(repo.id)).toEqual(now);
      expect(await repos.findByName('github', 'octo/new')).toEqual(now);
      expect(await repos.findByName('github', repo.name)).toBeUndefined();
      expect(await repos.findByProviderId('github', '4711')).toEqual(now);
      expect(await repos.findByProviderId('gitlab', '4711')).toBeUndefined();
      expect(await repos.follow({ repoId: repo.id, suspended: null, at: T0 + 6 })).toEqual({
        ...now,
        suspended: undefined,
        updatedAt: T0 + 6,
      });
      expect(await repos.follow({ repoId: 99, name: 'a/b', at: T0 })).toBeUndefined();
    });

    it('is not told what was learned of a name that it had before', async () => {
      const { repos } = subject.store;
      const { id: repoId, name: before } = await putRepo(subject.store);
      const renamed = await repos.follow({ repoId, whileNamed: before, name: 'octo/next', at: T0 + 1 });
      expect(await repos.follow({ repoId, whileNamed: before, suspended: 'why', at: T0 + 2 })).toBeUndefined();
      expect(await repos.find(repoId)).toEqual(renamed);
    });

    it('loses and gets back an App’s access, and nothing else changes', async () => {
      const { repos } = subject.store;
      const repo = await putRepo(subject.store);
      const accessLost = { appId: 7, how: 'suspended', at: T0 + 5 } as const;
      const lost = { ...repo, accessLost, updatedAt: T0 + 5 };
      expect(await repos.follow({ repoId: repo.id, accessLost, at: T0 + 5 })).toEqual(lost);
      expect(await repos.follow({ repoId: repo.id, suspended: 'why', at: T0 + 6 })).toMatchObject({ accessLost });
      expect(await repos.find(repo.id)).toMatchObject({ accessLost, suspended: 'why' });
      await repos.follow({ repoId: repo.id, accessLost: null, at: T0 + 7 });
      expect(await repos.find(repo.id)).toEqual({ ...repo, suspended: 'why', updatedAt: T0 + 7 });
    });

    it('takes no name that another has, but its own in other letters', async () => {
      const { repos } = subject.store;
      const repo = await putRepo(subject.store);
      const other = await putRepo(subject.store, { name: 'octo/other' });
      expect(await repos.follow({ repoId: other.id, name: 'OCTO/Parser', at: T0 })).toBe('name-taken');
      expect(await repos.find(other.id)).toEqual(other);
      expect(await repos.follow({ repoId: repo.id, name: 'OCTO/Parser', at: T0 })).toMatchObject({
        name: 'OCTO/Parser',
      });
    });
  });
}
