import { defaultBranches } from '../../domain/builds/base-branches.ts';
import type { BuildSummary } from '../../domain/builds/build-summary.ts';
import { stripBranchPrefix } from '../../domain/builds/git-ref.ts';
import type { TrendPoint } from '../../domain/builds/trend-point.ts';
import type { Repo } from '../../domain/repo/repo.ts';
import type { Timestamp } from '../../domain/time.ts';
import type { BuildViews } from '../../ports/build-views.ts';
import type { Clock } from '../../ports/clock.ts';
import type { RepoStore } from '../../ports/store.ts';
import type { KnowAccess } from '../access/know-access.ts';
import { findReadableRepo, type RepoRequest } from '../repos/find-administered-repo.ts';

const DAY = 86_400_000;

/** Equal spans up to now, which is the end of the last. */
export interface TrendPeriod {
  readonly from: Timestamp;
  readonly to: Timestamp;
  readonly bounds: readonly Timestamp[];
}

/** `spans`: how many builds stand for all of the period, at most. */
export function trendPeriod(now: Timestamp, { days, spans }: { readonly days: number; readonly spans: number }) {
  const [from, to] = [now - days * DAY, now + 1];
  const bounds = Array.from({ length: spans + 1 }, (_, index) => Math.round(from + ((to - from) * index) / spans));
  return { from, to, bounds } satisfies TrendPeriod;
}

/** The branch that is asked for, else the default one, with its newest closed build. */
export interface BranchHead {
  /** Undefined: none was asked for, and no default branch has a closed build. */
  readonly branch: string | undefined;
  readonly newest: BuildSummary | undefined;
}

/** Of several default branches the first that has a closed build. */
export async function findBranchHead(
  views: Pick<BuildViews, 'closed'>,
  { repo, branch }: { readonly repo: Repo; readonly branch: string | undefined },
): Promise<BranchHead> {
  const names = branch === undefined ? defaultBranches(repo) : [stripBranchPrefix(branch)];
  for (const name of names) {
    const [newest] = await views.closed({ repoId: repo.id, scope: { branch: name }, before: undefined, limit: 1 });
    if (newest !== undefined) return { branch: name, newest };
  }
  return { branch: branch === undefined ? undefined : names[0], newest: undefined };
}

export interface TrendRequest extends RepoRequest {
  readonly branch: string | undefined;
  readonly flag: string | undefined;
  readonly days: number;
  readonly spans: number;
}

export interface ShownTrend {
  readonly repo: Repo;
  readonly branch: string | undefined;
  readonly flag: string | undefined;
  readonly period: TrendPeriod;
  /** Oldest first. */
  readonly points: readonly TrendPoint[];
}

export type ShowTrend = (request: TrendRequest) => Promise<ShownTrend>;

/** How a branch, or one of its flags, went: one build of each span. A Failure `not-found` as for the repo. */
export function createShowTrend(deps: {
  readonly repos: Pick<RepoStore, 'findByName'>;
  readonly knowAccess: KnowAccess;
  readonly views: Pick<BuildViews, 'closed' | 'trends'>;
  readonly clock: Clock;
}): ShowTrend {
  const { views, clock } = deps;
  return async ({ flag, days, spans, ...request }) => {
    const { repo } = await findReadableRepo(deps, request);
    const { branch } = await findBranchHead(views, { repo, branch: request.branch });
    const period = trendPeriod(clock.now(), { days, spans });
    const series = branch === undefined ? [] : [{ repoId: repo.id, branch, flag }];
    const [points = []] = await views.trends({ series, bounds: period.bounds });
    return { repo, branch, flag, period, points };
  };
}
