import { describe, expect, it } from 'vitest';
import { MINUTE, newRepo, putRepo, T0 } from './records.ts';
import type { Subject } from './store-contract.ts';

const token = (text: string) => ({ lookup: `lookup ${text}`, sealed: `sealed ${text}`, expiresAt: undefined });

export function describeRepos(subject: Subject): void {
  describe('repos', () => {
    it('creates a repo and finds it', async () => {
      const { repos } = subject.store;
      const settings = { ...newRepo().settings, minimum: 66.67, expectedFlags: ['unit', 'ünit \u0000"\''] };
      const repo = await repos.create(newRepo({ settings }));
      expect(repo).toMatchObject({
        service: 'github',
        name: 'octo/parser',
        owner: 'alice',
        settings,
        createdAt: T0,
        updatedAt: T0,
      });
      expect(repo?.providerId).toBeUndefined();
      expect(repo).not.toHaveProperty('token');
      expect(await repos.find(repo?.id ?? 0)).toEqual(repo);
      expect(await repos.findByName('github', 'octo/parser')).toEqual(repo);
      expect(await repos.find(99)).toBeUndefined();
      expect(await repos.findByName('gitlab', 'octo/parser')).toBeUndefined();
    });

    it('keeps the id that the provider gave, where it is known', async () => {
      const { repos } = subject.store;
      const repo = await putRepo(subject.store, { providerId: '3000000001' });
      expect(repo.providerId).toBe('3000000001');
      expect(await repos.find(repo.id)).toEqual(repo);
      const set = await repos.update({ repoId: repo.id, settings: { minimum: 80 }, at: T0 + 1 });
      expect(set?.providerId).toBe('3000000001');
    });

    it('takes a name once per service, whatever its case, and keeps the case that was given', async () => {
      const { repos } = subject.store;
      const first = await putRepo(subject.store, { name: 'Octo/Parser' });
      expect(await repos.create(newRepo({ name: 'octo/parser' }))).toBeUndefined();
      expect(await repos.create(newRepo({ name: 'octo/parser', service: 'gitlab' }))).toBeDefined();
      expect(await repos.findByName('github', 'OCTO/PARSER')).toEqual(first);
      expect(first.name).toBe('Octo/Parser');
    });

    it('stores nothing of a repo whose name is taken', async () => {
      const { repos } = subject.store;
      await putRepo(subject.store);
      await repos.create(newRepo({ token: token('other') }));
      expect(await repos.findByToken(['lookup other'], T0)).toBeUndefined();
      expect(await repos.listTokens()).toHaveLength(1);
    });

    it('lets one of several creations at once win', async () => {
      const made = await Promise.all(
        Array.from({ length: 5 }, (_, n) => subject.store.repos.create(newRepo({ token: token(`${n}`) }))),
      );
      expect(made.filter((repo) => repo !== undefined)).toHaveLength(1);
    });

    it('lists all of an owner by name, whatever the case, and nobody else’s', async () => {
      const { repos } = subject.store;
      for (const name of ['Octo/parser', 'octo/Lexer', 'octo-2/parser', 'octo0/a', 'oct/a', 'octopus/a'])
        await putRepo(subject.store, { name });
      await putRepo(subject.store, { name: 'octo/other', service: 'gitlab' });
      const gone = await putRepo(subject.store, { name: 'octo/gone' });
      await repos.remove({ repoId: gone.id, description: 'repo was removed', at: T0 });
      expect((await repos.ofOwner('github', 'OCTO')).map(({ name }) => name)).toEqual(['octo/Lexer', 'Octo/parser']);
      expect(await repos.ofOwner('github', 'octo')).toContainEqual(await repos.findByName('github', 'octo/parser'));
      expect(await repos.ofOwner('github', 'nobody')).toEqual([]);
    });

    it('lists all by service and name, a part at a time, without those that were removed', async () => {
      const { repos } = subject.store;
      for (const name of ['octo/b', 'Octo/a', 'octo/c']) await putRepo(subject.store, { name });
      await putRepo(subject.store, { name: 'octo/a', service: 'gitlab' });
      const gone = await putRepo(subject.store, { name: 'octo/bb' });
      await repos.remove({ repoId: gone.id, description: 'repo was removed', at: T0 });
      const shown = (found: readonly { service: string; name: string }[]) =>
        found.map((one) => `${one.service} ${one.name}`);
      const first = await repos.list({ after: undefined, limit: 2 });
      expect(shown(first)).toEqual(['github Octo/a', 'github octo/b']);
      expect(shown(await repos.list({ after: first[1], limit: 9 }))).toEqual(['github octo/c', 'gitlab octo/a']);
      expect(await repos.list({ after: { service: 'manual', name: 'z' }, limit: 9 })).toEqual([]);
    });

    it('changes the settings that are given, nothing else', async () => {
      const { repos } = subject.store;
      const repo = await putRepo(subject.store);
      const settings = { minimum: 80, patchMinimum: 'base', defaultBranch: 'main' } as const;
      const set = await repos.update({ repoId: repo.id, settings, at: T0 + 1 });
      expect(set).toEqual({ ...repo, settings: { ...repo.settings, ...settings }, updatedAt: T0 + 1 });
      const unset = await repos.update({ repoId: repo.id, settings: { defaultBranch: undefined }, at: T0 + 2 });
      expect(unset?.settings).toEqual({ ...repo.settings, minimum: 80, patchMinimum: 'base' });
      expect(await repos.find(repo.id)).toEqual(unset);
      expect(await repos.update({ repoId: 99, settings: {}, at: T0 })).toBeUndefined();
    });
  });

  describe('a token of the git host', () => {
    it('stays with its repo through other changes, until it is replaced or taken away', async () => {
      const { repos, audit } = subject.store;
      const repo = await putRepo(subject.store);
      const other = await putRepo(subject.store, { name: 'octo/other' });
      const first = { sealed: '$first', at: T0 + 1 };
      const entry = { by: { kind: 'admin-token' }, action: 'host-token.set', at: T0 + 1 } as const;
      expect(await repos.setHostToken({ repoId: repo.id, token: first }, entry)).toBe(true);
      await repos.update({ repoId: repo.id, settings: { minimum: 80 }, at: T0 + 2 });
      await repos.follow({ repoId: repo.id, name: 'octo/renamed', at: T0 + 3 });
      expect(await repos.findByName('github', 'octo/renamed')).toMatchObject({ hostToken: first });
      expect((await repos.find(other.id))?.hostToken).toBeUndefined();
      const second = { sealed: 'second', at: T0 + 1 };
      expect(await repos.setHostToken({ repoId: repo.id, token: second, was: 'another' })).toBe(false);
      expect(await repos.setHostToken({ repoId: repo.id, token: second, was: '$first' })).toBe(true);
      expect((await repos.find(repo.id))?.hostToken).toEqual(second);
      expect(await repos.setHostToken({ repoId: repo.id, token: undefined }, entry)).toBe(true);
      expect(await repos.find(repo.id)).not.toHaveProperty('hostToken.sealed');
      // There is none any more, so nothing is done that anybody would read of.
      expect(await repos.setHostToken({ repoId: repo.id, token: undefined }, entry)).toBe(false);
      expect(await repos.setHostToken({ repoId: 99, token: first }, entry)).toBe(false);
      expect(await audit.list({ action: 'host-token.set', newestFirst: true, limit: 9 })).toHaveLength(2);
    });
  });

  describe('repo tokens', () => {
    it('finds a repo by any of the lookups', async () => {
      const { repos } = subject.store;
      const repo = await putRepo(subject.store, { token: token('one') });
      expect(await repos.findByToken(['lookup none', 'lookup one'], T0)).toEqual(repo);
      expect(await repos.findByToken(['lookup none'], T0)).toBeUndefined();
      expect(await repos.findByToken([], T0)).toBeUndefined();
      expect(await repos.readToken(repo.id)).toEqual(token('one'));
      expect(await repos.readToken(99)).toBeUndefined();
    });

    it('lets the old token work until its grace period is over', async () => {
      const { repos } = subject.store;
      const repo = await putRepo(subject.store, { token: token('old') });
      const oldUntil = T0 + MINUTE;
      expect(await repos.replaceToken({ repoId: repo.id, token: token('new'), oldUntil, at: T0 })).toBe(true);
      expect(await repos.readToken(repo.id)).toEqual(token('new'));
      expect(await repos.findByToken(['lookup old'], oldUntil - 1)).toEqual(repo);
      expect(await repos.findByToken(['lookup old'], oldUntil)).toBeUndefined();
      expect(await repos.findByToken(['lookup old', 'lookup new'], oldUntil)).toEqual(repo);
      expect((await repos.listTokens()).map(({ expiresAt }) => expiresAt)).toEqual([oldUntil, undefined]);
    });

    it('ends every earlier token at once where no grace is given', async () => {
      const { repos } = subject.store;
      const repo = await putRepo(subject.store, { token: token('first') });
      await repos.replaceToken({ repoId: repo.id, token: token('second'), oldUntil: T0 + MINUTE, at: T0 });
      await repos.replaceToken({ repoId: repo.id, token: token('third'), oldUntil: undefined, at: T0 });
      expect(await repos.findByToken(['lookup first', 'lookup second'], T0)).toBeUndefined();
      expect(await repos.findByToken(['lookup third'], T0)).toEqual(repo);
      expect(await repos.replaceToken({ repoId: 99, token: token('x'), oldUntil: undefined, at: T0 })).toBe(false);
      expect(await repos.findByToken(['lookup x'], T0)).toBeUndefined();
    });

    it('reseals one token', async () => {
      const { repos } = subject.store;
      const repo = await putRepo(subject.store, { token: token('one') });
      const other = await putRepo(subject.store, { name: 'octo/other', token: token('two') });
      const [stored] = await repos.listTokens();
      await repos.resealToken(stored?.id ?? 0, { lookup: 'lookup new key', sealed: 'sealed new key' });
      expect(await repos.findByToken(['lookup new key'], T0)).toEqual(repo);
      expect(await repos.findByToken(['lookup one'], T0)).toBeUndefined();
      expect(await repos.findByToken(['lookup two'], T0)).toEqual(other);
      expect((await repos.readToken(repo.id))?.sealed).toBe('sealed new key');
    });
  });
}

