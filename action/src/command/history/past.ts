import type { FileHits } from '../../formats/file-hits.ts';

/** As `--from` names them; the server knows the same (docs/export.md "A history"). */
export const SOURCES = ['codecov', 'coveralls', 'sonarqube', 'gocov', 'folder'] as const;
export type SourceName = (typeof SOURCES)[number];

/** Exact counts; the keys are the server's. */
export interface PastTotals {
  readonly coveredLines: number;
  readonly relevantLines: number;
  readonly coveredBranches: number;
  readonly branches: number;
}

/** What another service knows of one commit. */
export interface PastCommit {
  /** Whole, in lower case. */
  readonly commit: string;
  readonly branch: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly message?: string | undefined;
  readonly author?: string | undefined;
  /** The percentage that is shown there, from 0 to 100. */
  readonly shown?: number | undefined;
  readonly totals?: PastTotals | undefined;
  /** Lines that count as partly covered there. */
  readonly partialLines?: number | undefined;
}

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
  /** Its lines; empty where there are none of it. */
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
