import { findReadableRepo, type RepoRequest } from '../access/find-administered-repo.ts';
import { serverStatusNames } from '../core/announce/contexts.ts';
import type { FlagResult } from '../core/builds/build.ts';
import type { BuildSummary } from '../core/builds/build-summary.ts';
import type { TrendPoint } from '../core/builds/trend-point.ts';
import { mayAdminister } from '../core/repo/caller.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { StatusNames } from '../core/repo/setting.ts';
import { type Paged, type Paging, toPaged, toRange } from '../platform/paging.ts';
import type { Services } from '../services/services.ts';
import { findBranchHead } from '../storage/branch-head.ts';
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

/** The flags of a branch's newest build. A Failure `not-found` as for the repo. */
export async function listFlags(
  services: Pick<Services, 'clock' | 'config' | 'resolveAccess' | 'repos' | 'views'>,
  wanted: RepoRequest & { readonly branch: string | undefined; readonly paging: Paging },
): Promise<ListedFlags> {
  const { views, clock, config } = services;
  const { branch: asked, paging, ...request } = wanted;
  const { repo, caller } = await findReadableRepo(services, request);
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
    names: repo.settings.sendBuildStatus
      ? (repo.settings.statusNames ?? serverStatusNames(config.statusContext))
      : undefined,
    newest,
    flags: flags.map((result, index) => ({ result, points: points[index] ?? [] })),
    ...toPaged(paging, total),
  };
}
