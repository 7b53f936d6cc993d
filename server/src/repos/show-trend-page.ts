import type { RepoRequest } from '../access/find-administered-repo.ts';
import type { BuildSummary } from '../core/builds/build-summary.ts';
import type { TrendPoint } from '../core/builds/trend-point.ts';
import type { Services } from '../services/services.ts';
import { readGroupPoints } from './show-groups.ts';
import { type RepoOverview, showRepo } from './show-repo.ts';

/** A flag or a group, by the id of its check. */
export interface OverlayChoice {
  /** As `flag:unit` or `group:backend`. */
  readonly id: string;
  readonly kind: 'flag' | 'group';
  readonly name: string;
}

/** A tag's newest build. */
export interface Release {
  readonly name: string;
  readonly build: BuildSummary;
}

export interface TrendPage {
  readonly overview: RepoOverview;
  /** By the ids of their builds, what the points of the branch are called. */
  readonly builds: ReadonlyMap<number, BuildSummary>;
  /** All of the period, oldest first. */
  readonly releases: readonly Release[];
  /** What the newest build of the branch has. */
  readonly choices: readonly OverlayChoice[];
  /** Among those that are chosen: oldest first. */
  readonly overlays: readonly (OverlayChoice & { readonly points: readonly TrendPoint[] })[];
}

/** More lines than these cannot be told apart. */
export const MAX_OVERLAYS = 4;
/** Tags that are shown: the newest. */
const MAX_TAGS = 20;

type TrendServices = Parameters<typeof showRepo>[0] & Pick<Services, 'views'>;

/** How a branch went, with flags and groups beside it. A Failure `not-found` as for the repo. */
export async function showTrendPage(
  services: TrendServices,
  asked: RepoRequest & { branch: string | undefined; days: number; chosen: readonly string[] },
): Promise<TrendPage> {
  const { chosen, ...request } = asked;
  const nothing = { flag: undefined, filter: { text: undefined, verdict: undefined }, page: 1, withPulls: false };
  const overview = await showRepo(services, { ...request, ...nothing });
  const { newest, flags } = overview;
  const groups = (newest && (await services.views.find(newest.id)))?.result?.groups ?? [];
  const choices: readonly OverlayChoice[] = [
    ...flags.map((name) => ({ id: `flag:${name}`, kind: 'flag' as const, name })),
    ...groups.map(({ id, name }) => ({ id: `group:${id}`, kind: 'group' as const, name })),
  ];
  const wanted = choices.filter(({ id }) => chosen.includes(id)).slice(0, MAX_OVERLAYS);
  const [points, builds, releases] = await Promise.all([
    pointsOf(services, overview, wanted),
    Promise.all(overview.points.map(({ buildId }) => services.views.summary(buildId))),
    findReleases(services, overview),
  ]);
  return {
    overview,
    builds: new Map(builds.flatMap((build) => (build === undefined ? [] : [[build.id, build] as const]))),
    releases,
    choices,
    overlays: wanted.map((one) => ({ ...one, points: points.get(one.id) ?? [] })),
  };
}

async function findReleases(
  { views }: TrendServices,
  { repo, period: { from, to } }: RepoOverview,
): Promise<readonly Release[]> {
  const names = await views.tags(repo.id, MAX_TAGS);
  const found = await Promise.all(
    names.map(async (name): Promise<readonly Release[]> => {
      const scope = { tag: name };
      const [build] = await views.closed({ repoId: repo.id, scope, before: undefined, limit: 1 });
      return build === undefined || build.createdAt < from || build.createdAt >= to ? [] : [{ name, build }];
    }),
  );
  return found.flat().toSorted((a, b) => a.build.createdAt - b.build.createdAt);
}

async function pointsOf(
  { views }: TrendServices,
  { repo, branch = '', period, points }: RepoOverview,
  wanted: readonly OverlayChoice[],
): Promise<ReadonlyMap<string, readonly TrendPoint[]>> {
  const [flags, groups] = [wanted.filter(({ kind }) => kind === 'flag'), wanted.filter(({ kind }) => kind === 'group')];
  const series = flags.map(({ name }) => ({ repoId: repo.id, branch, flag: name }));
  const groupIds = groups.map(({ id }) => id.slice('group:'.length));
  const [ofFlags, ofGroups] = await Promise.all([
    series.length === 0 ? [] : views.trends({ series, bounds: period.bounds }),
    readGroupPoints({ views }, { points, ids: groupIds }),
  ]);
  return new Map([
    ...flags.map(({ id }, at) => [id, ofFlags[at] ?? []] as const),
    ...groups.map(({ id }, at) => [id, ofGroups.get(groupIds[at] ?? '') ?? []] as const),
  ]);
}
