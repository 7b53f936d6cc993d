import { completeRepo, type Repo } from '../../domain/repo/repo.ts';
import type { Connection } from './connection.ts';
import { type Row, readRecord } from './records.ts';

/** Repo records, for what belongs to a repo. */
export interface RepoRows {
  find(id: number): Repo | undefined;
  lastSequence(id: number): number | undefined;
  /** Takes the sequence after `last` (rule 9), inside a write. Undefined: it is taken, or the repo is gone. */
  nextSequence(id: number, last: number): number | undefined;
}

/** Binds the repo records of one connection. */
export function createRepoRows({ prepare }: Connection): RepoRows {
  const find = prepare('SELECT record FROM repos WHERE id = ?');
  const last = prepare('SELECT last_sequence FROM repos WHERE id = ?');
  const next = prepare(
    'UPDATE repos SET last_sequence = last_sequence + 1 WHERE id = ? AND last_sequence = ? RETURNING last_sequence',
  );
  return {
    find: (id) => readRepo(find.get(id)),
    lastSequence: (id) => last.get(id)?.last_sequence as number | undefined,
    nextSequence: (id, sequence) => next.get(id, sequence)?.last_sequence as number | undefined,
  };
}

/** The repo of a row, with the settings that it was stored without. */
export function readRepo(row: Row | undefined): Repo | undefined {
  const repo = readRecord<Repo>(row);
  return repo && completeRepo(repo);
}
