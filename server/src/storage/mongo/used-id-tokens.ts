import type { UsedIdTokens } from '../../ports/id-tokens.ts';
import type { Connection } from './connection.ts';
import { isDuplicate } from './errors.ts';
import { tablesOf } from './table.ts';

/** What id-tokens were used for, in MongoDB. */
export function createUsedIdTokens(connection: Connection): UsedIdTokens {
  const { usedIdTokens } = tablesOf(connection);
  return {
    async use({ key, digest, expiresAt }) {
      const first = { $setOnInsert: { digest, expiresAt } };
      await usedIdTokens.update({ _id: key }, first, { upsert: true }).catch((error: unknown) => {
        // Another process was faster: its digest counts.
        if (!isDuplicate(error)) throw error;
      });
      return (await usedIdTokens.one({ _id: key }))?.digest ?? digest;
    },
    removeExpired: (at) => usedIdTokens.remove({ expiresAt: { $lte: at } }),
  };
}
