import type { PersonalToken } from '../../core/repo/repo.ts';
import type { TokenStore } from '../store.ts';
import type { AuditRows } from './audit-log.ts';
import type { Connection } from './connection.ts';
import type { NextId } from './counters.ts';
import { tablesOf } from './table.ts';

/** Personal tokens, in MongoDB. */
export function createTokenStore(connection: Connection, audits: AuditRows, nextId: NextId): TokenStore {
  const { collections, run } = connection;
  const { personalTokens } = tablesOf(connection);
  return {
    async create(fresh, audit) {
      const token: PersonalToken = { id: await run(() => nextId('personal-token')), ...fresh, revokedAt: undefined };
      return audits.write(audit && { ...audit, token: token.id }, async () => {
        await run(() => collections.personalTokens.insertOne({ _id: token.id, hash: token.hash, record: token }));
        return token;
      });
    },
    list: async () => (await personalTokens.list({}, { sort: { _id: 1 } })).map(({ record }) => record),
    // Revoked twice, it keeps the first time: since then it could not be used.
    revoke: (id, at, audit) =>
      audits.write(audit, () =>
        personalTokens.update({ _id: id }, [{ $set: { 'record.revokedAt': { $ifNull: ['$record.revokedAt', at] } } }]),
      ),
    async findByHash(hash) {
      const token = (await personalTokens.one({ hash }))?.record;
      return token?.revokedAt === undefined ? token : undefined;
    },
    ofAccount: async (accountId) =>
      (await personalTokens.list({ 'record.accountId': accountId }, { sort: { _id: -1 } }))
        .map(({ record }) => record)
        .filter(({ revokedAt }) => revokedAt === undefined),
    noteUse: async (id, at) => void (await personalTokens.update({ _id: id }, { $set: { 'record.usedAt': at } })),
  };
}
