import { findReadableRepo, type RepoRequest } from '../access/find-administered-repo.ts';
import type { KnowAccess } from '../access/know-access.ts';
import type { FlagResult } from '../core/builds/build.ts';
import type { BuildSummary } from '../core/builds/build-summary.ts';
import type { TrendPoint } from '../core/builds/trend-point.ts';
import { mayAdminister } from '../core/repo/caller.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { StatusNames } from '../core/repo/setting.ts';
import type { Clock } from '../platform/clock.ts';
import { type Paged, type Paging, toPaged, toRange } from '../platform/paging.ts';
import { findBranchHead } from '../storage/branch-head.ts';
import type { BuildViews } from '../storage/build-views.ts';
import type { RepoStore } from '../storage/store.ts';
import { trendPeriod } from './trend.ts';

/** What the small trends of lists cover, and how many builds stand for it. */
export const SPARK = { days: 30, spans: 12 } as const;

const BRANCHES = 50;

export interface ListedFlags extends Paged {
  readonly repo: Repo;
  readonly maintains: boolean;
  /** The branch that was asked for; undefined: the default one. */
  readonly asked: string | undefined;
  readonly branch: string | undefined;
  readonly branches: readonly string[];
  /** By what contexts are named; undefined: no status is sent. */
  readonly names: StatusNames | undefined;
  /** The build whose flags these are. */
  readonly newest: BuildSummary | undefined;
  /** With how each went, oldest first. */
  readonly flags: readonly { readonly result: FlagResult; readonly points: readonly TrendPoint[] }[];
}

export type ListFlags = (
  asked: RepoRequest & { readonly branch: string | undefined; readonly paging: Paging },
) => Promise<ListedFlags>;

/** The flags of a branch's newest build. A Failure `not-found` as for the repo. */
export function createListFlags(deps: {
  readonly repos: Pick<RepoStore, 'findByName'>;
  readonly knowAccess: KnowAccess;
  readonly views: Pick<BuildViews, 'closed' | 'flags' | 'trends' | 'branches'>;
  readonly clock: Clock;
  /** Where a repo states none. */
  readonly ownNames: StatusNames;
}): ListFlags {
  const { views, clock, ownNames } = deps;
  return async ({ branch: asked, paging, ...request }) => {
    const { repo, caller } = await findReadableRepo(deps, request);
    const { branch, newest } = await findBranchHead(views, { repo, branch: asked });
    const page = newest && (await views.flags({ buildId: newest.id, failingFirst: false, ...toRange(paging) }));
    const { total = 0, flags = [] } = page ?? {};
    const { bounds } = trendPeriod(clock.now(), SPARK);
    const series = flags.map(({ name }) => ({ repoId: repo.id, branch: branch ?? '', flag: name }));
    const [points, branches] = await Promise.all([views.trends({ series, bounds }), views.branches(repo.id, BRANCHES)]);
    return {
      repo,
      maintains: mayAdminister(caller, repo),
      asked: asked === undefined ? undefined : branch,
      branch,
      branches,
      names: repo.settings.sendBuildStatus ? (repo.settings.statusNames ?? ownNames) : undefined,
      newest,
      flags: flags.map((result, index) => ({ result, points: points[index] ?? [] })),
      ...toPaged(paging, total),
    };
  };
}
