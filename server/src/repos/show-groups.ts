import { findReadableRepo, type RepoRequest } from '../access/find-administered-repo.ts';
import type { BuildSummary, BuildView } from '../core/builds/build-summary.ts';
import type { GroupResult } from '../core/builds/group-result.ts';
import type { TrendPoint } from '../core/builds/trend-point.ts';
import { Failure, quoteValue } from '../core/failure.ts';
import { mayAdminister } from '../core/repo/caller.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { Services } from '../services/services.ts';
import { findBranchHead } from '../storage/branch-head.ts';

/** Builds that a group's page goes back to. */
export const GROUP_BUILDS = 20;

/** A build with what it says of one group. */
export interface GroupOfBuild {
  readonly build: BuildSummary;
  readonly group: GroupResult;
}

export interface ShownGroups {
  readonly repo: Repo;
  readonly maintains: boolean;
  readonly branch: string | undefined;
  /** The build whose groups and owners these are. */
  readonly newest: BuildView | undefined;
  /** By group: how it went in the last builds, oldest first. */
  readonly points: ReadonlyMap<string, readonly TrendPoint[]>;
}

export interface ShownGroup extends ShownGroups {
  readonly group: GroupResult;
  /** Newest first. */
  readonly builds: readonly GroupOfBuild[];
}

type GroupServices = Pick<Services, 'knowAccess' | 'repos' | 'views'>;

/** The groups and owners of the default branch's newest build. A Failure `not-found` as for the repo. */
export async function listGroups(services: GroupServices, request: RepoRequest): Promise<ShownGroups> {
  const { recent, ...shown } = await readRecent(services, request);
  const ids = (shown.newest?.result?.groups ?? []).map(({ id }) => id);
  return { ...shown, points: new Map(ids.map((id) => [id, pointsOf(id, recent)])) };
}

/** One of them. A Failure `not-found` also if the newest build has none of this id. */
export async function showGroup(
  services: GroupServices,
  { id, ...request }: RepoRequest & { readonly id: string },
): Promise<ShownGroup> {
  const { recent, ...shown } = await readRecent(services, request);
  const group = shown.newest?.result?.groups?.find((one) => one.id === id);
  if (group === undefined) {
    const { service, name } = shown.repo;
    const message = `The newest build of ${name} has no group ${quoteValue(id, 70)}. Its coverage.yml names them.`;
    throw new Failure('not-found', message, { repo: { service, name } });
  }
  return { ...shown, group, builds: ofGroup(id, recent), points: new Map([[id, pointsOf(id, recent)]]) };
}

async function readRecent(services: GroupServices, request: RepoRequest) {
  const { views } = services;
  const { repo, caller } = await findReadableRepo(services, request);
  const { branch } = await findBranchHead(views, { repo, branch: undefined });
  const query = { repoId: repo.id, scope: { branch: branch ?? '' }, before: undefined, limit: GROUP_BUILDS };
  const closed = branch === undefined ? [] : await views.closed(query);
  const found = await Promise.all(closed.map(({ id }) => views.find(id)));
  const recent = found.filter((one) => one !== undefined);
  return { repo, maintains: mayAdminister(caller, repo), branch, newest: recent[0], recent };
}

function ofGroup(id: string, builds: readonly BuildView[]): readonly GroupOfBuild[] {
  return builds.flatMap((build) => {
    const group = build.result?.groups?.find((one) => one.id === id);
    return group === undefined ? [] : [{ build: build as BuildSummary, group }];
  });
}

function pointsOf(id: string, builds: readonly BuildView[]): readonly TrendPoint[] {
  return ofGroup(id, builds)
    .toReversed()
    .map(({ build, group: { totals, baseTotals, verdict } }) => ({
      ...{
        buildId: build.id,
        commit: build.commit,
        at: build.createdAt,
        totals,
        baseTotals,
        kind: 'uploaded' as const,
      },
      verdict: verdict ?? { state: 'success', rule: 'first-build' },
    }));
}
