import type { StoredRepoToken } from '../../core/repo/repo.ts';
import type { RepoStore } from '../store.ts';
import type { Connection } from './connection.ts';
import type { NextId } from './counters.ts';
import type { Row } from './records.ts';
import type { RepoRows } from './repo-rows.ts';
import type { AuditRows } from './units.ts';

type TokenMethods = Pick<RepoStore, 'findByToken' | 'readToken' | 'replaceToken' | 'listTokens' | 'resealToken'>;

/** The tokens of repos: the port's methods, and the insert that belongs to the making of a repo. */
export interface RepoTokens {
  readonly store: TokenMethods;
  /** Only inside a write. */
  insert(repoId: number, token: StoredRepoToken): void;
}

const COLUMNS = 'id, repo_id, lookup, sealed, expires_at';
/** Takes the columns in this order. */
export const INSERT_TOKEN = `INSERT INTO repo_tokens (${COLUMNS}) VALUES (?, ?, ?, ?, ?)`;

/** Binds the repo tokens of one connection. */
export function createRepoTokens(
  { prepare, read, write }: Connection,
  { repos, audits }: { readonly repos: RepoRows; readonly audits: AuditRows },
  nextId: NextId,
): RepoTokens {
  const byLookup = prepare(`SELECT ${COLUMNS} FROM repo_tokens WHERE lookup = ?`);
  const current = prepare(`SELECT ${COLUMNS} FROM repo_tokens WHERE repo_id = ? AND expires_at IS NULL`);
  const list = prepare(`SELECT ${COLUMNS}, repo_id FROM repo_tokens ORDER BY id`);
  const add = prepare(INSERT_TOKEN);
  const expire = prepare('UPDATE repo_tokens SET expires_at = ? WHERE repo_id = ? AND expires_at IS NULL');
  const removeExpired = prepare('DELETE FROM repo_tokens WHERE repo_id = ? AND expires_at <= ?');
  const removeAll = prepare('DELETE FROM repo_tokens WHERE repo_id = ?');
  const forgetUses = prepare('DELETE FROM repo_token_uses WHERE repo_id = ?');
  const reseal = prepare('UPDATE repo_tokens SET lookup = ?, sealed = ? WHERE id = ?');

  const insert = (repoId: number, { lookup, sealed, expiresAt }: StoredRepoToken): void => {
    add.run(nextId('repo-token'), repoId, lookup, sealed, expiresAt ?? null);
  };
  const store: TokenMethods = {
    findByToken: async (lookups, at) =>
      read(() => {
        const rows = lookups.map((lookup) => byLookup.get(lookup));
        const valid = rows.find((row) => row !== undefined && (row.expires_at === null || Number(row.expires_at) > at));
        return valid && repos.find(Number(valid.repo_id));
      }),
    readToken: async (repoId) =>
      read(() => {
        const row = current.get(repoId);
        return row && toToken(row);
      }),
    replaceToken: async ({ repoId, token, oldUntil, at }, audit) =>
      audits.write(audit, () => {
        if (repos.find(repoId) === undefined) return false;
        forgetUses.run(repoId);
        if (oldUntil === undefined) removeAll.run(repoId);
        else expire.run(oldUntil, repoId);
        removeExpired.run(repoId, at);
        insert(repoId, token);
        return true;
      }),
    listTokens: async () =>
      read(() => list.all().map((row) => ({ id: Number(row.id), repoId: Number(row.repo_id), ...toToken(row) }))),
    resealToken: async (id, { lookup, sealed }) =>
      write(() => {
        reseal.run(lookup, sealed, id);
      }),
  };
  return { store, insert };
}

/** The token of a row. */
export function toToken(row: Row): StoredRepoToken {
  return {
    lookup: String(row.lookup),
    sealed: String(row.sealed),
    expiresAt: row.expires_at === null ? undefined : Number(row.expires_at),
  };
}
