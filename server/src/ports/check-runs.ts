/**
 * Results with remarks beside lines of code. Hosts that tie them to a kind of sign-in refuse others: at GitHub only an App may
 * make them, and a plain token ends in a permanent ProviderFailure.
 */
export interface CheckRuns {
  /** Creates one on a commit; answers its id. */
  createCheckRun(call: CheckRunCall): Promise<number>;
  /** Replaces everything but the annotations, to which it adds; `gone` when there is no such check run any more. */
  updateCheckRun(call: CheckRunCall & { readonly checkRunId: number }): Promise<'updated' | 'gone'>;
}

/** More annotations than this in one call are a permanent failure before anything is sent. */
export const ANNOTATION_LIMIT = 50;

export interface CheckRunCall {
  readonly repo: string;
  readonly commit: string;
  /** Shown among the checks; several of one name may stand on a commit. */
  readonly name: string;
  /** The build's page. */
  readonly detailsUrl: string;
  /** Undefined: under way. */
  readonly conclusion: 'success' | 'failure' | 'neutral' | undefined;
  /** Markdown, but for the title. */
  readonly title: string;
  readonly summary: string;
  readonly annotations: readonly Annotation[];
}

export interface Annotation {
  /** Repo-relative. */
  readonly file: string;
  /** Lines from 1 on, both included. */
  readonly firstLine: number;
  readonly lastLine: number;
  readonly level: 'notice' | 'warning' | 'failure';
  /** Plain text. */
  readonly message: string;
}
