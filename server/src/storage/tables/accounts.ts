import { ERASED_NAME } from '../../core/builds/erased-person.ts';
import { type Account, ERASED_OWNER, type Session } from '../../core/repo/account.ts';
import type { AccountState, AccountStore, SessionStore } from '../account-store.ts';
import type { Declaration, Units } from '../table.ts';
import { MEMBERS, SHARE_LINKS } from './members.ts';
import { REPOS } from './repos.ts';
import { PERSONAL_TOKENS } from './tokens.ts';

export const ACCOUNTS: Declaration<Account, 'accounts'> = {
  name: 'accounts',
  key: ['id'],
  columns: ['issuer', 'subject'],
  beside: ['issuer', 'subject'],
  indexes: [['by_subject', { issuer: 1, subject: 1 }, 'the account of a sign-in', { unique: true }]],
  copied: 'account',
  words: 'accounts',
};

export const SESSIONS: Declaration<Session, 'sessions'> = {
  name: 'sessions',
  key: ['hash'],
  columns: ['accountId', 'createdAt', 'expiresAt'],
  indexes: [
    ['of_account', { 'record.accountId': 1, 'record.createdAt': -1 }, 'somebody’s sessions'],
    ['expiring', { 'record.expiresAt': 1 }, 'sessions that have expired'],
  ],
  words: 'sessions',
};

/** People who may sign in. */
export function createAccountStore(units: Units): AccountStore {
  const { table, nextId, audited, read, write } = units;
  const accounts = table(ACCOUNTS);
  return {
    create: ({ issuer, subject, ...fresh }, audit) =>
      write(function* () {
        // Ids are not spent on subjects that are known; the index decides between two that come together.
        if ((yield* accounts.one({ issuer, subject })) !== undefined) return undefined;
        const account: Account = { id: yield* nextId('account'), issuer, subject, ...fresh };
        return yield* audited(audit && { ...audit, account: account.id }, function* () {
          return (yield* accounts.insert(account)) ? account : undefined;
        });
      }),
    find: (id) => read(() => accounts.one({ id })),
    findBySubject: (issuer, subject) => read(() => accounts.one({ issuer, subject })),
    list: ({ after = 0, limit }) => read(() => accounts.list({ after: [after], limit })),
    change: (id, fields, audit, was = {}) =>
      write(() => {
        const names = Object.keys(was) as (keyof AccountState)[];
        const isMeant = (account: Account) => names.every((name) => account[name] === was[name]);
        return audited(audit, () =>
          accounts.change([id], (account) => (account && isMeant(account) ? { ...account, ...fields } : undefined)),
        );
      }),
    erase: createErase(units),
    takeCode: ({ id, hash, at }) =>
      write(function* () {
        const taken = yield* accounts.change([id], (account) => {
          const isGood = account?.signInCode?.hash === hash && account.signInCode.expiresAt > at;
          return isGood ? { ...account, signInCode: undefined } : undefined;
        });
        return taken !== undefined;
      }),
  };
}

function createErase({ table, audited, write }: Units): AccountStore['erase'] {
  const [accounts, sessions, members, shares] = [table(ACCOUNTS), table(SESSIONS), table(MEMBERS), table(SHARE_LINKS)];
  const [tokens, repos] = [table(PERSONAL_TOKENS), table(REPOS)];
  return (id, held, audit) =>
    write(() =>
      audited(audit, function* () {
        if ((yield* accounts.one({ id })) === undefined) return undefined;
        const theirs = { by: { in: held.names } };
        const membersMade = yield* members.set(theirs, { by: ERASED_NAME });
        const shareLinksMade = yield* shares.set(theirs, { by: ERASED_NAME });
        for (const token of held.tokens) yield* tokens.remove({ id: token });
        for (const repo of held.repos) yield* repos.set({ id: repo }, { owner: ERASED_OWNER });
        yield* sessions.remove({ accountId: id });
        yield* members.remove({ accountId: id });
        // The last step, so that what is repeated completes what was cut off.
        return (yield* accounts.remove({ id })) === 0 ? undefined : { membersMade, shareLinksMade };
      }),
    );
}

/** Browsers that are signed in. */
export function createSessionStore({ table, audited, read, write }: Units): SessionStore {
  const sessions = table(SESSIONS);
  const newest = (accountId: number, skip = 0) =>
    sessions.list({ where: { accountId }, by: ['createdAt'], newestFirst: true, skip });
  return {
    open: (session, max, audit) =>
      write(function* () {
        yield* sessions.remove({ expiresAt: { atMost: session.createdAt } });
        yield* audited(audit, () => sessions.put(session));
        for (const { hash } of yield* newest(session.accountId, max)) yield* sessions.remove({ hash });
      }),
    find: (hash) => read(() => sessions.one({ hash })),
    noteUse: async (hash, at) => void (await write(() => sessions.set({ hash }, { seenAt: at }))),
    ofAccount: (accountId) => read(() => newest(accountId)),
    end: async (hash) => void (await write(() => sessions.remove({ hash }))),
    endAll: async (accountId, except = '') =>
      void (await write(() => sessions.remove({ accountId, hash: { not: except } }))),
  };
}
