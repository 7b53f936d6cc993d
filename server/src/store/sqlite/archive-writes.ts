import type { StatementSync } from 'node:sqlite';
import type { ArchiveEntry, ArchiveKind } from '../archive.ts';
import { createBuildRows } from './build-rows.ts';
import type { Connection } from './connection.ts';
import { createCounters } from './counters.ts';
import { createDeliveryRows } from './delivery-rows.ts';
import { createJobRows } from './job-rows.ts';
import { writeRecord } from './records.ts';
import { INSERT_REPO, repoColumns } from './repo-store.ts';
import { INSERT_TOKEN } from './repo-tokens.ts';

/**
 * How one entry of each kind is written, with all that it is found by; one that is there already stays. Only inside a
 * write.
 */
export type ArchiveWrites = { readonly [K in ArchiveKind]: (entry: ArchiveEntry<K>) => void };

const COUNTER =
  'INSERT INTO counters (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value';
const FACT = 'INSERT INTO facts (repo_id, key, at, value) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING';
const PERSONAL_TOKEN = 'INSERT INTO personal_tokens (id, hash, record) VALUES (?, ?, ?) ON CONFLICT DO NOTHING';

/** Binds the writes of one connection. */
export function createArchiveWrites(connection: Connection): ArchiveWrites {
  const { prepare } = connection;
  const nextId = createCounters(connection);
  const counter = prepare(COUNTER);
  const personalToken = prepare(PERSONAL_TOKEN);
  const fact = prepare(FACT);
  const jobs = createJobRows(connection);
  const job = { exists: prepare('SELECT 1 FROM jobs WHERE id = ?') };
  const deliveries = createDeliveryRows(connection, nextId);
  return {
    counter: ({ record: { name, value } }) => void counter.run(name, value),
    repo: createRepoWrite(connection),
    'personal-token': ({ record }) => void personalToken.run(record.id, record.hash, writeRecord(record)),
    build: createBuildWrite(connection),
    job: ({ record, bytes = EMPTY }) => {
      if (!has(job.exists, record.id)) jobs.insert(record, bytes);
    },
    source: ({ record: { repoId, digest }, bytes = EMPTY }) => jobs.addSources(repoId, [{ digest, bytes }]),
    fact: ({ record: { repoId, key, at, value } }) => void fact.run(repoId, key, at, value),
    delivery: ({ record }) => {
      if (deliveries.find(record.id) === undefined) deliveries.insert(record);
    },
  };
}

function createRepoWrite({ prepare }: Connection): ArchiveWrites['repo'] {
  const exists = prepare('SELECT 1 FROM repos WHERE id = ?');
  const insert = prepare(INSERT_REPO);
  const insertToken = prepare(INSERT_TOKEN);
  return ({ record: { repo, lastSequence, tokens } }) => {
    if (has(exists, repo.id)) return;
    insert.run(...repoColumns(repo, lastSequence));
    for (const { id, lookup, sealed, expiresAt } of tokens)
      insertToken.run(id, repo.id, lookup, sealed, expiresAt ?? null);
  };
}

function createBuildWrite(connection: Connection): ArchiveWrites['build'] {
  const { prepare } = connection;
  const builds = createBuildRows(connection);
  const putOff = prepare('UPDATE builds SET not_before = ? WHERE id = ?');
  const addReport = prepare('INSERT INTO build_reports (build_id, report) VALUES (?, ?)');
  return ({ record: { build, notBefore }, bytes }) => {
    if (builds.find(build.id) !== undefined) return;
    builds.insert(build);
    if (notBefore !== undefined) putOff.run(notBefore, build.id);
    if (bytes !== undefined) addReport.run(build.id, bytes);
  };
}

const EMPTY = new Uint8Array();

function has(statement: StatementSync, id: number): boolean {
  return statement.get(id) !== undefined;
}
