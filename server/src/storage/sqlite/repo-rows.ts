import { completeRepo, type Repo } from '../../core/repo/repo.ts';
import type { Connection } from './connection.ts';
import { type Row, readRecord } from './records.ts';

/** Repo records, for what belongs to a repo. */
export interface RepoRows {
  find(id: number): Repo | undefined;
  lastSequence(id: number): number | undefined;
  /** Takes the sequence after `last` (rule 9), inside a write. Undefined: it is taken, or the repo is gone. */
  nextSequence(id: number, last: number): number | undefined;
  /** Bytes of the uploads that were accepted on a day. */
  sentBytes(id: number, day: number): number;
  /** Adds to them, inside a write; those of another day are forgotten. */
  addSent(id: number, day: number, bytes: number): void;
}

/** The service of a row that an import fills (repo-transfers.ts): no repo of anybody, until the import is finished. */
export const IMPORTING = 'importing';

/** Condition: a repo that is there for everybody. */
export const PRESENT = `service <> '${IMPORTING}'`;

/** Binds the repo records of one connection. */
export function createRepoRows({ prepare }: Connection): RepoRows {
  const find = prepare(`SELECT record FROM repos WHERE id = ? AND ${PRESENT}`);
  const last = prepare('SELECT last_sequence FROM repos WHERE id = ?');
  const next = prepare(
    'UPDATE repos SET last_sequence = last_sequence + 1 WHERE id = ? AND last_sequence = ? RETURNING last_sequence',
  );
  const sent = prepare('SELECT bytes FROM repo_usage WHERE repo_id = ? AND day = ?');
  const addSent = prepare(`
    INSERT INTO repo_usage (repo_id, day, bytes) VALUES (?, ?, ?) ON CONFLICT (repo_id) DO UPDATE
    SET bytes = excluded.bytes + CASE WHEN day = excluded.day THEN bytes ELSE 0 END, day = excluded.day`);
  return {
    find: (id) => readRepo(find.get(id)),
    lastSequence: (id) => last.get(id)?.last_sequence as number | undefined,
    nextSequence: (id, sequence) => next.get(id, sequence)?.last_sequence as number | undefined,
    sentBytes: (id, day) => Number(sent.get(id, day)?.bytes ?? 0),
    addSent: (id, day, bytes) => void addSent.run(id, day, bytes),
  };
}

/** The repo of a row, with the settings that it was stored without. */
export function readRepo(row: Row | undefined): Repo | undefined {
  const repo = readRecord<Repo>(row);
  return repo && completeRepo(repo);
}
