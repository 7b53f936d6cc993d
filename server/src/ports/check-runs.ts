import type { Annotation, PlaceId } from '../core/announce/delivery.ts';

/**
 * Results with remarks beside lines of code, each called by a name of ours. Hosts that tie them to a kind of sign-in
 * refuse others: at GitHub only an App may make them, and a plain token ends in a permanent ProviderFailure.
 */
export interface CheckRuns {
  /** Creates one on a commit; answers its id. It hides, or replaces, an earlier one of the same name. */
  createCheckRun(call: CheckRunCall): Promise<PlaceId>;
  /**
   * Replaces everything but the annotations, which no host removes: it must have those of the call already.
   * `gone` when there is no such check run any more.
   */
  updateCheckRun(call: CheckRunCall & { readonly checkRunId: PlaceId }): Promise<'updated' | 'gone'>;
  /**
   * Read back after an unknown outcome: the id of the newest check run of this name on the commit, where it was made or
   * updated by a call that said exactly the same. Undefined: it says something else, or there is none.
   */
  findCheckRun(call: CheckRunCall): Promise<PlaceId | undefined>;
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
  readonly conclusion: 'success' | 'neutral';
  /** Markdown, except for the title. */
  readonly title: string;
  readonly summary: string;
  readonly annotations: readonly Annotation[];
}
