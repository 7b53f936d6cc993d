import type { HistorySource, PastCommit } from '@coverage/shared/history';
import type { FileHits } from '../../formats/file-hits.ts';

/** As `--from` names them. */
export const SOURCES = [
  'codecov',
  'coveralls',
  'sonarqube',
  'gocov',
  'folder',
] as const satisfies readonly HistorySource[];

/** The report of one flag of a commit, or of what has none. */
export interface PastReport {
  readonly flag?: string | undefined;
  /** By the names that they have in the repo, in their order. */
  readonly files: readonly FileHits[];
}

/** A commit that is left out, and why, as a clause. */
export interface LeftOutCommit {
  readonly commit: string;
  readonly why: string;
}

/** One service, or one folder, that is read. */
export interface PastSource {
  /** Where it is, for people. */
  readonly address: string;
  /** What it has of the branches that are asked for, newest first. */
  list(): AsyncIterable<PastCommit | LeftOutCommit>;
  /** The flags whose lines `reports` would give of a commit; undefined: it is known only then. */
  flags?(commit: PastCommit): Promise<readonly string[]>;
  /** Its lines; empty if there are none of it. */
  reports(commit: PastCommit): Promise<readonly PastReport[]>;
  /** Sentences about names and lines that stayed out, once it was read. */
  notes(): readonly string[];
}

/** Which part of a history is asked for. */
export interface Asked {
  /** Empty: the default branch. */
  readonly branches: readonly string[];
  /** Milliseconds since 1970; older commits stay out. */
  readonly since: number | undefined;
}
