import { excludeBase } from '../builds/exclude-base.ts';
import { listSetAside, type SetAsideBuild } from '../builds/list-set-aside.ts';
import type { Delivery } from '../core/announce/delivery.ts';
import type { BuildSummary } from '../core/builds/build-summary.ts';
import { Failure } from '../core/failure.ts';
import type { Caller } from '../core/repo/caller.ts';
import type { Repo } from '../core/repo/repo.ts';
import { type Paged, type Paging, toPaged, toRange } from '../platform/paging.ts';
import { listRepos } from '../repos/list-repos.ts';
import type { Services } from '../services/services.ts';
import type { RepoActivity } from '../storage/build-trends.ts';
import type { StoreMeasure } from '../storage/store-measure.ts';

/** Announcements, excluded bases and repos that one page lists. */
const MAX_GIVEN_UP = 50;
const MAX_EXCLUDED = 100;
const MAX_REPOS = 10_000;

export interface ServerOverview extends Paged {
  readonly measure: StoreMeasure;
  /** Announcements that were given up, with their repos; undefined: the repo is gone. */
  readonly parked: readonly { readonly delivery: Delivery; readonly repo: Repo | undefined }[];
  readonly setAside: readonly SetAsideBuild[];
  /** Builds that nobody is compared with, the last that were taken out first. */
  readonly excluded: readonly { readonly build: BuildSummary; readonly repo: Repo }[];
  readonly repos: readonly { readonly repo: Repo; readonly activity: RepoActivity | undefined }[];
}

/** Only administrators see and do what concerns all repos together. Throws a Failure `forbidden` for anybody else. */
export function refuseOthers(caller: Caller): void {
  if (caller.kind === 'user' && caller.role === 'administrator') return;
  throw new Failure('forbidden', 'Only administrators can see what concerns the whole server.');
}

/** `text`: part of a repo's name. */
export async function showServer(
  services: Pick<Services, 'builds' | 'clock' | 'resolveAccess' | 'outbox' | 'repos' | 'store' | 'views'>,
  { caller, text, paging }: { readonly caller: Caller; readonly text: string | undefined; readonly paging: Paging },
): Promise<ServerOverview> {
  refuseOthers(caller);
  const { store, repos, views, outbox, clock } = services;
  const [measure, given, setAside, excluded, all] = await Promise.all([
    store.measure(clock.now()),
    outbox.listGivenUp(MAX_GIVEN_UP),
    listSetAside(services, caller),
    views.excludedBases(MAX_EXCLUDED),
    listRepos(services, { caller, paging: { page: 1, size: MAX_REPOS } }),
  ]);
  const byId = new Map(all.repos.map((repo) => [repo.id, repo]));
  const named = all.repos.filter(({ name }) => name.toLowerCase().includes((text ?? '').toLowerCase()));
  const { offset, limit } = toRange(paging);
  const shown = named.slice(offset, offset + limit);
  const activity = await views.activity(shown.map(({ id }) => id));
  const repoOf = async (id: number): Promise<Repo | undefined> => byId.get(id) ?? repos.find(id);
  const parked = given.map(async (delivery) => ({ delivery, repo: await repoOf(delivery.repoId) }));
  const taken = excluded.map(async (build) => ({ build, repo: await repoOf(build.repoId) }));
  return {
    measure,
    parked: await Promise.all(parked),
    setAside,
    excluded: (await Promise.all(taken)).flatMap(({ build, repo }) => (repo === undefined ? [] : { build, repo })),
    repos: shown.map((repo, index) => ({ repo, activity: activity[index] })),
    ...toPaged(paging, named.length),
  };
}

/** Tries again what was given up, of one repo or of all. */
export async function retryAnnouncements(
  { outbox, clock, onResumed }: Pick<Services, 'outbox' | 'clock' | 'onResumed'>,
  { caller, repoId }: { readonly caller: Caller; readonly repoId: number | undefined },
): Promise<void> {
  refuseOthers(caller);
  await outbox.resume(clock.now(), repoId);
  onResumed();
}

interface AskedOfBuild {
  readonly caller: Caller;
  readonly buildId: number;
}

/** Puts a build back to work that was set aside. */
export async function retryBuild(
  { builds, clock, onDue }: Pick<Services, 'builds' | 'clock' | 'onDue'>,
  { caller, buildId }: AskedOfBuild,
): Promise<void> {
  refuseOthers(caller);
  const build = await builds.find(buildId);
  const { repoId, number: buildNumber } = build ?? {};
  if (repoId === undefined || buildNumber === undefined)
    throw new Failure('not-found', `There is no build ${buildId} any more.`);
  await builds.requestRerun({ repoId, buildNumber, at: clock.now() });
  onDue();
}

/** Lets builds be compared with one again. */
export async function takeBackBase(services: Services, { caller, buildId }: AskedOfBuild): Promise<void> {
  refuseOthers(caller);
  await excludeBase(services, { caller, reference: String(buildId), excluded: false });
}
