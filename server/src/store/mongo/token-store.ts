import type { PersonalToken } from '../../domain/repo/repo.ts';
import type { TokenStore } from '../../ports/store.ts';
import type { Connection } from './connection.ts';
import type { NextId } from './counters.ts';

/** Personal tokens, in MongoDB. */
export function createTokenStore({ collections: { personalTokens }, run }: Connection, nextId: NextId): TokenStore {
  return {
    async create(fresh) {
      const token: PersonalToken = { id: await run(() => nextId('personal-token')), ...fresh, revokedAt: undefined };
      await run(() => personalTokens.insertOne({ _id: token.id, hash: token.hash, record: token }));
      return token;
    },
    list: async () =>
      (await run(() => personalTokens.find({}, { sort: { _id: 1 } }).toArray())).map(({ record }) => record),
    async revoke(id, at) {
      // Revoked twice, it keeps the first time: from then on nobody could use it.
      const revokedAt = { $ifNull: ['$record.revokedAt', at] };
      const revoked = await run(() =>
        personalTokens.updateOne({ _id: id }, [{ $set: { 'record.revokedAt': revokedAt } }]),
      );
      return revoked.matchedCount === 1;
    },
    async findByHash(hash) {
      const token = (await run(() => personalTokens.findOne({ hash })))?.record;
      return token?.revokedAt === undefined ? token : undefined;
    },
  };
}
