import type { Build } from '../domain/builds/build.ts';

/** One page of a repo's builds. */
export interface BuildPageQuery {
  readonly repoId: number;
  /** Only builds on that branch: no pull request, no tag, no unverified run; undefined: every build. */
  readonly branch: string | undefined;
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
