import { describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../server/src/core/repo/audit.ts';
import { MAX_USES } from '../../server/src/core/repo/token-use.ts';
import { newAccount, newSession } from './account-contract.ts';
import { accept, newRepo, putRepo, T0 } from './records.ts';
import type { Subject } from './store-contract.ts';

const BY = { by: { kind: 'admin-token' }, address: '192.0.2.1' } as const;
const entry = (action: AuditEntry['action'], more: Partial<AuditEntry> = {}): AuditEntry => ({
  ...BY,
  action,
  at: T0,
  ...more,
});

export function describeAudit(subject: Subject): void {
  const all = async () => subject.store.audit.list({ newestFirst: false, limit: 99 });
  const told = async () => (await all()).map(({ action }) => action);

  describe('the audit log', () => {
    it('holds what a change brings, with the ids that it gave', async () => {
      const { repos, tokens, accounts, shares, sessions } = subject.store;
      const repo = await repos.create(newRepo(), entry('repo.made'));
      const token = { user: 'alice', role: 'user', hash: 'h', ending: 'wxyz', createdAt: T0 } as const;
      const made = await tokens.create(token, entry('token.made'));
      const account = await accounts.create(newAccount(), entry('account.made'));
      const repoId = repo?.id ?? 0;
      const link = { repoId, hash: 'l', name: 'Board', source: false, by: '', createdAt: T0, expiresAt: T0 };
      const share = await shares.create(link, entry('share-link.made'));
      await sessions.open(newSession(account?.id ?? 0), 9, entry('sign-in.succeeded', { account: account?.id }));
      const named = { id: repoId, name: `github/${repo?.name}` };
      expect(await all()).toEqual([
        { id: 1, ...entry('repo.made', { repo: named }) },
        { id: 2, ...entry('token.made', { token: made.id }) },
        { id: 3, ...entry('account.made', { account: account?.id }) },
        { id: 4, ...entry('share-link.made', { shareLink: share?.id }) },
        { id: 5, ...entry('sign-in.succeeded', { account: account?.id }) },
      ]);
    });

    it('holds every other change too, and outlives the repo', async () => {
      const { repos, tokens, accounts, members, shares, builds } = subject.store;
      const { id: repoId } = await putRepo(subject.store);
      const accountId = (await accounts.create(newAccount()))?.id ?? 0;
      const link = { repoId, hash: 'l', name: 'Board', source: false, by: '', createdAt: T0, expiresAt: T0 };
      const share = await shares.create(link);
      const { id } = await tokens.create({ user: 'a', role: 'user', hash: 'h', ending: 'z', createdAt: T0 });
      const { build } = await accept(subject.store, repoId);
      const excluded = { kind: 'excluded-as-base', excluded: { by: 'a', at: T0 } } as const;
      const token = { lookup: 'next', sealed: 's', expiresAt: undefined };
      await repos.update({ repoId, settings: { minimum: 80 }, at: T0 }, entry('settings.changed'));
      await repos.replaceToken({ repoId, token, oldUntil: undefined, at: T0 }, entry('repo-token.replaced'));
      await members.put({ repoId, accountId, role: 'reader', by: 'a', at: T0 }, entry('member.set'));
      await members.remove(repoId, accountId, entry('member.removed'));
      await shares.revoke(repoId, share?.id ?? 0, entry('share-link.revoked'));
      await tokens.revoke(id, T0, entry('token.revoked'));
      await accounts.change(accountId, { disabledAt: T0 }, entry('account.disabled'));
      await builds.revise({ buildId: build.id, revision: excluded }, entry('base.excluded'));
      await builds.remove(build.id, entry('build.removed'));
      await repos.remove(
        { repoId, description: 'gone', at: T0 },
        entry('repo.removed', { repo: { id: 1, name: 'x' } }),
      );
      const changes = ['settings.changed', 'repo-token.replaced', 'member.set', 'member.removed', 'share-link.revoked'];
      const others = ['token.revoked', 'account.disabled', 'base.excluded', 'build.removed', 'repo.removed'];
      expect(await told()).toEqual([...changes, ...others]);
      expect((await all()).filter(({ unconfirmed }) => unconfirmed)).toEqual([]);
    });

    it('holds nothing of what was not changed', async () => {
      const { repos, tokens, accounts, members, shares, builds } = subject.store;
      await putRepo(subject.store);
      await accounts.create(newAccount());
      await repos.create(newRepo(), entry('repo.made'));
      await accounts.create(newAccount(), entry('account.made'));
      await repos.update({ repoId: 99, settings: { minimum: 80 }, at: T0 }, entry('settings.changed'));
      await members.remove(1, 99, entry('member.removed'));
      await shares.revoke(1, 99, entry('share-link.revoked'));
      await tokens.revoke(99, T0, entry('token.revoked'));
      await accounts.change(99, { disabledAt: T0 }, entry('account.disabled'));
      await builds.revise({ buildId: 99, revision: { kind: 'revisit', at: T0 } }, entry('base.excluded'));
      await builds.remove(99, entry('build.removed'));
      await repos.remove({ repoId: 99, description: 'gone', at: T0 }, entry('repo.removed'));
      expect(await told()).toEqual([]);
    });

    it('tells of new names and suspensions that a git host reports, and of nothing else that it says', async () => {
      const { repos } = subject.store;
      const { id: repoId } = await putRepo(subject.store, { name: 'octo/old' });
      await putRepo(subject.store, { name: 'octo/taken' });
      const seen = { defaultBranch: 'main', visibility: 'private', at: T0 } as const;
      await repos.follow({ repoId, seen, name: 'octo/old', at: T0 });
      await repos.follow({ repoId, name: 'octo/taken', at: T0 });
      await repos.follow({ repoId, name: 'octo/new', at: T0 + 1 });
      await repos.follow({ repoId, whileNamed: 'octo/old', suspended: 'Late.', at: T0 + 2 });
      await repos.follow({ repoId, suspended: 'Gone.', at: T0 + 2 });
      await repos.follow({ repoId, suspended: null, at: T0 + 3 });
      const by = { kind: 'provider', service: 'github' };
      const repo = { id: repoId, name: 'github/octo/new' };
      expect(await all()).toMatchObject([
        { action: 'repo.renamed', at: T0 + 1, by, repo, before: { name: 'octo/old' }, after: { name: 'octo/new' } },
        { action: 'repo.suspended', at: T0 + 2, by, repo, before: { suspended: null }, after: { suspended: 'Gone.' } },
        { action: 'repo.resumed', at: T0 + 3, by, repo },
      ]);
    });

    it('keeps only the number of somebody who was erased, with all that they had', async () => {
      const { accounts, sessions, members, shares, tokens, repos, audit } = subject.store;
      const { id: repoId } = await putRepo(subject.store, { owner: 'alice' });
      const { id = 0 } = (await accounts.create(newAccount(), entry('account.made'))) ?? {};
      const fresh = { user: 'alice', role: 'user', ending: 'wxyz', createdAt: T0 } as const;
      const token = await tokens.create({ ...fresh, hash: 'h' });
      await sessions.open(newSession(id), 9);
      await members.put({ repoId, accountId: id, role: 'reader', by: 'root', at: T0 });
      const other = await accounts.create(newAccount({ subject: 'bob' }));
      await members.put({ repoId, accountId: other?.id ?? 0, role: 'reader', by: 'Alice', at: T0 });
      const link = { repoId, name: 'Board', source: false, createdAt: T0, expiresAt: T0 };
      await shares.create({ ...link, hash: 'of alice', by: 'Alice' });
      await shares.create({ ...link, hash: 'of root', by: 'root' });
      const held = { tokens: [token.id], repos: [repoId], names: ['Alice'] };
      const erasing = entry('account.erased', { account: id });
      expect(await accounts.erase(id, held, erasing)).toEqual({ membersMade: 1, shareLinksMade: 1 });
      expect(await accounts.erase(id, held, erasing)).toBeUndefined();
      expect(await accounts.find(id)).toBeUndefined();
      expect([await tokens.list(), await sessions.ofAccount(id)]).toEqual([[], []]);
      expect(await members.ofRepo(repoId)).toMatchObject([{ accountId: other?.id, by: '(erased)' }]);
      expect((await shares.ofRepo(repoId)).map(({ by }) => by)).toEqual(['root', '(erased)']);
      expect(await repos.find(repoId)).toMatchObject({ owner: '(erased)' });
      const told = await audit.list({ newestFirst: false, limit: 9 });
      expect(told.map(({ action, account }) => [action, account])).toEqual([
        ['account.made', id],
        ['account.erased', id],
      ]);
      expect(JSON.stringify(told)).not.toContain('alice');
    });

    it('is listed in parts, by repo, action and time', async () => {
      const { audit } = subject.store;
      const ids = async (part: Partial<Parameters<typeof audit.list>[0]>) =>
        (await audit.list({ newestFirst: true, limit: 99, ...part })).map(({ id }) => id);
      const of = (id: number, name: string) => ({ repo: { id, name } });
      await audit.record(entry('repo.made', of(7, 'manual/Acme/One')));
      await audit.record(entry('repo.renamed', { ...of(7, 'manual/acme/two'), at: T0 + 1 }));
      await audit.record(entry('repo.made', { ...of(8, 'manual/acme/one'), at: T0 + 2 }));
      await audit.record(entry('sign-in.failed', { at: T0 + 3, omitted: 4 }));
      expect(await ids({})).toEqual([4, 3, 2, 1]);
      expect(await ids({ limit: 2 })).toEqual([4, 3]);
      expect(await ids({ limit: 2, beyond: 3 })).toEqual([2, 1]);
      expect(await ids({ newestFirst: false, beyond: 1, limit: 2 })).toEqual([2, 3]);
      expect(await ids({ action: 'repo.made' })).toEqual([3, 1]);
      expect(await ids({ repo: 'manual/ACME/one' })).toEqual([3, 2, 1]);
      expect(await ids({ repo: 'manual/acme/two', newestFirst: false })).toEqual([1, 2]);
      expect(await ids({ repo: 'manual/acme/one', action: 'repo.made' })).toEqual([3, 1]);
      expect(await ids({ repo: 'manual/acme/three' })).toEqual([]);
      expect(await ids({ since: T0 + 1, until: T0 + 3 })).toEqual([3, 2]);
    });

    it('loses what is older than it is kept, and gives no id twice', async () => {
      const { audit } = subject.store;
      await audit.record(entry('repo.made'));
      await audit.record(entry('repo.removed', { at: T0 + 1 }));
      expect(await audit.sweep(T0 + 1)).toBe(1);
      expect(await audit.sweep(T0 + 2)).toBe(1);
      await audit.record(entry('repo.made'));
      expect((await all()).map(({ id }) => id)).toEqual([3]);
    });
  });

  describe('uses of repo tokens', () => {
    const use = (repoId: number, named: string, at: number) => ({ repoId, named, client: `client/${at}`, at });

    it('are the last of each name, newest first and bounded; they go with the token and with the repo', async () => {
      const { tokenUses, repos } = subject.store;
      const [one, other] = [await putRepo(subject.store), await putRepo(subject.store, { name: 'octo/other' })];
      await tokenUses.note(use(one.id, 'a/b', T0));
      await tokenUses.note(use(one.id, '', T0 + 1));
      await tokenUses.note(use(one.id, 'a/b', T0 + 2));
      await tokenUses.note(use(99, '', T0));
      expect(await tokenUses.ofRepo(one.id)).toEqual([use(one.id, 'a/b', T0 + 2), use(one.id, '', T0 + 1)]);
      expect(await tokenUses.ofRepo(99)).toEqual([]);
      for (let n = 0; n < MAX_USES + 2; n += 1) await tokenUses.note(use(other.id, `a/${n}`, T0 + n));
      const kept = await tokenUses.ofRepo(other.id);
      expect([kept.length, kept.at(-1)?.named]).toEqual([MAX_USES, 'a/2']);
      const token = { lookup: 'next', sealed: 's', expiresAt: undefined };
      await repos.replaceToken({ repoId: one.id, token, oldUntil: undefined, at: T0 });
      expect(await tokenUses.ofRepo(one.id)).toEqual([]);
      await repos.remove({ repoId: other.id, description: 'gone', at: T0 });
      expect(await tokenUses.ofRepo(other.id)).toEqual([]);
    });
  });
}
