import { ERASED_NAME } from '../../core/builds/erased-person.ts';
import { type Account, ERASED_OWNER } from '../../core/repo/account.ts';
import type { AccountStore, SessionStore } from '../account-store.ts';
import type { AuditRows } from './audit-log.ts';
import { RECORD } from './build-rows.ts';
import type { Connection } from './connection.ts';
import type { NextId } from './counters.ts';
import { isDuplicate } from './errors.ts';
import { assign } from './server-time.ts';
import { tablesOf } from './table.ts';

/** People who may sign in, in MongoDB. */
export function createAccountStore(connection: Connection, audits: AuditRows, nextId: NextId): AccountStore {
  const { collections, run } = connection;
  const { accounts, sessions, members, personalTokens, repos } = tablesOf(connection);
  const findBySubject: AccountStore['findBySubject'] = async (issuer, subject) =>
    (await accounts.one({ issuer, subject }, RECORD))?.record;
  return {
    async create(fresh, audit) {
      const { issuer, subject } = fresh;
      // Ids are not spent on subjects that are known; the index decides between two that come together.
      if ((await findBySubject(issuer, subject)) !== undefined) return undefined;
      const account: Account = { id: await run(() => nextId('account')), ...fresh };
      return audits.write(audit && { ...audit, account: account.id }, async () => {
        try {
          await run(() => collections.accounts.insertOne({ _id: account.id, issuer, subject, record: account }));
          return account;
        } catch (error) {
          if (isDuplicate(error)) return undefined;
          throw error;
        }
      });
    },
    find: async (id) => (await accounts.one({ _id: id }, RECORD))?.record,
    findBySubject,
    list: async ({ after = 0, limit }) =>
      (await accounts.list({ _id: { $gt: after } }, { ...RECORD, sort: { _id: 1 }, limit })).map(
        ({ record }) => record,
      ),
    async change(id, fields, audit, was = {}) {
      const entries = Object.entries(fields).map(([name, value]) => [`record.${name}`, value]);
      // null: the field is not there.
      const state = Object.entries(was).map(([name, value]) => [`record.${name}`, value ?? null]);
      const filter = { _id: id, ...Object.fromEntries(state) };
      if (entries.length === 0) return (await accounts.one(filter, RECORD))?.record;
      const change = [assign(Object.fromEntries(entries))];
      return audits.write(audit, async () => (await accounts.change(filter, change, RECORD))?.record);
    },
    erase: (id, held, audit) =>
      audits.write(audit, async () => {
        const theirs = { 'record.by': { $in: [...held.names] } };
        const unsigned = { $set: { 'record.by': ERASED_NAME } };
        const membersMade = await run(() => collections.members.updateMany(theirs, unsigned));
        const shareLinksMade = await run(() => collections.shareLinks.updateMany(theirs, unsigned));
        await personalTokens.remove({ _id: { $in: [...held.tokens] } });
        await repos.updateAll({ _id: { $in: [...held.repos] } }, { $set: { 'record.owner': ERASED_OWNER } });
        await sessions.remove({ 'record.accountId': id });
        await members.remove({ accountId: id });
        if ((await accounts.remove({ _id: id })) === 0) return undefined;
        return { membersMade: membersMade.modifiedCount, shareLinksMade: shareLinksMade.modifiedCount };
      }),
    takeCode: ({ id, hash, at }) =>
      accounts.update(
        { _id: id, 'record.signInCode.hash': hash, 'record.signInCode.expiresAt': { $gt: at } },
        { $unset: { 'record.signInCode': '' } },
      ),
  };
}

const NEWEST_FIRST = { sort: { 'record.createdAt': -1 } } as const;

/** Browsers that are signed in, in MongoDB. */
export function createSessionStore(connection: Connection, audits: AuditRows): SessionStore {
  const { collections, run } = connection;
  const { sessions } = tablesOf(connection);
  const ofAccount: SessionStore['ofAccount'] = async (accountId) =>
    (await sessions.list({ 'record.accountId': accountId }, NEWEST_FIRST)).map(({ record }) => record);
  return {
    async open(session, most, audit) {
      await sessions.remove({ 'record.expiresAt': { $lte: session.createdAt } });
      const document = { _id: session.hash, record: session };
      await audits.write(audit, () => run(() => collections.sessions.insertOne(document)));
      const beyond = (await ofAccount(session.accountId)).slice(most);
      if (beyond.length > 0) await sessions.remove({ _id: { $in: beyond.map(({ hash }) => hash) } });
    },
    find: async (hash) => (await sessions.one({ _id: hash }))?.record,
    noteUse: async (hash, at) => void (await sessions.update({ _id: hash }, { $set: { 'record.seenAt': at } })),
    ofAccount,
    end: async (hash) => void (await sessions.remove({ _id: hash })),
    endAll: async (accountId, except = '') =>
      void (await sessions.remove({ 'record.accountId': accountId, _id: { $ne: except } })),
  };
}
