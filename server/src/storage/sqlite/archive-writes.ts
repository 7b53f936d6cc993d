import type { ArchiveEntry, ArchiveKind } from '../archive.ts';
import { INSERT_ACCOUNT } from './account-store.ts';
import { auditColumns, INSERT_AUDIT } from './audit-log.ts';
import { createBuildRows } from './build-rows.ts';
import type { Connection } from './connection.ts';
import { createCounters } from './counters.ts';
import { createDeliveryRows } from './delivery-rows.ts';
import { PUT_HOST_APP } from './host-app-store.ts';
import { createJobRows } from './job-rows.ts';
import { INSERT_SHARE, PUT_MEMBER } from './member-store.ts';
import { writeRecord } from './records.ts';
import { INSERT_REPO, repoColumns } from './repo-store.ts';
import { INSERT_TOKEN } from './repo-tokens.ts';
import { INSERT_PERSONAL_TOKEN } from './token-store.ts';

/**
 * How one entry of each kind is written, with all that it is found by; one that is there already stays. Only inside a
 * write.
 */
export type ArchiveWrites = { readonly [K in ArchiveKind]: (entry: ArchiveEntry<K>) => void };

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
  const personalToken = prepare(`${INSERT_PERSONAL_TOKEN} ON CONFLICT DO NOTHING`);
  const account = prepare(`${INSERT_ACCOUNT} ON CONFLICT DO NOTHING`);
  const audit = prepare(`${INSERT_AUDIT} ON CONFLICT DO NOTHING`);
  const member = prepare(PUT_MEMBER);
  const share = prepare(`${INSERT_SHARE} ON CONFLICT DO NOTHING`);
  const hostApp = prepare(PUT_HOST_APP);
  const builds = createBuildRows(connection);
  const putOff = prepare('UPDATE builds SET not_before = ? WHERE id = ?');
  const addReport = prepare('INSERT INTO build_reports (build_id, report) VALUES (?, ?)');
  const jobs = createJobRows(connection);
  const hasJob = prepare('SELECT 1 FROM jobs WHERE id = ?');
  const fact = prepare('INSERT INTO facts (repo_id, key, at, value) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING');
  const deliveries = createDeliveryRows(connection, createCounters(connection));
  return {
    counter: ({ record: { name, value } }) => void counter.run(name, value),
    repo({ record: { repo, lastSequence, tokens } }) {
      if (hasRepo.get(repo.id) !== undefined) return;
      addRepo.run(...repoColumns(repo, lastSequence));
      for (const { id, lookup, sealed, expiresAt = null } of tokens)
        addToken.run(id, repo.id, lookup, sealed, expiresAt);
    },
    'personal-token': ({ record }) =>
      void personalToken.run(record.id, record.hash, record.accountId ?? null, writeRecord(record)),
    account: ({ record }) => void account.run(record.id, record.issuer, record.subject, writeRecord(record)),
    audit: ({ record }) => void audit.run(...auditColumns(record)),
    member: ({ record }) => void member.run(record.repoId, record.accountId, writeRecord(record)),
    'share-link': ({ record }) => void share.run(record.id, record.repoId, record.hash, writeRecord(record)),
    'host-app': ({ record }) =>
      void hostApp.run({ service: record.service, revision: record.revision, record: writeRecord(record) }),
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
    fact: ({ record: { repoId, key, at, value } }) => void fact.run(repoId, key, at, value),
    delivery({ record }) {
      if (deliveries.find(record.id) === undefined) deliveries.insert(record);
    },
  };
}
