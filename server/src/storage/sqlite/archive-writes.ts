import type { ArchiveEntry, ArchiveKind } from '../archive.ts';
import { createDeclaredWrites, type DeclaredKind } from '../tables/copied.ts';
import { createBuildRows } from './build-rows.ts';
import type { Connection } from './connection.ts';
import { createCounters } from './counters.ts';
import { createDeliveryRows } from './delivery-rows.ts';
import { createJobRows } from './job-rows.ts';
import { INSERT_REPO, repoColumns } from './repo-store.ts';
import { INSERT_TOKEN } from './repo-tokens.ts';
import { createTables, finish } from './table.ts';

/**
 * How one entry of each kind is written, with all that it is found by; one that exists already stays. Only inside a
 * write.
 */
export type ArchiveWrites = { readonly [K in ArchiveKind]: (entry: ArchiveEntry<K>) => unknown };

const COUNTER =
  'INSERT INTO counters (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value';
const EMPTY = new Uint8Array();

/** Binds the writes of one connection. */
export function createArchiveWrites(connection: Connection): ArchiveWrites {
  const { prepare } = connection;
  const counter = prepare(COUNTER);
  const hasRepo = prepare('SELECT 1 FROM repos WHERE id = ?');
  const addRepo = prepare(INSERT_REPO);
  const addToken = prepare(INSERT_TOKEN);
  const builds = createBuildRows(connection);
  const putOff = prepare('UPDATE builds SET not_before = ? WHERE id = ?');
  const addReport = prepare('INSERT INTO build_reports (build_id, report) VALUES (?, ?)');
  const jobs = createJobRows(connection);
  const hasJob = prepare('SELECT 1 FROM jobs WHERE id = ?');
  const deliveries = createDeliveryRows(connection, createCounters(connection));
  return {
    ...createDeclaredWrites(
      createTables(connection),
      (insert) => (entry: ArchiveEntry<DeclaredKind>) => finish(insert(entry)),
    ),
    counter: ({ record: { name, value } }) => void counter.run(name, value),
    repo({ record: { repo, lastSequence, tokens } }) {
      if (hasRepo.get(repo.id) !== undefined) return;
      addRepo.run(...repoColumns(repo, lastSequence));
      for (const { id, lookup, sealed, expiresAt = null } of tokens)
        addToken.run(id, repo.id, lookup, sealed, expiresAt);
    },
    build({ record: { build, notBefore }, bytes }) {
      if (builds.find(build.id) !== undefined) return;
      builds.insert(build);
      if (notBefore !== undefined) putOff.run(notBefore, build.id);
      if (bytes !== undefined) addReport.run(build.id, bytes);
    },
    job({ record, bytes = EMPTY }) {
      if (hasJob.get(record.id) === undefined) jobs.insert(record, bytes);
    },
    source: ({ record: { repoId, digest }, bytes = EMPTY }) => jobs.addSources(repoId, [{ digest, bytes }]),
    delivery({ record }) {
      if (deliveries.find(record.id) === undefined) deliveries.insert(record);
    },
  };
}
