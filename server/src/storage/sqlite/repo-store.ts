import type { Delivery } from '../../core/announce/delivery.ts';
import { auditFollowed, auditName } from '../../core/repo/audit.ts';
import { completeRepo, followProvider, type Repo } from '../../core/repo/repo.ts';
import { endContext } from '../delivery-steps.ts';
import { freshRepo, nameKey } from '../repo-steps.ts';
import type { RepoStore } from '../store.ts';
import type { AuditRows } from './audit-log.ts';
import type { Connection } from './connection.ts';
import type { NextId } from './counters.ts';
import type { DeliveryRows } from './delivery-rows.ts';
import { readRecords, selectRecords, writeRecord } from './records.ts';
import { PRESENT, type RepoRows, readRepo } from './repo-rows.ts';
import { createRepoTokens } from './repo-tokens.ts';

interface Rows {
  readonly repos: RepoRows;
  readonly deliveries: DeliveryRows;
  readonly audits: AuditRows;
}

/** Takes what `repoColumns` gives. */
export const INSERT_REPO =
  'INSERT INTO repos (id, service, name_key, provider_id, last_sequence, record) VALUES (?, ?, ?, ?, ?, ?)';

/** Repos and their tokens, in SQLite. */
export function createRepoStore(connection: Connection, rows: Rows, nextId: NextId): RepoStore {
  const { prepare, write } = connection;
  const { repos, audits } = rows;
  const byName = prepare('SELECT record FROM repos WHERE service = ? AND name_key = ?');
  const insert = prepare(INSERT_REPO);
  const update = prepare('UPDATE repos SET record = ? WHERE id = ?');
  const updateNames = prepare('UPDATE repos SET name_key = ?, provider_id = ?, record = ? WHERE id = ?');
  const tokens = createRepoTokens(connection, rows, nextId);

  return {
    ...tokens.store,
    ...createLookUps(connection),
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
    update: async ({ repoId, settings, at }, audit) =>
      audits.write(audit, () => {
        const repo = repos.find(repoId);
        if (repo === undefined) return undefined;
        const changed: Repo = { ...repo, settings: { ...repo.settings, ...settings }, updatedAt: at };
        update.run(writeRecord(changed), repoId);
        return changed;
      }),
    follow: async ({ repoId, whileNamed, ...change }) =>
      write(() => {
        const repo = repos.find(repoId);
        if (repo === undefined || (whileNamed ?? repo.name) !== repo.name) return undefined;
        const followed = followProvider(repo, change);
        const other = readRepo(byName.get(followed.service, nameKey(followed.name)));
        if (other !== undefined && other.id !== repoId) return 'name-taken';
        const audit = auditFollowed(repo, followed);
        if (audit !== undefined) audits.insert(audit);
        if (followed.name !== repo.name) tokens.forgetUses(repoId);
        updateNames.run(nameKey(followed.name), followed.providerId ?? null, writeRecord(followed), repoId);
        return followed;
      }),
  };
}

type LookUps = Pick<RepoStore, 'find' | 'findByName' | 'findByProviderId' | 'list' | 'ofOwner'>;

function createLookUps(connection: Connection): LookUps {
  const select = (condition: string) => selectRecords<Repo>(connection, `SELECT record FROM repos WHERE ${condition}`);
  const byId = select(`id = ? AND ${PRESENT}`);
  const byName = select('service = ? AND name_key = ?');
  const byProviderId = select('service = ? AND provider_id = ? ORDER BY id');
  // Of all that can follow an owner's name, '0' comes next after '/'.
  const byOwner = select('service = ? AND name_key >= ? AND name_key < ? ORDER BY name_key');
  const afterName = select(`(service, name_key) > (?, ?) AND ${PRESENT} ORDER BY service, name_key LIMIT ?`);
  return {
    list: async ({ after, limit }) =>
      (await afterName(after?.service ?? '', nameKey(after?.name ?? ''), limit)).map(completeRepo),
    find: async (repoId) => (await byId(repoId)).map(completeRepo)[0],
    findByName: async (service, name) => (await byName(service, nameKey(name))).map(completeRepo)[0],
    findByProviderId: async (service, providerId) => (await byProviderId(service, providerId)).map(completeRepo)[0],
    async ofOwner(service, owner) {
      const key = nameKey(owner);
      return (await byOwner(service, `${key}/`, `${key}0`)).map(completeRepo);
    },
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
