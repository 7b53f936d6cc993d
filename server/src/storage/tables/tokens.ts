import type { PersonalToken } from '../../core/repo/repo.ts';
import { MAX_USES, type TokenUse } from '../../core/repo/token-use.ts';
import type { UsedIdTokens } from '../../ports/id-tokens.ts';
import type { TokenStore } from '../store.ts';
import type { Declaration, Units } from '../table.ts';
import type { TokenUses } from '../token-uses.ts';

export const PERSONAL_TOKENS: Declaration<PersonalToken, 'personal_tokens'> = {
  name: 'personal_tokens',
  key: ['id'],
  columns: ['hash', 'accountId'],
  beside: ['hash'],
  indexes: [
    ['by_hash', { hash: 1 }, 'the person of a token', { unique: true }],
    ['of_account', { 'record.accountId': 1, _id: -1 }, 'somebody’s tokens', { where: 'record.accountId' }],
  ],
  copied: 'personal-token',
  words: 'personal tokens',
};

export const TOKEN_USES: Declaration<TokenUse, 'repo_token_uses'> = {
  name: 'repo_token_uses',
  key: ['repoId', 'named'],
  columns: ['at'],
  ofRepo: true,
  indexes: [['newest', { repoId: 1, 'record.at': -1 }, 'uses of a repo’s token, newest first; removing them']],
};

type UsedIdToken = Parameters<UsedIdTokens['use']>[0];

/** The key is the hash of issuer and id. */
export const USED_ID_TOKENS: Declaration<UsedIdToken, 'used_id_tokens'> = {
  name: 'used_id_tokens',
  key: ['key'],
  columns: ['digest', 'expiresAt'],
  flat: true,
  indexes: [['expiring', { expiresAt: 1 }, 'id-tokens that have expired']],
};

/** Personal tokens. */
export function createTokenStore({ table, nextId, audited, read, write }: Units): TokenStore {
  const tokens = table(PERSONAL_TOKENS);
  return {
    create: (fresh, audit) =>
      write(function* () {
        const token: PersonalToken = { id: yield* nextId('personal-token'), ...fresh, revokedAt: undefined };
        yield* audited(audit && { ...audit, token: token.id }, () => tokens.put(token));
        return token;
      }),
    list: () => read(() => tokens.list()),
    revoke: async (id, at, audit) => {
      // Revoked twice, it keeps the first time: since then it could not be used.
      const change = (token: PersonalToken | undefined) => token && { ...token, revokedAt: token.revokedAt ?? at };
      return (await write(() => audited(audit, () => tokens.change([id], change)))) !== undefined;
    },
    async findByHash(hash) {
      const token = await read(() => tokens.one({ hash }));
      return token?.revokedAt === undefined ? token : undefined;
    },
    async ofAccount(accountId) {
      const all = await read(() => tokens.list({ where: { accountId }, newestFirst: true }));
      return all.filter(({ revokedAt }) => revokedAt === undefined);
    },
    noteUse: async (id, at) => void (await write(() => tokens.set({ id }, { usedAt: at }))),
  };
}

/** Uses of repos' tokens. */
export function createTokenUses({ table, read, write }: Units): TokenUses {
  const uses = table(TOKEN_USES);
  const newest = (repoId: number, skip = 0) => uses.list({ where: { repoId }, by: ['at'], newestFirst: true, skip });
  return {
    note: (use) =>
      write(function* () {
        const { repoId } = use;
        if (!(yield* uses.put(use))) return;
        for (const { named } of yield* newest(repoId, MAX_USES)) yield* uses.remove({ repoId, named });
      }),
    ofRepo: (repoId) => read(() => newest(repoId)),
  };
}

/** What ID tokens were used for. */
export function createUsedIdTokens({ table, write }: Units): UsedIdTokens {
  const used = table(USED_ID_TOKENS);
  return {
    use: (use) =>
      write(function* () {
        if (yield* used.insert(use)) return use.digest;
        // Another one was first: its digest counts.
        return (yield* used.one({ key: use.key }))?.digest ?? use.digest;
      }),
    removeExpired: (at) => write(() => used.remove({ expiresAt: { atMost: at } })),
  };
}
