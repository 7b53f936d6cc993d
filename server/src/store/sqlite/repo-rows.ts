import { completeRepo, type Repo } from '../../domain/repo/repo.ts';
import type { Connection } from './connection.ts';
import { type Row, readRecord } from './records.ts';

/** Repo records, for the stores that hang things on a repo. */
export interface RepoRows {
  find(id: number): Repo | undefined;
  /** Takes the next sequence of a repo (rule 9). Only inside a write. */
  nextSequence(id: number): number;
}

/** Binds the repo records of one connection. */
export function createRepoRows({ prepare }: Connection): RepoRows {
  const find = prepare('SELECT record FROM repos WHERE id = ?');
  const sequence = prepare('UPDATE repos SET last_sequence = last_sequence + 1 WHERE id = ? RETURNING last_sequence');
  return {
    find: (id) => readRepo(find.get(id)),
    nextSequence: (id) => Number(sequence.get(id)?.last_sequence),
  };
}

/** The repo of a row, with the settings that it was stored without. */
export function readRepo(row: Row | undefined): Repo | undefined {
  const repo = readRecord<Repo>(row);
  return repo && completeRepo(repo);
}
