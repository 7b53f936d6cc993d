import type { BuildSummary } from '../core/builds/build-summary.ts';
import type { TrendPoint } from '../core/builds/trend-point.ts';
import type { Timestamp } from '../core/time.ts';

/** A branch of a repo as a whole, or one of its flags. */
export interface Series {
  readonly repoId: number;
  readonly branch: string;
  readonly flag?: string | undefined;
}

export interface TrendQuery {
  readonly series: readonly Series[];
  /** Rising moments. For the builds between two of them the newest with a percentage stands for all (rule 4). */
  readonly bounds: readonly Timestamp[];
}

export interface BuildSearch {
  /** Only builds of these repos. */
  readonly repoIds: readonly number[];
  /** `commit`: the beginning of one, in lower case. */
  readonly by: { readonly pullRequest: number } | { readonly commit: string };
  /** For trusted builds, and for unverified ones (rule 29). */
  readonly limit: number;
}

export interface NewestPullsQuery {
  readonly repoIds: readonly number[];
  /** How many of each repo's newest builds of pull requests are looked at: trusted ones, and as many unverified. */
  readonly each: number;
  /** Pull requests that are answered, over all repos. */
  readonly limit: number;
}

/** What tells which of a pull request's builds stands for it, and whether it is still open. */
export type PullHead = Pick<
  BuildSummary,
  'id' | 'pullRequest' | 'landed' | 'trust' | 'target' | 'commit' | 'createdAt'
> & { readonly facts?: { readonly pull?: { readonly state: 'open' | 'closed' } | undefined } | undefined };

export interface RepoActivity {
  readonly repoId: number;
  readonly builds: number;
  /** When the newest build's last job came; undefined: nothing came. */
  readonly lastUploadAt: Timestamp | undefined;
  /** For all reports and source texts that are stored, estimated from some (estimateBytes); undefined: nobody knows. */
  readonly storedBytes: number | undefined;
}

/** How many of a repo's newest builds are measured, jobs of each, and source texts, by their digests. */
export const MEASURED = { builds: 20, jobs: 1_000, texts: 50 } as const;

/** What is read of many builds at once; each method costs by what it answers, not by how many builds there are. */
export interface BuildTrends {
  /** For each series its points, oldest first: none of builds in which the flag has no numbers. */
  trends(query: TrendQuery): Promise<readonly (readonly TrendPoint[])[]>;
  /** Branches with closed builds, by name. */
  branches(repoId: number, limit: number): Promise<readonly string[]>;
  /** Tags with closed builds, the newest first by their newest builds. */
  tags(repoId: number, limit: number): Promise<readonly string[]>;
  /** How much each repo was used, in the order that is asked for. */
  activity(repoIds: readonly number[]): Promise<readonly RepoActivity[]>;
  /** Builds of a pull request or of a commit, newest first among those found. */
  search(search: BuildSearch): Promise<readonly BuildSummary[]>;
  /** Builds of all repos that were taken out of the bases, the last first. */
  excludedBases(limit: number): Promise<readonly BuildSummary[]>;
  /** The newest build of each pull request that was built lately, newest first. */
  newestPulls(query: NewestPullsQuery): Promise<readonly BuildSummary[]>;
  /** For the builds of pull requests among so many of a repo's newest builds, newest first. */
  pullHeads(repoId: number, among: number): Promise<readonly PullHead[]>;
  /** In the order that is asked for; without those that are gone. */
  ofIds(ids: readonly number[]): Promise<readonly BuildSummary[]>;
}
