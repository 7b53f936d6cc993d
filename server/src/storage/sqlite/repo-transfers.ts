import { Failure } from '../../core/failure.ts';
import { completeRepo } from '../../core/repo/repo.ts';
import { nameKey } from '../repo-steps.ts';
import { IMPORT_PAUSE, placeOlder, type RepoImport, type RepoTransfers, sequenceBelow } from '../repo-transfers.ts';
import { IMPORT_CLEARED } from '../sentences.ts';
import { createArchiveWrites } from './archive-writes.ts';
import type { BuildRows } from './build-rows.ts';
import type { Connection } from './connection.ts';
import type { NextId } from './counters.ts';
import { selectRecords, writeRecord } from './records.ts';
import { IMPORTING } from './repo-rows.ts';
import { INSERT_REPO } from './repo-store.ts';
import { INSERT_TOKEN } from './repo-tokens.ts';
import type { AuditRows } from './units.ts';

interface Rows {
  readonly builds: BuildRows;
  readonly audits: AuditRows;
  readonly nextId: NextId;
}

/** Repos that come from another server or go there, in SQLite. */
export function createRepoTransfers(connection: Connection, rows: Rows): RepoTransfers {
  const { prepare, read, write } = connection;
  const facts = prepare('SELECT key, at, value FROM facts WHERE repo_id = ? AND key > ? ORDER BY key LIMIT ?');
  const builds = selectRecords<never>(
    connection,
    'SELECT record FROM builds WHERE repo_id = ? AND sequence > ? ORDER BY sequence LIMIT ?',
  );
  const insert = prepare(INSERT_REPO);
  const raise = prepare(`
    INSERT INTO counters (name, value) VALUES (?, ?)
    ON CONFLICT (name) DO UPDATE SET value = max(value, excluded.value)`);
  const endEarlier = prepare(`DELETE FROM repos WHERE service = '${IMPORTING}' AND name_key = ?`);
  const clear = prepare(`DELETE FROM repos WHERE service = '${IMPORTING}' AND last_sequence < ?`);
  return {
    buildsAfter: ({ repoId, sequence, limit }) => builds(repoId, sequence, limit),
    factsAfter: async ({ repoId, key, limit }) =>
      read(() =>
        facts.all(repoId, key, limit).map((row) => ({
          key: String(row.key),
          at: Number(row.at),
          value: String(row.value),
        })),
      ),
    begin: async ({ repo, lastBuildId, lastJobId }) => {
      const key = `${repo.service}/${nameKey(repo.name)}`;
      const repoId = write(() => {
        endEarlier.run(key);
        const id = rows.nextId('repo');
        raise.run('build', lastBuildId);
        raise.run('job', lastJobId);
        // Until it is finished, its last sequence says when something was last added.
        insert.run(id, IMPORTING, key, null, Date.now(), writeRecord({ ...repo, id }));
        return id;
      });
      return createImport(connection, rows, repoId);
    },
    clear: async () => write(() => void clear.run(Date.now() - IMPORT_PAUSE)),
    addOlder: createAddOlder(connection, rows),
  };
}

function createAddOlder(connection: Connection, { nextId }: Rows): RepoTransfers['addOlder'] {
  const { prepare, write } = connection;
  const writes = createArchiveWrites(connection);
  const hasRepo = prepare(`SELECT 1 FROM repos WHERE id = ? AND service <> '${IMPORTING}'`);
  const lowest = prepare('SELECT min(sequence) AS sequence FROM builds WHERE repo_id = ?');
  return async (repoId, older) =>
    write(() => {
      if (hasRepo.get(repoId) === undefined) return false;
      let sequence = sequenceBelow((lowest.get(repoId)?.sequence ?? undefined) as number | undefined);
      for (const one of older) {
        const place = { id: nextId('build'), repoId, sequence };
        const placed = placeOlder(
          one,
          place,
          one.jobs.map(() => nextId('job')),
        );
        writes.build({ record: { build: placed.build, notBefore: undefined }, bytes: placed.report });
        for (const { job, report } of placed.jobs) writes.job({ record: job, bytes: report });
        sequence -= 1;
      }
      return true;
    });
}

function createImport(connection: Connection, rows: Rows, repoId: number): RepoImport {
  const { prepare, write } = connection;
  const { nextId } = rows;
  const writes = createArchiveWrites(connection);
  const hasBuild = prepare('SELECT 1 FROM builds WHERE id = ?');
  const hasJob = prepare('SELECT 1 FROM jobs WHERE id = ?');
  const note = prepare(`UPDATE repos SET last_sequence = ? WHERE id = ? AND service = '${IMPORTING}'`);
  const remove = prepare(`DELETE FROM repos WHERE id = ? AND service = '${IMPORTING}'`);
  const add = <T>(work: () => T): T =>
    write(() => {
      if (note.run(Date.now(), repoId).changes === 0) throw new Failure('conflict', IMPORT_CLEARED);
      return work();
    });
  return {
    repoId,
    takeBuildIds: async (ids) => add(() => ids.map((id) => (hasBuild.get(id) ? nextId('build') : id))),
    takeJobIds: async (ids) => add(() => ids.map((id) => (hasJob.get(id) ? nextId('job') : id))),
    addBuild: async (build, bytes) =>
      add(() => {
        if (hasBuild.get(build.id)) throw new Failure('conflict', idTaken('build', build.id));
        writes.build({ record: { build, notBefore: undefined }, bytes });
      }),
    addJobs: async (jobs) =>
      add(() => {
        for (const { job, report } of jobs) {
          if (hasJob.get(job.id)) throw new Failure('conflict', idTaken('job', job.id));
          writes.job({ record: job, bytes: report });
        }
      }),
    addSources: async (sources) =>
      add(() => {
        for (const { digest, bytes } of sources) writes.source({ record: { repoId, digest }, bytes });
      }),
    addFacts: async (facts) =>
      add(() => {
        for (const fact of facts) writes.fact({ record: { repoId, ...fact } });
      }),
    finish: createFinish(connection, rows, repoId),
    discard: async () => write(() => void remove.run(repoId)),
  };
}

function createFinish({ prepare }: Connection, { audits, nextId }: Rows, repoId: number): RepoImport['finish'] {
  const named = prepare('SELECT 1 FROM repos WHERE service = ? AND name_key = ?');
  const builds = prepare('SELECT count(*) AS n FROM builds WHERE repo_id = ?');
  const reveal = prepare(`
    UPDATE repos SET service = ?, name_key = ?, provider_id = ?, last_sequence = ?, record = ?
    WHERE id = ? AND service = '${IMPORTING}'`);
  const addToken = prepare(INSERT_TOKEN);
  return async (end, audit) =>
    audits.write(audit, () => {
      const { service, name, providerId = null } = end.repo;
      if (named.get(service, nameKey(name)) !== undefined) return false;
      const record = writeRecord(completeRepo(end.repo));
      const isWhole = Number(builds.get(repoId)?.n) === end.builds;
      if (!isWhole || reveal.run(service, nameKey(name), providerId, end.lastSequence, record, repoId).changes === 0)
        throw new Failure('conflict', IMPORT_CLEARED);
      const { lookup, sealed, expiresAt = null } = end.token;
      addToken.run(nextId('repo-token'), repoId, lookup, sealed, expiresAt);
      return true;
    });
}

function idTaken(what: 'build' | 'job', id: number): string {
  return `Another import took the id ${id} of a ${what} in the meantime. Run this one again.`;
}
