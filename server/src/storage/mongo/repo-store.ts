import { auditName } from '../../core/repo/audit.ts';
import { freshRepo, nameKey } from '../repo-steps.ts';
import type { RepoStore } from '../store.ts';
import type { RepoRecords } from '../tables/repos.ts';
import type { Connection } from './connection.ts';
import type { NextId } from './counters.ts';
import { isDuplicate } from './errors.ts';
import type { RecentTokens } from './recent-tokens.ts';
import type { Removals } from './removals.ts';
import { createRepoTokens, toEntry } from './repo-tokens.ts';
import { tablesOf } from './table.ts';
import type { AuditRows } from './units.ts';

interface Rows {
  readonly removals: Removals;
  readonly audits: AuditRows;
  readonly nextId: NextId;
  readonly recent: RecentTokens;
}

/** How repos are made and removed, and their tokens, in MongoDB. */
export function createRepoStore(connection: Connection, rows: Rows): Omit<RepoStore, keyof RepoRecords> {
  const { collections, run } = connection;
  const { repos } = tablesOf(connection);
  const { audits, nextId, recent } = rows;
  return {
    ...createRepoTokens(connection, rows),
    async create({ token, ...fresh }, audit) {
      const named = { service: fresh.service, nameKey: nameKey(fresh.name) };
      const isTaken = async (): Promise<boolean> => (await repos.one(named, { projection: { _id: 1 } })) !== undefined;
      // Ids are not spent on names that are taken; the index decides between two that come together.
      if (await isTaken()) return undefined;
      const [id, tokenId] = await run(() => Promise.all([nextId('repo'), nextId('repo-token')]));
      const repo = freshRepo(id, fresh);
      const tokens = [toEntry(tokenId, token)];
      return audits.write(audit && { ...audit, repo: { id, name: auditName(repo) } }, async () => {
        try {
          await run(() => collections.repos.insertOne({ _id: id, ...named, lastSequence: 0, tokens, record: repo }));
          return repo;
        } catch (error) {
          if (isDuplicate(error) && (await isTaken())) return undefined;
          throw error;
        }
      });
    },
    async remove(removal, audit) {
      const removed = await audits.write(audit, () => rows.removals.remove(removal));
      if (removed) await recent.untilForgotten();
      return removed;
    },
  };
}
