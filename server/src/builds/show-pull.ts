import { findReadableRepo, type RepoRequest } from '../access/find-administered-repo.ts';
import type { FlagResult } from '../core/builds/build.ts';
import type { BuildSummary, BuildView } from '../core/builds/build-summary.ts';
import { newestOfPull } from '../core/builds/newest-head.ts';
import { mayAdminister } from '../core/repo/caller.ts';
import type { Repo } from '../core/repo/repo.ts';
import { PULL_REQUEST } from '../core/repo/sentences.ts';
import { type PartOf, toPaged, toRange } from '../platform/paging.ts';
import type { Services } from '../services/services.ts';
import type { BuildViews } from '../storage/build-views.ts';
import { type FlipServices, type FlipsOfBuild, findFlipsOfBuild } from './find-flips.ts';
import { notInRepo } from './find-readable.ts';
import { markOf } from './page-mark.ts';

/** A pull request with its builds. */
export interface ShownPull {
  readonly repo: Repo;
  readonly pullRequest: number;
  /** The first that speaks for the current head: not superseded on its commit, the newest. */
  readonly newest: BuildView;
  /** Some of its builds, newest first. */
  readonly pushes: readonly BuildView[];
  readonly page: number;
  readonly hasMore: boolean;
  /** For the newest build; those that fail first. */
  readonly flags: PartOf<FlagResult>;
  /** For the newest build. */
  readonly flips: FlipsOfBuild | undefined;
  /** What the git host is called, where the repo is at one. */
  readonly hostName: string | undefined;
  /** Its page there. */
  readonly hostPage: string | undefined;
  readonly maintains: boolean;
  /** For the newest build. */
  readonly mark: string;
}

/** Pushes on a page, and flags of the newest one. */
const PUSHES = 20;
const FLAGS = 100;

/** Throws a Failure `not-found` also if the caller may not know of the repo, or the pull request has no build. */
export async function showPull(
  services: FlipServices & Pick<Services, 'hosts' | 'resolveAccess' | 'repos' | 'turn'>,
  asked: RepoRequest & { readonly pullRequest: string; readonly page: number },
): Promise<ShownPull> {
  const { views, hosts, turn } = services;
  const findView = async ({ id }: BuildSummary): Promise<BuildView | undefined> => {
    await turn();
    return views.find(id);
  };
  const { pullRequest: stated, page, ...request } = asked;
  const { repo, caller } = await findReadableRepo(services, request);
  const pullRequest = readPullRequest(repo, stated);
  const query = { repoId: repo.id, pullRequest };
  const found = await views.ofPullRequest({ ...query, offset: (page - 1) * PUSHES, limit: PUSHES + 1 });
  const newest = await findView(await findNewestPush(services, repo, pullRequest));
  if (newest === undefined) throw notInRepo(repo, 'build of pull request', stated, 'pull request');
  const pushes: BuildView[] = [];
  for (const build of found.slice(0, PUSHES)) {
    const view = build.id === newest.id ? newest : await findView(build);
    if (view !== undefined) pushes.push(view);
  }
  return {
    repo,
    pullRequest,
    newest,
    pushes,
    page,
    hasMore: found.length > PUSHES,
    flags: await readFlags(views, newest.id),
    flips: await findFlipsOfBuild(services, { build: newest, repo }),
    hostName: hosts.of(repo)?.name,
    hostPage: hosts.of(repo)?.linksOf(repo.name).pull?.(pullRequest),
    maintains: mayAdminister(caller, repo),
    mark: markOf(newest),
  };
}

async function readFlags(views: Pick<BuildViews, 'flags'>, buildId: number): Promise<PartOf<FlagResult>> {
  const paging = { page: 1, size: FLAGS };
  const { total, flags } = await views.flags({ buildId, failingFirst: true, ...toRange(paging) });
  return { ...toPaged(paging, total), size: FLAGS, offset: 0, entries: flags };
}

export function readPullRequest(repo: Repo, stated: string): number {
  if (/^[1-9]\d{0,14}$/.test(stated)) return Number(stated);
  throw notInRepo(repo, PULL_REQUEST, stated);
}

/** The build that speaks for a pull request's head. Throws a Failure `not-found` for one without builds. */
export async function findNewestPush(
  services: Pick<Services, 'views'>,
  repo: Repo,
  pullRequest: number,
): Promise<BuildSummary> {
  const { views } = services;
  const [last] = await views.ofPullRequest({ repoId: repo.id, pullRequest, offset: 0, limit: 1 });
  const closed = { repoId: repo.id, scope: { pullRequest }, before: undefined, limit: PUSHES };
  const trusted = last?.trust === 'run' ? await views.closed(closed) : [];
  const newest = last && newestOfPull([last, ...trusted]);
  if (newest === undefined) throw notInRepo(repo, 'build of pull request', String(pullRequest), 'pull request');
  return newest;
}
