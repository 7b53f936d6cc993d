import type { SQLInputValue } from 'node:sqlite';
import { Failure } from '../../core/failure.ts';
import { type ArchiveReads, CHECK_COUNTER, idOfKey, restOfKey } from '../archive.ts';
import { jobReportMissing } from '../sentences.ts';
import { createDeclaredReads } from '../tables/copied.ts';
import type { Connection } from './connection.ts';
import type { Row } from './records.ts';
import { toToken } from './repo-tokens.ts';
import { createTables } from './table.ts';

const COUNTERS = `SELECT name, value FROM counters WHERE name > ? AND name <> '${CHECK_COUNTER}' ORDER BY name`;
const REPOS = 'SELECT id, last_sequence, record FROM repos WHERE id > ? ORDER BY id';
const TOKENS = 'SELECT id, lookup, sealed, expires_at FROM repo_tokens WHERE repo_id = ? ORDER BY id';
const BUILDS = `
  SELECT b.record, b.not_before, r.report FROM builds b LEFT JOIN build_reports r ON r.build_id = b.id
  WHERE b.id > ? ORDER BY b.id`;
const JOBS = `
  SELECT j.id, j.record, r.report FROM jobs j LEFT JOIN job_reports r ON r.job_id = j.id
  WHERE (j.build_id, j.number) > (?, ?) ORDER BY j.build_id, j.number`;
const SOURCES = 'SELECT repo_id, digest, bytes FROM sources WHERE (repo_id, digest) > (?, ?) ORDER BY repo_id, digest';
const FACTS = 'SELECT repo_id, key, at, value FROM facts WHERE (repo_id, key) > (?, ?) ORDER BY repo_id, key';
const DELIVERIES = 'SELECT record FROM deliveries WHERE id > ? ORDER BY id';

/** Binds the reads of one connection. */
export function createArchiveReads(connection: Connection): ArchiveReads {
  const walk = createWalk(connection);
  const tokens = connection.prepare(TOKENS);
  const tokensOf = (repoId: number) =>
    connection.read(() => tokens.all(repoId)).map((row) => ({ id: Number(row.id), ...toToken(row) }));
  return {
    ...createDeclaredReads(createTables(connection)),
    counter: (after = '') =>
      walk(COUNTERS, [after], (row) => ({ record: { name: String(row.name), value: Number(row.value) } })),
    repo: (after) =>
      walk(REPOS, [idOfKey(after)], (row) => ({
        record: { repo: recordOf(row), lastSequence: Number(row.last_sequence), tokens: tokensOf(Number(row.id)) },
      })),
    build: (after) =>
      walk(BUILDS, [idOfKey(after)], (row) => ({
        record: { build: recordOf(row), notBefore: (row.not_before as number | null) ?? undefined },
        bytes: (row.report as Uint8Array | null) ?? undefined,
      })),
    job: (after) =>
      walk(JOBS, [idOfKey(after), Number(restOfKey(after))], (row) => {
        if (row.report === null) throw new Failure('not-found', jobReportMissing(Number(row.id)));
        return { record: recordOf(row), bytes: row.report as Uint8Array };
      }),
    source: (after) =>
      walk(SOURCES, [idOfKey(after), restOfKey(after)], (row) => ({
        record: { repoId: Number(row.repo_id), digest: String(row.digest) },
        bytes: row.bytes as Uint8Array,
      })),
    // Large, so that one at a time is read.
    fact: (after) =>
      walk(FACTS, [idOfKey(after), restOfKey(after)], (row) => ({
        record: { repoId: Number(row.repo_id), key: String(row.key), at: Number(row.at), value: String(row.value) },
      })),
    delivery: (after) => walk(DELIVERIES, [idOfKey(after)], (row) => ({ record: recordOf(row) })),
  };
}

/** Row by row, so that no more than one report is in memory. */
function createWalk({ prepare, read }: Connection) {
  return async function* walk<T>(
    sql: string,
    values: readonly SQLInputValue[],
    toEntry: (row: Row) => T,
  ): AsyncGenerator<T> {
    // A statement of its own: one that is walked cannot be used again in the meantime.
    const rows = read(() => prepare(sql).iterate(...values));
    for (;;) {
      const next = read(() => rows.next());
      if (next.done) return;
      yield toEntry(next.value);
    }
  };
}

function recordOf<T>(row: Row): T {
  return JSON.parse(row.record as string) as T;
}
