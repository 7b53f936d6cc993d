/** Services whose past can be imported, and a folder of old reports. */
export type HistorySource = 'codecov' | 'coveralls' | 'sonarqube' | 'gocov' | 'folder';

/** Exact counts. */
export interface PastTotals {
  readonly coveredLines: number;
  readonly relevantLines: number;
  readonly coveredBranches: number;
  readonly branches: number;
}

/** What another service knows of one commit: the command writes it, the server reads it (docs/export.md). */
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