export function describeTokens(subject: Subject): void {
  describe('personal tokens', () => {
    const fresh = { user: 'alice', role: 'administrator', hash: 'hash 1', ending: 'wxyz', createdAt: T0 } as const;

    it('finds a token by its hash until it is revoked', async () => {
      const { tokens } = subject.store;
      const token = await tokens.create(fresh);
      expect(token).toEqual({ ...fresh, id: token.id, revokedAt: undefined });
      expect(await tokens.findByHash('hash 1')).toEqual(token);
      expect(await tokens.findByHash('hash 2')).toBeUndefined();
      expect(await tokens.revoke(token.id, T0 + 1)).toBe(true);
      expect(await tokens.findByHash('hash 1')).toBeUndefined();
    });

    it('lists revoked ones too, with the first time', async () => {
      const { tokens } = subject.store;
      const first = await tokens.create(fresh);
      const second = await tokens.create({ ...fresh, user: 'bob', role: 'user', hash: 'hash 2' });
      await tokens.revoke(first.id, T0 + 1);
      expect(await tokens.revoke(first.id, T0 + 2)).toBe(true);
      expect(await tokens.revoke(99, T0)).toBe(false);
      expect(await tokens.list()).toEqual([{ ...first, revokedAt: T0 + 1 }, second]);
    });
  });
}
