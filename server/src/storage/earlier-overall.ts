import type { FlagResult } from '../core/builds/build.ts';
import { lacksNames, overallOf, withNames } from '../core/builds/build-checks.ts';
import type { BuildSummary, BuildView } from '../core/builds/build-summary.ts';
import type { TrendPoint } from '../core/builds/trend-point.ts';
import type { Overall } from '../core/verdict/checks.ts';
import type { BuildViews } from './build-views.ts';

/** What the overall state of a build is worked out from. */
export interface EarlierResult {
  readonly buildId: number;
  readonly result: Omit<NonNullable<BuildSummary['result']>, 'overall'> | undefined;
  /** All whose verdict is no success, up to MAX_FAILING, and any others. */
  readonly flags: readonly FlagResult[];
  /** How many flags there are in all. */
  readonly total: number;
}

export const MAX_FAILING = 1_000;

/** Builds that a page shows. More are read to look through them, or to count: each name is in a build of its own. */
const MAX_NAMED = 100;

/** Those of these builds that have a result, in any order. */
export type ReadEarlier = (buildIds: readonly number[]) => Promise<readonly EarlierResult[]>;

/** A build, or a point of a branch's trend; the points of flags have none. */
interface Summed {
  readonly id: number;
  readonly overall: Overall | undefined;
}

/**
 * The views of an adapter, in which builds that earlier versions closed have their overall state too, with what groups
 * are called: these wrote none, or ids alone, and summaries have no flags and groups to make it of.
 */
export function withEarlierOverall(views: BuildViews, readEarlier: ReadEarlier): BuildViews {
  const missing = async (summed: readonly Summed[]): Promise<ReadonlyMap<number, Overall>> => {
    const ids = [...new Set(summed.filter(({ overall }) => overall === undefined).map(({ id }) => id))];
    return ids.length === 0 ? new Map() : new Map((await readEarlier(ids)).flatMap(overallOfEarlier));
  };
  const unnamed = async (summed: readonly Summed[]): Promise<readonly (readonly [number, Overall])[]> => {
    if (summed.length > MAX_NAMED) return [];
    const named = summed.map(async ({ id, overall }) => {
      if (overall === undefined || !lacksNames(overall)) return [];
      return [[id, withNames(overall, (await views.find(id))?.result?.groups ?? [])] as const];
    });
    return (await Promise.all(named)).flat();
  };
  const fill = async <B extends BuildSummary | BuildView>(builds: readonly B[]): Promise<readonly B[]> => {
    const summed = builds.flatMap(({ id, result }) => (result ? [{ id, overall: result.overall }] : []));
    const found = new Map([...(await missing(summed)), ...(await unnamed(summed))]);
    return found.size === 0 ? builds : builds.map((build) => withFound(build, found.get(build.id)));
  };
  const one = async <B extends BuildSummary | BuildView>(build: B | undefined): Promise<B | undefined> =>
    build && (await fill([build]))[0];
  return {
    ...views,
    find: async (id) => one(await views.find(id)),
    summary: async (id) => one(await views.summary(id)),
    findByCommit: async (commit) => fill(await views.findByCommit(commit)),
    ofCommit: async (repoId, commit) => fill(await views.ofCommit(repoId, commit)),
    ofPullRequest: async (query) => fill(await views.ofPullRequest(query)),
    async list(query) {
      const page = await views.list(query);
      return { ...page, builds: await fill(page.builds) };
    },
    closed: async (query) => fill(await views.closed(query)),
    bases: async (query) => fill(await views.bases(query)),
    withFlag: async (query) => fill(await views.withFlag(query)),
    search: async (search) => fill(await views.search(search)),
    excludedBases: async (limit) => fill(await views.excludedBases(limit)),
    newestPulls: async (query) => fill(await views.newestPulls(query)),
    ofIds: async (ids) => fill(await views.ofIds(ids)),
    async trends(query) {
      const found = await views.trends(query);
      const ofBuilds = found.filter((_, index) => query.series[index]?.flag === undefined).flat();
      const overalls = await missing(ofBuilds.map(({ buildId, overall }) => ({ id: buildId, overall })));
      if (overalls.size === 0) return found;
      const filled = (points: readonly TrendPoint[]) =>
        points.map((point) => (point.overall ? point : { ...point, overall: overalls.get(point.buildId) }));
      return found.map((points, index) => (query.series[index]?.flag === undefined ? filled(points) : points));
    },
  };
}

function withFound<B extends BuildSummary | BuildView>(build: B, overall: Overall | undefined): B {
  return overall === undefined ? build : { ...build, result: build.result && { ...build.result, overall } };
}

function overallOfEarlier({ buildId, result, flags, total }: EarlierResult): readonly [number, Overall][] {
  if (result === undefined) return [];
  const overall = overallOf({ ...result, overall: undefined, flags });
  const { counts } = overall.passing;
  const others = total - flags.length;
  if (others === 0) return [[buildId, overall]];
  return [[buildId, { ...overall, passing: { counts: { ...counts, flag: (counts.flag ?? 0) + others } } }]];
}
