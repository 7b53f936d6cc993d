import type { StoredRepoToken } from '../../core/repo/repo.ts';
import type { RepoStore } from '../store.ts';
import type { Connection } from './connection.ts';
import type { NextId } from './counters.ts';
import type { RepoTokenEntry } from './documents.ts';
import { createGroupedWrites } from './grouped-writes.ts';
import type { RecentTokens, TokenHolder } from './recent-tokens.ts';
import { PRESENT, readRepo } from './repo-rows.ts';
import { tablesOf } from './table.ts';
import type { AuditRows } from './units.ts';

const LOOKUP_BYTES = 64;

type TokenMethods = Pick<RepoStore, 'findByToken' | 'readToken' | 'replaceToken' | 'listTokens' | 'resealToken'>;

/** The tokens of repos: kept in the repo's document, so that a repo and its tokens change together. */
export function createRepoTokens(
  connection: Connection,
  { audits, nextId, recent }: { audits: AuditRows; nextId: NextId; recent: RecentTokens },
): TokenMethods {
  const { repos, repo_token_uses: tokenUses } = tablesOf(connection);
  /** Each upload asks: those that come together share a command. It begins after they came, so no answer is old. */
  const findHolders = createGroupedWrites<readonly string[], readonly TokenHolder[]>({
    weigh: (lookups) => lookups.length * LOOKUP_BYTES,
    async send(all) {
      const named = { 'tokens.lookup': { $in: [...new Set(all.flat())] }, ...PRESENT };
      const done = await repos.list(named, { projection: { record: 1, tokens: 1 } });
      return all.map(() => ({ done }));
    },
  });
  return {
    async findByToken(lookups, at, { mayRemember = false } = {}) {
      const pick = (found: readonly TokenHolder[]) =>
        lookups
          .map((lookup) => found.find(({ tokens }) => tokens.some((one) => one.lookup === lookup && isValid(one, at))))
          .find((holder) => holder !== undefined);
      const known = mayRemember ? recent.find(lookups) : undefined;
      const remembered = known && pick([known]);
      if (remembered !== undefined) return readRepo(remembered);
      const asked = performance.now();
      const holder = pick(await findHolders(lookups));
      if (holder !== undefined) recent.note(lookups, holder, asked);
      return readRepo(holder);
    },
    async readToken(repoId) {
      const repo = await repos.one({ _id: repoId, ...PRESENT }, { projection: { tokens: 1 } });
      const current = repo?.tokens.find((token) => token.expiresAt === undefined);
      return current && toToken(current);
    },
    async replaceToken({ repoId, token, oldUntil, at }, audit) {
      const fresh = toEntry(await connection.run(() => nextId('repo-token')), token);
      const kept = oldUntil === undefined ? [] : keepUntil(oldUntil, at);
      const tokens = { $concatArrays: [kept, [{ $literal: fresh }]] };
      const change = [{ $set: { tokens } }];
      const replaced = await audits.write(audit, () => repos.update({ _id: repoId, ...PRESENT }, change));
      await tokenUses.remove({ repoId });
      // With a grace period none is taken back.
      if (replaced && (oldUntil ?? at) <= at) await recent.untilForgotten();
      return replaced;
    },
    async listTokens() {
      const all = await repos.list(PRESENT, { projection: { tokens: 1 }, sort: { _id: 1 } });
      const tokens = all.flatMap((repo) =>
        repo.tokens.map((entry) => ({ id: entry.id, repoId: repo._id, ...toToken(entry) })),
      );
      return tokens.sort((a, b) => a.id - b.id);
    },
    async resealToken(id, { lookup, sealed }) {
      const resealed = { $mergeObjects: ['$$this', { $literal: { lookup, sealed } }] };
      const tokens = { $map: { input: '$tokens', in: { $cond: [{ $eq: ['$$this.id', id] }, resealed, '$$this'] } } };
      const holder = await repos.one({ 'tokens.id': id }, { projection: { _id: 1 } });
      if (holder !== undefined) await repos.update({ _id: holder._id }, [{ $set: { tokens } }]);
    },
  };
}

/** An entry of the repo's document. */
export function toEntry(id: number, token: StoredRepoToken): RepoTokenEntry {
  const { lookup, sealed, expiresAt } = token;
  return { id, lookup, sealed, ...(expiresAt === undefined ? {} : { expiresAt }) } as RepoTokenEntry;
}

/** The earlier tokens that still work: the current one until `until`, those in their grace period as before. */
function keepUntil(until: number, at: number): object {
  const expiresAt = { $ifNull: ['$$this.expiresAt', until] };
  const all = { $map: { input: '$tokens', in: { $mergeObjects: ['$$this', { expiresAt }] } } };
  return { $filter: { input: all, cond: { $gt: ['$$this.expiresAt', at] } } };
}

function isValid(token: RepoTokenEntry, at: number): boolean {
  return token.expiresAt === undefined || token.expiresAt > at;
}

function toToken({ lookup, sealed, expiresAt }: RepoTokenEntry): StoredRepoToken {
  return { lookup, sealed, expiresAt };
}
