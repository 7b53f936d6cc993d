import type { PersonalToken } from '../../core/repo/repo.ts';
import type { TokenStore } from '../store.ts';
import type { AuditRows } from './audit-log.ts';
import type { Connection } from './connection.ts';
import type { NextId } from './counters.ts';
import { readRecord, readRecords, selectRecords, writeRecord } from './records.ts';

export const INSERT_PERSONAL_TOKEN = 'INSERT INTO personal_tokens (id, hash, account_id, record) VALUES (?, ?, ?, ?)';

/** Personal tokens, in SQLite. */
export function createTokenStore(connection: Connection, audits: AuditRows, nextId: NextId): TokenStore {
  const { prepare, read, write } = connection;
  const insert = prepare(INSERT_PERSONAL_TOKEN);
  const list = prepare('SELECT record FROM personal_tokens ORDER BY id');
  const find = prepare('SELECT record FROM personal_tokens WHERE id = ?');
  const byHash = prepare('SELECT record FROM personal_tokens WHERE hash = ?');
  const ofAccount = selectRecords<PersonalToken>(
    connection,
    'SELECT record FROM personal_tokens WHERE account_id = ? ORDER BY id DESC',
  );
  const update = prepare('UPDATE personal_tokens SET record = ? WHERE id = ?');

  return {
    create: async (fresh, audit) =>
      write(() => {
        const token: PersonalToken = { id: nextId('personal-token'), ...fresh, revokedAt: undefined };
        if (audit !== undefined) audits.insert({ ...audit, token: token.id });
        insert.run(token.id, token.hash, token.accountId ?? null, writeRecord(token));
        return token;
      }),
    list: async () => read(() => readRecords<PersonalToken>(list.all())),
    revoke: async (id, at, audit) =>
      audits.write(audit, () => {
        const token = readRecord<PersonalToken>(find.get(id));
        if (token === undefined) return false;
        // Revoked twice, it keeps the first time: since then it could not be used.
        if (token.revokedAt === undefined) update.run(writeRecord({ ...token, revokedAt: at }), id);
        return true;
      }),
    findByHash: async (hash) =>
      read(() => {
        const token = readRecord<PersonalToken>(byHash.get(hash));
        return token?.revokedAt === undefined ? token : undefined;
      }),
    ofAccount: async (accountId) => (await ofAccount(accountId)).filter(({ revokedAt }) => revokedAt === undefined),
    noteUse: async (id, at) =>
      write(() => {
        const token = readRecord<PersonalToken>(find.get(id));
        if (token !== undefined) update.run(writeRecord({ ...token, usedAt: at }), id);
      }),
  };
}
