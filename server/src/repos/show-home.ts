import { readSearch } from '../builds/find-builds.ts';
import { SPARK } from '../builds/list-flags.ts';
import { isOpenPull } from '../builds/open-pulls.ts';
import { trendPeriod } from '../builds/trend.ts';
import { defaultBranches } from '../core/builds/base-branches.ts';
import { overallOf } from '../core/builds/build-checks.ts';
import type { BuildSummary } from '../core/builds/build-summary.ts';
import type { TrendPoint } from '../core/builds/trend-point.ts';
import type { Caller } from '../core/repo/caller.ts';
import type { Repo, RepoService } from '../core/repo/repo.ts';
import type { Timestamp } from '../core/time.ts';
import { type Paged, type Paging, toPaged, toRange } from '../platform/paging.ts';
import type { Services } from '../services/services.ts';
import type { BuildViews } from '../storage/build-views.ts';
import { listRepos } from './list-repos.ts';
import { type FoundFile, searchTexts } from './search-texts.ts';

/** How many repos are put in order by their verdicts; if you can read more, find them by name or owner. */
export const MAX_REPOS = 500;
const MAX_FOUND = 50;
/** Builds of pull requests that are looked at in each repo and over all, and pull requests that are shown. */
const PULLS = { each: 20, limit: 60, shown: 10 };

export interface BuildOfRepo {
  readonly repo: Repo;
  readonly build: BuildSummary;
}

/** How a repo stands by the newest build of its default branch. */
export type RepoStanding = 'attention' | 'passing' | 'not-started';

export interface HomeRow {
  readonly repo: Repo;
  readonly standing: RepoStanding;
  readonly newest: TrendPoint | undefined;
  /** The whole of it, where its verdict is that something is missing: what that is. */
  readonly incomplete?: BuildSummary | undefined;
  /** For the last days, oldest first. */
  readonly points: readonly TrendPoint[];
}

/** For nested groups the outermost. */
export interface RepoOwner {
  readonly service: RepoService;
  readonly name: string;
}

export interface HomeRequest {
  readonly caller: Caller;
  /** Part of a repo's name, a title, a branch, a person's name or a path; `#n`, or the beginning of a commit. */
  readonly text: string | undefined;
  readonly owner: RepoOwner | undefined;
  readonly show: 'failing' | 'private' | undefined;
  readonly paging: Paging;
}

export interface ShownHome extends Paged {
  readonly rows: readonly HomeRow[];
  readonly standings: Readonly<Record<RepoStanding, number>>;
  /** Whose repos the caller may read, by name: what the list may be narrowed to. */
  readonly owners: readonly RepoOwner[];
  /** How many repos the caller may read, whether or not they fit. */
  readonly readable: number;
  /** How many are of the owner who was asked for; undefined owner: of all. */
  readonly owned: number;
  /** Builds that were searched for, newest first. */
  readonly found: readonly BuildOfRepo[];
  /** For the newest builds of default branches. */
  readonly files: readonly FoundFile[];
  /** Open pull requests that did not pass yet, by their newest builds; none if something was searched for. */
  readonly pulls: readonly BuildOfRepo[];
}

const ORDER: readonly RepoStanding[] = ['attention', 'passing', 'not-started'];

/** The repos that somebody may read, those first that need attention; and the builds that they search for. */
export async function showHome(
  services: Pick<Services, 'builds' | 'clock' | 'resolveAccess' | 'reader' | 'repos' | 'views'>,
  { caller, text, owner, show, paging }: HomeRequest,
): Promise<ShownHome> {
  const { views, clock } = services;
  const { repos, total } = await listRepos(services, { caller, paging: { page: 1, size: MAX_REPOS } });
  const by = text === undefined ? undefined : readSearch(text);
  const found = by && (await views.search({ repoIds: repos.map(({ id }) => id), by, limit: MAX_FOUND }));
  const owned = repos.filter((repo) => isOf(repo, owner));
  const isPull = by !== undefined && 'pullRequest' in by;
  const all = isPull ? [] : await standAll(views, owned, clock.now());
  const named = all.filter(({ repo }) => isNamed(repo, text));
  const fitting = named.filter((row) => fits(row, show)).toSorted(byStanding);
  const isText = text !== undefined && !isPull && (found ?? []).length === 0 && paging.page === 1;
  const texts = isText ? await searchTexts(services, all, text) : undefined;
  const { offset, limit } = toRange(paging);
  const rows = await addMissing(views, await addTrends(views, fitting.slice(offset, offset + limit), clock.now()));
  const isFront = text === undefined && paging.page === 1;
  const pulls = isFront ? await findPulls(views, owned, clock.now()) : [];
  return {
    rows,
    standings: countStandings(fitting),
    owners: ownersOf(repos),
    readable: total,
    owned: owned.length,
    found: withRepos(texts?.builds ?? found ?? [], repos),
    files: texts?.files ?? [],
    pulls: withRepos(pulls, owned),
    ...toPaged(paging, fitting.length),
  };
}

async function findPulls(views: Pick<BuildViews, 'newestPulls'>, repos: readonly Repo[], now: Timestamp) {
  const newest = await views.newestPulls({ repoIds: repos.map(({ id }) => id), ...PULLS });
  return newest.filter((build) => isOpenPull(build, now) && needsWork(build)).slice(0, PULLS.shown);
}

/** What is red at the host, or still to be said there. */
function needsWork(build: BuildSummary): boolean {
  if (build.state === 'open' || build.result === undefined) return true;
  return overallOf(build.result).state !== 'success';
}

function withRepos(builds: readonly BuildSummary[], repos: readonly Repo[]): readonly BuildOfRepo[] {
  const byId = new Map(repos.map((repo) => [repo.id, repo]));
  return builds.flatMap((build) => {
    const repo = byId.get(build.repoId);
    return repo === undefined ? [] : [{ repo, build }];
  });
}

function ownersOf(repos: readonly Repo[]): readonly RepoOwner[] {
  const owners = repos.map(({ service, name }): RepoOwner => ({ service, name: name.split('/')[0] ?? '' }));
  const byKey = new Map(owners.map((owner) => [`${owner.service}/${owner.name.toLowerCase()}`, owner]));
  return [...byKey].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, owner]) => owner);
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
  return (point.overall ?? point.verdict).state === 'success' ? 'passing' : 'attention';
}

function addMissing(views: Pick<BuildViews, 'summary'>, rows: readonly HomeRow[]): Promise<readonly HomeRow[]> {
  const add = async (row: HomeRow): Promise<HomeRow> => {
    if (row.newest?.verdict.state !== 'incomplete') return row;
    return { ...row, incomplete: await views.summary(row.newest.buildId) };
  };
  return Promise.all(rows.map(add));
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
