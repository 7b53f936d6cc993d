import { defaultBranches } from '../../domain/builds/base-branches.ts';
import type { BuildSummary } from '../../domain/builds/build-summary.ts';
import type { TrendPoint } from '../../domain/builds/trend-point.ts';
import type { Caller } from '../../domain/repo/caller.ts';
import type { Repo, RepoService } from '../../domain/repo/repo.ts';
import type { Timestamp } from '../../domain/time.ts';
import type { BuildViews } from '../../ports/build-views.ts';
import type { Clock } from '../../ports/clock.ts';
import { readSearch } from '../builds/find-builds.ts';
import { SPARK } from '../builds/list-flags.ts';
import { type Paged, type Paging, toPaged, toRange } from '../builds/paging.ts';
import { trendPeriod } from '../builds/trend.ts';
import type { ListRepos } from './list-repos.ts';

/** So many repos are put in order by their verdicts; who reads more looks for them by name or owner. */
export const MOST_REPOS = 500;
const MOST_FOUND = 50;

/** How a repo stands by the newest build of its default branch. */
export type RepoStanding = 'attention' | 'passing' | 'not-started';

export interface HomeRow {
  readonly repo: Repo;
  readonly standing: RepoStanding;
  readonly newest: TrendPoint | undefined;
  /** Of the last days, oldest first. */
  readonly points: readonly TrendPoint[];
}

export interface HomeRequest {
  readonly caller: Caller;
  /** Part of a name, `#n`, or the beginning of a commit. */
  readonly text: string | undefined;
  readonly owner: { readonly service: RepoService; readonly name: string } | undefined;
  readonly show: 'failing' | 'private' | undefined;
  readonly paging: Paging;
}

export interface ShownHome extends Paged {
  readonly rows: readonly HomeRow[];
  readonly standings: Readonly<Record<RepoStanding, number>>;
  /** How many repos the caller may read, whether or not they fit. */
  readonly readable: number;
  /** How many are of the owner who was asked for; undefined owner: of all. */
  readonly owned: number;
  /** Builds that were searched for, newest first. */
  readonly found: readonly { readonly repo: Repo; readonly build: BuildSummary }[];
}

export type ShowHome = (request: HomeRequest) => Promise<ShownHome>;

const ORDER: readonly RepoStanding[] = ['attention', 'passing', 'not-started'];

/** The repos that somebody may read, those first that need attention; and the builds that they search for. */
export function createShowHome(deps: {
  readonly listRepos: ListRepos;
  readonly views: Pick<BuildViews, 'trends' | 'search'>;
  readonly clock: Clock;
}): ShowHome {
  const { listRepos, views, clock } = deps;
  return async ({ caller, text, owner, show, paging }) => {
    const { repos, total } = await listRepos({ caller, paging: { page: 1, size: MOST_REPOS } });
    const by = text === undefined ? undefined : readSearch(text);
    const found = by && (await views.search({ repoIds: repos.map(({ id }) => id), by, limit: MOST_FOUND }));
    const owned = repos.filter((repo) => isOf(repo, owner));
    const named = by !== undefined && 'pullRequest' in by ? [] : owned.filter((repo) => isNamed(repo, text));
    const all = await standAll(views, named, clock.now());
    const fitting = all.filter((row) => fits(row, show)).toSorted(byStanding);
    const { offset, limit } = toRange(paging);
    const rows = await addTrends(views, fitting.slice(offset, offset + limit), clock.now());
    const byId = new Map(repos.map((repo) => [repo.id, repo]));
    return {
      rows,
      standings: countStandings(fitting),
      readable: total,
      owned: owned.length,
      found: (found ?? []).flatMap((build) => {
        const repo = byId.get(build.repoId);
        return repo === undefined ? [] : [{ repo, build }];
      }),
      ...toPaged(paging, fitting.length),
    };
  };
}

function isOf({ service, name }: Repo, owner: HomeRequest['owner']): boolean {
  if (owner === undefined) return true;
  return service === owner.service && name.toLowerCase().startsWith(`${owner.name.toLowerCase()}/`);
}

function isNamed({ name }: Repo, text = ''): boolean {
  return name.toLowerCase().includes(text.toLowerCase());
}

function fits({ repo, standing }: HomeRow, show: HomeRequest['show']): boolean {
  if (show === 'failing') return standing === 'attention';
  return show === undefined || repo.settings.visibility !== 'public';
}

function byStanding(a: HomeRow, b: HomeRow): number {
  return ORDER.indexOf(a.standing) - ORDER.indexOf(b.standing) || (a.repo.name < b.repo.name ? -1 : 1);
}

function countStandings(rows: readonly HomeRow[]): Readonly<Record<RepoStanding, number>> {
  const count = (standing: RepoStanding): number => rows.filter((row) => row.standing === standing).length;
  return { attention: count('attention'), passing: count('passing'), 'not-started': count('not-started') };
}

/** Each by the newest build of the first of its default branches that has one. */
async function standAll(views: Pick<BuildViews, 'trends'>, repos: readonly Repo[], now: Timestamp) {
  const series = repos.flatMap((repo) => defaultBranches(repo).map((branch) => ({ repoId: repo.id, branch })));
  const points = await views.trends({ series, bounds: [0, now + 1] });
  const newest = new Map<number, TrendPoint>();
  for (const [index, { repoId }] of series.entries()) {
    const point = points[index]?.[0];
    if (point !== undefined && !newest.has(repoId)) newest.set(repoId, point);
  }
  return repos.map((repo): HomeRow => {
    const point = newest.get(repo.id);
    return { repo, newest: point, standing: standingOf(point), points: [] };
  });
}

function standingOf(point: TrendPoint | undefined): RepoStanding {
  if (point === undefined) return 'not-started';
  const { state, informational } = point.verdict;
  return state === 'success' || (informational === true && state === 'failure') ? 'passing' : 'attention';
}

async function addTrends(
  views: Pick<BuildViews, 'trends'>,
  rows: readonly HomeRow[],
  now: Timestamp,
): Promise<readonly HomeRow[]> {
  const series = rows.flatMap(({ repo }) => defaultBranches(repo).map((branch) => ({ repoId: repo.id, branch })));
  const found = await views.trends({ series, bounds: trendPeriod(now, SPARK).bounds });
  const pointsOf = (repoId: number) =>
    found.find((points, index) => series[index]?.repoId === repoId && points.length > 0) ?? [];
  return rows.map((row) => ({ ...row, points: pointsOf(row.repo.id) }));
}
