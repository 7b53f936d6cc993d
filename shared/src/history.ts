/** Services whose past can be imported, and a folder of old reports. */
export type HistorySource = 'codecov' | 'coveralls' | 'sonarqube' | 'gocov' | 'folder';

/** What the command says of a history in its manifest, for those who are to import it. */
export interface HistoryRemarks {
  /** Commits that stayed out, by the reason, a clause. */
  readonly leftOut?: readonly { readonly why: string; readonly commits: number }[] | undefined;
  /** How many requests the other service answered; undefined: nobody was asked. */
  readonly requests?: number | undefined;
  /** Sentences about names and lines that stayed out. */
  readonly notes?: readonly string[] | undefined;
}

/** As many reasons, and as many notes, are written. */
export const MAX_REMARKS = 20;

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
