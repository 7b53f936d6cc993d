import type { FileChange, FlagResult } from '../core/builds/build.ts';
import type { BuildSummary, BuildView } from '../core/builds/build-summary.ts';
import type { BuildPageQuery } from './build-pages.ts';
import type { ClosedQuery } from './build-store.ts';
import type { BuildTrends } from './build-trends.ts';

/**
 * Builds as pages and lists show them, without what may be as long as their uploads make it: a build may hold tens of
 * thousands of flags and jobs, which are read page by page. Each method finds the builds that the one of that name in
 * BuildStore finds.
 */
export interface BuildViews extends BuildTrends {
  find(buildId: number): Promise<BuildView | undefined>;
  summary(buildId: number): Promise<BuildSummary | undefined>;
  findByCommit(commit: string): Promise<readonly BuildSummary[]>;
  ofCommit(repoId: number, commit: string): Promise<readonly BuildSummary[]>;
  /** Builds of one repo with this pull request, newest first. */
  ofPullRequest(query: PullPageQuery): Promise<readonly BuildSummary[]>;
  list(query: BuildPageQuery): Promise<{ readonly total: number; readonly builds: readonly BuildSummary[] }>;
  closed(query: ClosedQuery): Promise<readonly BuildSummary[]>;
  bases(query: ClosedQuery): Promise<readonly BuildSummary[]>;
  withFlag(query: ClosedQuery & { readonly flag: string }): Promise<readonly BuildSummary[]>;
  /** One flag of a build's last close. */
  flag(buildId: number, name: string): Promise<FlagResult | undefined>;
  /** The flags of a build's last close; none before. */
  flags(query: FlagPageQuery): Promise<FlagPage>;
  /** What the first of them are called, in the order of the result. */
  flagNames(buildId: number, limit: number): Promise<readonly string[]>;
  /** What happened to the files of a build's last close: at most MAX_FILE_CHANGES. */
  fileKinds(buildId: number): Promise<readonly FileKind[]>;
}

export type FileKind = Pick<FileChange, 'name' | 'kind'>;

export interface PullPageQuery {
  readonly repoId: number;
  readonly pullRequest: number;
  readonly offset: number;
  readonly limit: number;
}

export interface FlagPageQuery {
  readonly buildId: number;
  /** Those whose verdict is no success before the others; else in the order of the result. */
  readonly failingFirst: boolean;
  readonly offset: number;
  readonly limit: number;
}

export interface FlagPage {
  /** How many flags there are on all pages. */
  readonly total: number;
  readonly flags: readonly FlagResult[];
}
