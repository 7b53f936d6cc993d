import type { Build } from '../core/builds/build.ts';

/** Rule 29: what counts apart, so that builds of unverified runs never replace others. */
export type TrustSide = 'trusted' | 'unverified';

/** One page of a repo's builds. */
export interface BuildPageQuery {
  readonly repoId: number;
  /** Only builds on that branch: no pull request, no tag, no unverified run; undefined: every build. */
  readonly branch: string | undefined;
  /** For the whole repo: only trusted builds, or only those of unverified runs (rule 29); absent: both. */
  readonly trust?: TrustSide;
  /** How many of the newest are skipped. */
  readonly offset: number;
  readonly limit: number;
}

export interface BuildPage {
  /** How many builds there are on all pages. */
  readonly total: number;
  /** Newest first, open ones too; none beyond the last page. */
  readonly builds: readonly Build[];
}
