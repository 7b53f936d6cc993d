import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createCurrentGroups } from '../../server/src/access/current-groups.ts';
import type { Account } from '../../server/src/core/repo/account.ts';
import type { CurrentGroups } from '../../server/src/ports/access.ts';
import type { Services } from '../../server/src/services/services.ts';
import type { Store } from '../../server/src/storage/store.ts';
import { createLogbook } from '../support/logbook.ts';
import { newAccount } from './account-contract.ts';
import { MINUTE, T0 } from './records.ts';
import type { Subject } from './store-contract.ts';

const ISSUER = 'https://id.example';
const HOUR = 60 * MINUTE;

/** Servers on these stores, and a provider whose refresh tokens work once. */
export function openGroups(stores: readonly Store[]) {
  let now = T0;
  let valid = 'refresh-0';
  let groups: readonly string[] = ['ops'];
  let meanwhile = (): Promise<unknown> => wait(1);
  const seen = { asked: 0, reused: 0 };
  const refuse = async (): Promise<never> => {
    throw new Error('not asked here');
  };
  const openId = {
    key: 'openid',
    name: 'Acme ID',
    issuer: ISSUER,
    begin: refuse,
    finish: refuse,
    offersRefresh: async () => true,
    async askAgain({ refresh }: { readonly refresh: string }) {
      seen.asked += 1;
      if (refresh !== valid) seen.reused += 1;
      if (refresh !== valid) return undefined;
      valid = `refresh-${seen.asked}`;
      await meanwhile();
      return { refresh: valid, groups };
    },
  };
  const secrets: Pick<Services['secrets'], 'sealText' | 'openText'> = {
    sealText: (text) => `sealed ${text}`,
    openText: (text) => text.slice(7),
  };
  const servers = stores.map(({ accounts }) =>
    createCurrentGroups({
      accounts,
      openId,
      config: { groupsMaxAge: 12 * HOUR, adminGroup: { issuer: ISSUER, group: 'ops' }, groupRoles: [] },
      secrets: secrets as Services['secrets'],
      clock: { now: () => now },
      timers: { sleep: () => wait(1) } as unknown as Services['timers'],
      logger: createLogbook(),
    }),
  );
  return {
    seen,
    servers,
    pass: (ms: number) => {
      now += ms;
    },
    /** What the provider says from now on, and what happens while it is asked. */
    say(said: readonly string[], during: () => Promise<unknown>) {
      groups = said;
      meanwhile = during;
    },
    now: () => now,
  };
}

export async function putPerson({ accounts }: Store, change: Partial<Account> = {}): Promise<Account> {
  const refresh = { issuer: ISSUER, groups: ['ops'], groupsAt: T0, refreshToken: 'sealed refresh-0' };
  const account = await accounts.create(newAccount({ ...refresh, ...change }));
  if (account === undefined) throw new Error('the subject is taken');
  return account;
}

/** Each server asks at once; answers whose groups each of them sees. */
export async function askAll(servers: readonly CurrentGroups[], { accounts }: Store, id: number) {
  const account = await accounts.find(id);
  if (account === undefined) throw new Error('the account went');
  return Promise.all(servers.map(async (one) => (await one.of(account)).groups));
}

export function describeGroups(subject: Subject): void {
  describe('groups', () => {
    it('change only while their account is as it was, for one of several', async () => {
      const { accounts } = subject.store;
      const { id, groupsAt } = await putPerson(subject.store);
      const was = { groupsAt, groupsAskedUntil: undefined };
      const claims = await Promise.all(
        [1, 2, 3].map((n) => accounts.change(id, { groupsAskedUntil: n }, undefined, was)),
      );
      const [claimed, ...others] = claims.filter((one) => one !== undefined);
      expect(others).toEqual([]);
      expect(await accounts.find(id)).toEqual(claimed);
      expect(await accounts.change(id, { groups: [] }, undefined, { refreshToken: undefined })).toBeUndefined();
      const { groupsAskedUntil, refreshToken } = claimed ?? {};
      const mine = { groupsAskedUntil, refreshToken };
      const settled = await accounts.change(id, { groups: [], groupsAskedUntil: undefined }, undefined, mine);
      expect(settled).toMatchObject({ id, groups: [], groupsAt: T0 });
      expect(settled?.groupsAskedUntil).toBeUndefined();
    });

    it('are asked for by one server at a time, whose answer all of them take', async () => {
      const { id } = await putPerson(subject.store);
      const { servers, seen, pass } = openGroups([subject.store, subject.store, subject.store]);
      for (const hours of [13, 26, 39]) {
        pass(13 * HOUR);
        expect(await askAll(servers, subject.store, id)).toEqual([['ops'], ['ops'], ['ops']]);
        expect(seen).toEqual({ asked: hours / 13, reused: 0 });
      }
    });

    it('are asked for again where the server that asked has died', async () => {
      const { servers, seen, pass, now } = openGroups([subject.store]);
      const { id } = await putPerson(subject.store, { groupsAskedUntil: now() + 13 * HOUR + MINUTE });
      pass(13 * HOUR);
      expect(await askAll(servers, subject.store, id)).toEqual([[]]);
      pass(2 * MINUTE);
      expect(await askAll(servers, subject.store, id)).toEqual([['ops']]);
      expect(seen).toEqual({ asked: 1, reused: 0 });
    });

    it('of a sign-in in the meantime stay, whatever the answer of before says', async () => {
      const { accounts } = subject.store;
      const { id } = await putPerson(subject.store);
      const { servers, pass, say, now } = openGroups([subject.store]);
      pass(13 * HOUR);
      const fresh = { groups: ['ops'], groupsAt: now(), refreshToken: 'sealed new', groupsAskedUntil: undefined };
      say([], () => accounts.change(id, fresh));
      expect(await askAll(servers, subject.store, id)).toEqual([['ops']]);
      expect(await accounts.find(id)).toMatchObject({ groups: ['ops'], refreshToken: 'sealed new' });
    });
  });
}
