import { findReadableRepo, type RepoRequest } from '../access/find-administered-repo.ts';
import { type BuildFilter, type FoundBuilds, findBuilds, isFiltered, LOOKED_THROUGH } from '../builds/find-builds.ts';
import { isOpenPull } from '../builds/open-pulls.ts';
import { findPeriod, type TrendPeriod } from '../builds/trend.ts';
import { defaultBranches } from '../core/builds/base-branches.ts';
import type { FlagResult } from '../core/builds/build.ts';
import type { BuildSummary } from '../core/builds/build-summary.ts';
import { newestOfPull } from '../core/builds/newest-head.ts';
import { KEPT_REFUSED } from '../core/builds/refused-upload.ts';
import type { TrendPoint } from '../core/builds/trend-point.ts';
import { mayAdminister } from '../core/repo/caller.ts';
import type { CiSnippets } from '../core/repo/ci-snippets.ts';
import type { Repo } from '../core/repo/repo.ts';
import { repoWarnings } from '../core/repo/warnings.ts';
import type { Timestamp } from '../core/time.ts';
import type { Hosts } from '../ports/host.ts';
import type { Services } from '../services/services.ts';
import { findBranchHead } from '../storage/branch-head.ts';
import type { BuildViews } from '../storage/build-views.ts';
import { TOKEN_LOST } from './read-repo.ts';

/** For the trend on a page. */
export const TREND_SPANS = 60;
/** Branches and flags in its forms. */
const CHOICES = 50;

const MAX_PULLS = 20;

export interface RepoOverviewRequest extends RepoRequest {
  readonly branch: string | undefined;
  readonly flag: string | undefined;
  readonly days: number;
  readonly filter: BuildFilter;
  readonly page: number;
  /** Whether open pull requests are looked for among the repo's newest builds. */
  readonly withPulls: boolean;
}

export interface RepoOverview {
  readonly repo: Repo;
  readonly maintains: boolean;
  /** How many kinds of its own uploads were refused in the last days, for maintainers. */
  readonly refused: number;
  /** The repo's token, for a maintainer of one that nothing was uploaded to. */
  readonly token: string | undefined;
  readonly badgeToken: string | undefined;
  /** The host whose ID tokens its uploads may come with, those of pull requests too; undefined: they need a secret. */
  readonly idTokens: { readonly host: string } | undefined;
  /** What the file of its host's CI is to hold; undefined: it has none. */
  readonly snippets: CiSnippets | undefined;
  /** Whether a fork's run can be believed without a secret. */
  readonly provesForks: boolean;
  readonly warnings: readonly string[];
  /** The branch that was asked for; undefined: the default one. */
  readonly asked: string | undefined;
  readonly defaultBranch: string | undefined;
  /** The one that number and trend are of. */
  readonly branch: string | undefined;
  readonly branches: readonly string[];
  readonly newest: BuildSummary | undefined;
  readonly flags: readonly string[];
  /** The flag that is looked at, in the newest build; undefined: the whole. */
  readonly flag: { readonly name: string; readonly result: FlagResult | undefined } | undefined;
  readonly days: number;
  readonly period: TrendPeriod;
  readonly points: readonly TrendPoint[];
  /** The newest build of each open pull request among the newest builds, newest first. */
  readonly pulls: readonly BuildSummary[];
  /** Undefined: the list is not filtered. */
  readonly found: FoundBuilds | undefined;
}

/**
 * What the page of a repo shows beside its builds. A Failure `not-found` also if the caller may not know of it.
 */
export async function showRepo(
  services: Pick<Services, 'clock' | 'hosts' | 'resolveAccess' | 'refusals' | 'repos' | 'secrets' | 'views'>,
  { branch: asked, flag, days, filter, page, withPulls, ...request }: RepoOverviewRequest,
): Promise<RepoOverview> {
  const { views, refusals, secrets, hosts, clock } = services;
  const { repo, caller } = await findReadableRepo(services, request);
  const maintains = mayAdminister(caller, repo);
  const since = clock.now() - KEPT_REFUSED;
  const [{ branch, newest }, branches, refused, pulls] = await Promise.all([
    findBranchHead(views, { repo, branch: asked }),
    views.branches(repo.id, CHOICES),
    maintains ? refusals.list(repo.id, since) : [],
    withPulls ? findOpenPulls(views, repo.id, clock.now()) : [],
  ]);
  const token = maintains && newest === undefined ? await readToken(services, repo) : undefined;
  const isLost = maintains && newest === undefined && token === undefined;
  const series = branch === undefined ? [] : [{ repoId: repo.id, branch, flag }];
  const period = await findPeriod(services, { series, days, spans: TREND_SPANS });
  const [flags, [points = []], found] = await Promise.all([
    newest && views.flagNames(newest.id, CHOICES),
    views.trends({ series, bounds: period.bounds }),
    isFiltered(filter) ? findBuilds(views, { repoId: repo.id, filter, paging: { page } }) : undefined,
  ]);
  return {
    repo,
    maintains,
    refused: refused.filter(({ unproven }) => unproven !== true).length,
    token,
    badgeToken: maintains && repo.settings.visibility !== 'public' ? secrets.badgeToken(repo.id) : undefined,
    idTokens: findIdTokens(repo, hosts),
    snippets: hosts.of(repo)?.snippets,
    provesForks: hosts.of(repo)?.runs.forkProof !== undefined,
    warnings: [...repoWarnings(repo, hosts), ...(isLost ? [TOKEN_LOST] : [])],
    asked: asked === undefined ? undefined : branch,
    defaultBranch: asked === undefined ? branch : defaultBranches(repo).find((name) => branches.includes(name)),
    branch,
    branches,
    newest,
    flags: flags ?? [],
    flag: flag === undefined ? undefined : { name: flag, result: newest && (await views.flag(newest.id, flag)) },
    days,
    period,
    points,
    pulls,
    found,
  };
}

async function readToken(
  { repos, secrets }: Pick<Services, 'repos' | 'secrets'>,
  repo: Repo,
): Promise<string | undefined> {
  const stored = await repos.readToken(repo.id);
  return stored && secrets.unseal(stored.sealed);
}

/** For a pull request the host is asked which run a token is of, so this server has to be signed in there. */
function findIdTokens(repo: Repo, hosts: Hosts): { readonly host: string } | undefined {
  const host = hosts.of(repo);
  const isTaken = (host?.idTokens?.issuers.length ?? 0) > 0 && host?.provider !== undefined;
  return isTaken ? { host: host.name } : undefined;
}

async function findOpenPulls(
  views: Pick<BuildViews, 'ofIds' | 'pullHeads'>,
  repoId: number,
  now: Timestamp,
): Promise<readonly BuildSummary[]> {
  const heads = await views.pullHeads(repoId, LOOKED_THROUGH);
  const byPull = Map.groupBy(
    heads.filter(({ landed }) => landed === undefined),
    ({ pullRequest }) => pullRequest,
  );
  const newest = [...byPull.values()].flatMap((ofPull) => newestOfPull(ofPull) ?? []);
  const open = newest.filter((build) => isOpenPull(build, now)).slice(0, MAX_PULLS);
  return views.ofIds(open.map(({ id }) => id));
}
