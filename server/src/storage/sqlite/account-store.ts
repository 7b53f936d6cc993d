import { ERASED_NAME } from '../../core/builds/erased-person.ts';
import { type Account, ERASED_OWNER, type Session } from '../../core/repo/account.ts';
import type { AccountState, AccountStore, SessionStore } from '../account-store.ts';
import type { AuditRows } from './audit-log.ts';
import type { Connection } from './connection.ts';
import type { NextId } from './counters.ts';
import { readRecord, selectRecord, selectRecords, writeRecord } from './records.ts';

export const INSERT_ACCOUNT = 'INSERT INTO accounts (id, issuer, subject, record) VALUES (?, ?, ?, ?)';

/** People who may sign in, in SQLite. */
export function createAccountStore(connection: Connection, audits: AuditRows, nextId: NextId): AccountStore {
  const { prepare, write } = connection;
  const byId = prepare('SELECT record FROM accounts WHERE id = ?');
  const bySubject = prepare('SELECT record FROM accounts WHERE issuer = ? AND subject = ?');
  const insert = prepare(INSERT_ACCOUNT);
  const update = prepare('UPDATE accounts SET record = ? WHERE id = ?');
  const removals = ['sessions WHERE account_id', 'members WHERE account_id', 'accounts WHERE id'].map((rows) =>
    prepare(`DELETE FROM ${rows} = ?`),
  );
  const unsign = (table: string) =>
    prepare(`
      UPDATE ${table} SET record = json_set(record, '$.by', '${ERASED_NAME}')
      WHERE record ->> '$.by' IN (SELECT value FROM json_each(?))`);
  const [unsignMembers, unsignShares] = [unsign('members'), unsign('share_links')];
  const removeToken = prepare('DELETE FROM personal_tokens WHERE id = ?');
  const disown = prepare("UPDATE repos SET record = json_set(record, '$.owner', ?) WHERE id = ?");
  const list = selectRecords<Account>(connection, 'SELECT record FROM accounts WHERE id > ? ORDER BY id LIMIT ?');
  const find = selectRecord<Account>(connection, 'SELECT record FROM accounts WHERE id = ?');
  return {
    create: async (fresh, audit) =>
      write(() => {
        if (bySubject.get(fresh.issuer, fresh.subject) !== undefined) return undefined;
        const account: Account = { id: nextId('account'), ...fresh };
        if (audit !== undefined) audits.insert({ ...audit, account: account.id });
        insert.run(account.id, account.issuer, account.subject, writeRecord(account));
        return account;
      }),
    find,
    findBySubject: selectRecord<Account>(connection, 'SELECT record FROM accounts WHERE issuer = ? AND subject = ?'),
    list: ({ after = 0, limit }) => list(after, limit),
    change: async (id, fields, audit, was = {}) =>
      audits.write(audit, () => {
        const account = readRecord<Account>(byId.get(id));
        const names = Object.keys(was) as (keyof AccountState)[];
        if (account === undefined || names.some((name) => account[name] !== was[name])) return undefined;
        const changed: Account = { ...account, ...fields };
        update.run(writeRecord(changed), id);
        return changed;
      }),
    erase: async (id, { tokens, repos, names }, audit) =>
      audits.write(audit, () => {
        if (byId.get(id) === undefined) return undefined;
        for (const token of tokens) removeToken.run(token);
        for (const repo of repos) disown.run(ERASED_OWNER, repo);
        for (const remove of removals) remove.run(id);
        const [membersMade, shareLinksMade] = [unsignMembers, unsignShares].map((one) =>
          Number(one.run(JSON.stringify(names)).changes),
        );
        return { membersMade: membersMade ?? 0, shareLinksMade: shareLinksMade ?? 0 };
      }),
    takeCode: async ({ id, hash, at }) =>
      write(() => {
        const account = readRecord<Account>(byId.get(id));
        if (account?.signInCode?.hash !== hash || account.signInCode.expiresAt <= at) return false;
        update.run(writeRecord({ ...account, signInCode: undefined }), id);
        return true;
      }),
  };
}

/** Browsers that are signed in, in SQLite. */
export function createSessionStore(connection: Connection, audits: AuditRows): SessionStore {
  const { prepare, write } = connection;
  const insert = prepare(
    'INSERT INTO sessions (hash, account_id, created_at, expires_at, record) VALUES (?, ?, ?, ?, ?)',
  );
  const removeExpired = prepare('DELETE FROM sessions WHERE expires_at <= ?');
  const beyond = prepare('SELECT hash FROM sessions WHERE account_id = ? ORDER BY created_at DESC LIMIT -1 OFFSET ?');
  const byHash = prepare('SELECT record FROM sessions WHERE hash = ?');
  const update = prepare('UPDATE sessions SET record = ? WHERE hash = ?');
  const remove = prepare('DELETE FROM sessions WHERE hash = ?');
  const removeAll = prepare('DELETE FROM sessions WHERE account_id = ? AND hash <> ?');
  return {
    open: async (session, most, audit) =>
      write(() => {
        if (audit !== undefined) audits.insert(audit);
        const { hash, accountId, createdAt, expiresAt } = session;
        removeExpired.run(createdAt);
        insert.run(hash, accountId, createdAt, expiresAt, writeRecord(session));
        for (const row of beyond.all(accountId, most)) remove.run(String(row.hash));
      }),
    find: selectRecord<Session>(connection, 'SELECT record FROM sessions WHERE hash = ?'),
    noteUse: async (hash, at) =>
      write(() => {
        const session = readRecord<Session>(byHash.get(hash));
        if (session !== undefined) update.run(writeRecord({ ...session, seenAt: at }), hash);
      }),
    ofAccount: selectRecords<Session>(
      connection,
      'SELECT record FROM sessions WHERE account_id = ? ORDER BY created_at DESC',
    ),
    end: async (hash) => write(() => void remove.run(hash)),
    endAll: async (accountId, except = '') => write(() => void removeAll.run(accountId, except)),
  };
}
