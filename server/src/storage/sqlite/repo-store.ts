import type { Delivery } from '../../core/announce/delivery.ts';
import { auditName } from '../../core/repo/audit.ts';
import type { Repo } from '../../core/repo/repo.ts';
import { endContext } from '../delivery-steps.ts';
import { freshRepo, nameKey } from '../repo-steps.ts';
import type { RepoStore } from '../store.ts';
import type { RepoRecords } from '../tables/repos.ts';
import type { Connection } from './connection.ts';
import type { NextId } from './counters.ts';
import type { DeliveryRows } from './delivery-rows.ts';
import { readRecords, writeRecord } from './records.ts';
import type { RepoRows } from './repo-rows.ts';
import { createRepoTokens } from './repo-tokens.ts';
import type { AuditRows } from './units.ts';

interface Rows {
  readonly repos: RepoRows;
  readonly deliveries: DeliveryRows;
  readonly audits: AuditRows;
}

/** Takes what `repoColumns` gives. */
export const INSERT_REPO =
  'INSERT INTO repos (id, service, name_key, provider_id, last_sequence, record) VALUES (?, ?, ?, ?, ?, ?)';

/** How repos are made and removed, and their tokens, in SQLite. */
export function createRepoStore(
  connection: Connection,
  rows: Rows,
  nextId: NextId,
): Omit<RepoStore, keyof RepoRecords> {
  const { prepare, write } = connection;
  const { audits } = rows;
  const byName = prepare('SELECT record FROM repos WHERE service = ? AND name_key = ?');
  const insert = prepare(INSERT_REPO);
  const tokens = createRepoTokens(connection, rows, nextId);

  return {
    ...tokens.store,
    ...createRemoval(connection, rows),
    create: async ({ token, ...fresh }, audit) =>
      write(() => {
        if (byName.get(fresh.service, nameKey(fresh.name)) !== undefined) return undefined;
        const repo = freshRepo(nextId('repo'), fresh);
        insert.run(...repoColumns(repo, 0));
        tokens.insert(repo.id, token);
        if (audit !== undefined) audits.insert({ ...audit, repo: { id: repo.id, name: auditName(repo) } });
        return repo;
      }),
  };
}

function createRemoval({ prepare }: Connection, { repos, deliveries, audits }: Rows): Pick<RepoStore, 'remove'> {
  const remove = prepare('DELETE FROM repos WHERE id = ?');
  const openContexts = prepare('SELECT record FROM deliveries WHERE repo_id = ? AND open_context = 1');
  const removeDeliveries = prepare('DELETE FROM deliveries WHERE repo_id = ? AND open_context = 0');
  return {
    remove: async (removal, audit) =>
      audits.write(audit, () => {
        if (repos.find(removal.repoId) === undefined) return false;
        removeDeliveries.run(removal.repoId);
        for (const record of readRecords<Delivery>(openContexts.all(removal.repoId))) {
          deliveries.update(endContext(record, removal));
        }
        // Builds, jobs, reports, sources and tokens go with it: their foreign keys cascade.
        remove.run(removal.repoId);
        return true;
      }),
  };
}

export function repoColumns(repo: Repo, lastSequence: number) {
  return [repo.id, repo.service, nameKey(repo.name), repo.providerId ?? null, lastSequence, writeRecord(repo)] as const;
}
