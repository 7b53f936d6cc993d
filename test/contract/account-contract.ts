import { describe, expect, it } from 'vitest';
import type { Account, Session } from '../../server/src/core/repo/account.ts';
import { MINUTE, putRepo, T0 } from './records.ts';
import type { Subject } from './store-contract.ts';

/** An account that nobody has signed in with. */
export function newAccount(change: Partial<Account> = {}): Omit<Account, 'id'> {
  return {
    issuer: 'local',
    subject: 'alice',
    name: 'Alice',
    email: undefined,
    administrator: false,
    groups: [],
    password: undefined,
    hostToken: undefined,
    signInCode: undefined,
    disabledAt: undefined,
    createdAt: T0,
    signedInAt: undefined,
    ...change,
  };
}

export function newSession(accountId: number, change: Partial<Session> = {}): Session {
  const times = { createdAt: T0, seenAt: T0, expiresAt: T0 + 60 * MINUTE };
  return { hash: 'session', accountId, ...times, browser: 'curl/8', ...change };
}

export function describeAccounts(subject: Subject): void {
  const putAccount = async (change: Partial<Account> = {}): Promise<Account> => {
    const account = await subject.store.accounts.create(newAccount(change));
    if (account === undefined) throw new Error('the subject is taken');
    return account;
  };

  describe('accounts', () => {
    it('are found by id, and by issuer and subject alone', async () => {
      const { accounts } = subject.store;
      const alice = await putAccount({ groups: ['qa', 'ünit \u0000"'] });
      const other = await putAccount({ issuer: 'https://id.example' });
      expect(await accounts.find(alice.id)).toEqual(alice);
      expect(await accounts.findBySubject('local', 'alice')).toEqual(alice);
      expect(await accounts.findBySubject('https://id.example', 'alice')).toEqual(other);
      expect(await accounts.findBySubject('local', 'Alice')).toBeUndefined();
      expect(await accounts.create(newAccount())).toBeUndefined();
      expect(await accounts.list({ after: undefined, limit: 1 })).toEqual([alice]);
      expect(await accounts.list({ after: alice.id, limit: 9 })).toEqual([other]);
    });

    it('of several that sign in at once for the first time are one', async () => {
      const made = await Promise.all(Array.from({ length: 5 }, () => subject.store.accounts.create(newAccount())));
      expect(made.filter((account) => account !== undefined)).toHaveLength(1);
    });

    it('change by the fields that are given', async () => {
      const { accounts } = subject.store;
      const alice = await putAccount({ password: 'scrypt', email: 'a@example.com' });
      const changed = await accounts.change(alice.id, { name: '$name', email: undefined, disabledAt: T0 + 1 });
      expect(changed).toEqual({ ...alice, name: '$name', email: undefined, disabledAt: T0 + 1 });
      expect(await accounts.find(alice.id)).toEqual(changed);
      expect(await accounts.change(alice.id, {})).toEqual(changed);
      expect(await accounts.change(99, { name: 'x' })).toBeUndefined();
    });

    it('give a code once, in its time', async () => {
      const { accounts } = subject.store;
      const { id } = await putAccount();
      await accounts.change(id, { signInCode: { hash: 'code', expiresAt: T0 + MINUTE } });
      expect(await accounts.takeCode({ id, hash: 'other', at: T0 })).toBe(false);
      expect(await accounts.takeCode({ id, hash: 'code', at: T0 + MINUTE })).toBe(false);
      const taken = await Promise.all([1, 2, 3].map(() => accounts.takeCode({ id, hash: 'code', at: T0 })));
      expect(taken.filter((one) => one)).toHaveLength(1);
    });
  });

  describe('sessions', () => {
    it('are found until they are ended, one or all but one', async () => {
      const { sessions } = subject.store;
      const [alice, bob] = [await putAccount(), await putAccount({ subject: 'bob' })];
      const [one, two, three] = ['1', '2', '3'].map((hash, at) => newSession(alice.id, { hash, createdAt: T0 + at }));
      if (one === undefined || two === undefined || three === undefined) throw new Error('no session');
      const other = newSession(bob.id, { hash: '4' });
      for (const session of [one, two, three, other]) await sessions.open(session, 10);
      await sessions.noteUse('2', T0 + 9);
      expect(await sessions.ofAccount(alice.id)).toEqual([three, { ...two, seenAt: T0 + 9 }, one]);
      await sessions.end('1');
      expect(await sessions.find('1')).toBeUndefined();
      await sessions.endAll(alice.id, '3');
      expect(await sessions.ofAccount(alice.id)).toEqual([three]);
      await sessions.endAll(alice.id);
      expect(await sessions.find('3')).toBeUndefined();
      expect(await sessions.find('4')).toEqual(other);
      await sessions.noteUse('3', T0 + 9);
      expect(await sessions.find('3')).toBeUndefined();
    });

    it('go when they have expired, and the oldest of too many', async () => {
      const { sessions } = subject.store;
      const { id } = await putAccount();
      await sessions.open(newSession(id, { hash: 'short', expiresAt: T0 + 1 }), 2);
      expect(await sessions.find('short')).toBeDefined();
      for (const at of [1, 2, 3]) await sessions.open(newSession(id, { hash: `${at}`, createdAt: T0 + at }), 2);
      expect((await sessions.ofAccount(id)).map(({ hash }) => hash)).toEqual(['3', '2']);
      expect(await sessions.find('short')).toBeUndefined();
    });
  });

  describe('members and share links', () => {
    it('are a repo’s, and go with it', async () => {
      const { members, shares, repos } = subject.store;
      const [alice, bob] = [await putAccount(), await putAccount({ subject: 'bob' })];
      const [repo, other] = [await putRepo(subject.store), await putRepo(subject.store, { name: 'octo/other' })];
      const member = { repoId: repo.id, accountId: bob.id, role: 'reader', by: 'carol', at: T0 } as const;
      expect(await members.put(member)).toBe(true);
      expect(await members.put({ ...member, accountId: alice.id })).toBe(true);
      expect(await members.put({ ...member, role: 'maintainer' })).toBe(true);
      expect(await members.put({ ...member, repoId: other.id })).toBe(true);
      expect(await members.put({ ...member, repoId: 99 })).toBe(false);
      expect(await members.role(repo.id, bob.id)).toBe('maintainer');
      expect(await members.role(other.id, alice.id)).toBeUndefined();
      expect((await members.ofRepo(repo.id)).map(({ accountId }) => accountId)).toEqual([alice.id, bob.id]);
      expect((await members.ofAccount(bob.id)).map(({ repoId }) => repoId)).toEqual([repo.id, other.id]);
      expect(await members.remove(repo.id, alice.id)).toBe(true);
      expect(await members.remove(repo.id, alice.id)).toBe(false);
      const link = { repoId: repo.id, hash: 'link', name: 'Board', source: false, by: 'carol' } as const;
      const share = await shares.create({ ...link, createdAt: T0, expiresAt: T0 + 1 });
      await repos.remove({ repoId: repo.id, description: 'repo was removed', at: T0 });
      expect(await members.ofAccount(bob.id)).toHaveLength(1);
      expect(await members.role(repo.id, bob.id)).toBeUndefined();
      expect(share?.id).toBeGreaterThan(0);
      expect(await shares.findByHash('link')).toBeUndefined();
    });

    it('are found by the hash of their token until they are revoked', async () => {
      const { shares } = subject.store;
      const repo = await putRepo(subject.store);
      const fresh = { repoId: repo.id, name: 'Board', source: true, by: 'carol', createdAt: T0, expiresAt: T0 + 1 };
      const one = await shares.create({ ...fresh, hash: '1' });
      const two = await shares.create({ ...fresh, hash: '2' });
      expect(await shares.create({ ...fresh, repoId: 99, hash: '3' })).toBeUndefined();
      expect(one).toEqual({ ...fresh, id: one?.id, hash: '1' });
      expect(await shares.findByHash('1')).toEqual(one);
      expect(await shares.ofRepo(repo.id)).toEqual([two, one]);
      expect(await shares.revoke(99, one?.id ?? 0)).toBe(false);
      expect(await shares.revoke(repo.id, one?.id ?? 0)).toBe(true);
      expect(await shares.revoke(repo.id, one?.id ?? 0)).toBe(false);
      expect(await shares.findByHash('1')).toBeUndefined();
    });
  });

  describe('personal tokens of an account', () => {
    it('are listed newest first until they are revoked, with their last use', async () => {
      const { tokens } = subject.store;
      const { id: accountId } = await putAccount();
      const fresh = { user: 'alice', role: 'user', ending: 'wxyz', createdAt: T0, accountId, name: 'laptop' } as const;
      const one = await tokens.create({ ...fresh, hash: '1', expiresAt: T0 + MINUTE });
      const two = await tokens.create({ ...fresh, hash: '2' });
      await tokens.create({ user: 'alice', role: 'user', ending: 'wxyz', createdAt: T0, hash: '3' });
      await tokens.noteUse(one.id, T0 + 5);
      expect(await tokens.ofAccount(accountId)).toEqual([two, { ...one, usedAt: T0 + 5 }]);
      await tokens.revoke(two.id, T0 + 1);
      expect(await tokens.ofAccount(accountId)).toEqual([{ ...one, usedAt: T0 + 5 }]);
      await tokens.noteUse(99, T0);
    });
  });
}
