import type { Delivery } from '../../domain/announce/delivery.ts';
import { precedingOwner, toStatusOwner } from '../../domain/announce/status-owner.ts';
import type { Build } from '../../domain/builds/build.ts';
import type { Job } from '../../domain/builds/job.ts';
import { Failure } from '../../domain/failure.ts';
import { type Caller, mayRead } from '../../domain/repo/caller.ts';
import type { GitHosts } from '../../domain/repo/git-host.ts';
import type { Repo } from '../../domain/repo/repo.ts';
import { repoWarnings } from '../../domain/repo/warnings.ts';
import type { Store } from '../../ports/store.ts';

/** A build with everything its page and its JSON say. */
export interface ShownBuild {
  readonly build: Build;
  readonly repo: Repo;
  readonly jobs: readonly Job[];
  readonly deliveries: readonly Delivery[];
  /** The build that owns this commit's contexts, where it is another (rule 24). */
  readonly supersededBy: Build | undefined;
  /** Other builds of the same commit and event that have another service_number (rule 24). */
  readonly rivals: readonly Build[];
  /** Rule 28: why nothing is announced, where that is so. */
  readonly repoWarnings: readonly string[];
}

/** A job with its build. */
export interface ShownJob {
  readonly job: Job;
  readonly build: Build;
  readonly repo: Repo;
}

export interface ShowDeps {
  readonly store: Pick<Store, 'builds' | 'jobs' | 'repos' | 'outbox'>;
}

export type ShowBuild = (asked: { readonly caller: Caller; readonly reference: string }) => Promise<ShownBuild>;
export type ShowJob = (asked: { readonly caller: Caller; readonly reference: string }) => Promise<ShownJob>;

/**
 * A build by its id or by a commit's sha (rule 30). Throws a Failure `not-found` also where the caller may not read it.
 */
export function createShowBuild(deps: ShowDeps & { readonly hosts: GitHosts }): ShowBuild {
  const { store, hosts } = deps;
  return async ({ caller, reference }) => {
    const found = isId(reference)
      ? await findById(deps, caller, Number(reference))
      : await findByCommit(deps, caller, reference.toLowerCase());
    if (found === undefined) throw notFound('build', reference);
    const { build, repo } = found;
    const [jobs, deliveries, ofCommit] = await Promise.all([
      store.jobs.ofBuild(build.id),
      store.outbox.ofBuild(build),
      buildsOfSameCommit(deps, build),
    ]);
    const owner = ownerOf(ofCommit);
    const supersededBy = owner?.id === build.id ? undefined : owner;
    return {
      build,
      repo,
      jobs,
      deliveries,
      supersededBy,
      rivals: ofCommit.filter((other) => isRival(other, build)),
      repoWarnings: repoWarnings(repo, hosts),
    };
  };
}

/** A job by its id, with the rights of its repo. */
export function createShowJob(deps: ShowDeps): ShowJob {
  const { store } = deps;
  return async ({ caller, reference }) => {
    const job = isId(reference) ? await store.jobs.find(Number(reference)) : undefined;
    const found = job && (await findById(deps, caller, job.buildId));
    if (job === undefined || found === undefined) throw notFound('job', reference);
    return { job, ...found };
  };
}

type Found = { readonly build: Build; readonly repo: Repo };

async function findById(deps: ShowDeps, caller: Caller, id: number): Promise<Found | undefined> {
  const build = await deps.store.builds.find(id);
  return build && readable(deps, caller, build);
}

async function readable(deps: ShowDeps, caller: Caller, build: Build): Promise<Found | undefined> {
  const repo = await deps.store.repos.find(build.repoId);
  return repo && mayRead(caller, repo) ? { build, repo } : undefined;
}

/**
 * Of the builds of a commit the one that owns its build context, in the repo (of several) whose build is the newest.
 */
async function findByCommit(deps: ShowDeps, caller: Caller, commit: string): Promise<Found | undefined> {
  const builds = await deps.store.builds.findByCommit(commit);
  const found = (await Promise.all(builds.map((build) => readable(deps, caller, build)))).filter(
    (one) => one !== undefined,
  );
  const owners = [...Map.groupBy(found, (one) => one.repo.id).values()].map((ofRepo) => {
    const ofCommit = ofRepo.map((one) => one.build);
    // A build that only tested this commit owns nothing there; it answers where no other does.
    return ownerOf(ofCommit.filter((build) => (build.target ?? build.commit) === commit)) ?? ownerOf(ofCommit);
  });
  const newest = owners.reduce<Build | undefined>(
    (last, one) => (last === undefined || (one && one.createdAt > last.createdAt) ? one : last),
    undefined,
  );
  return found.find((one) => one.build === newest);
}

/** The builds whose statuses go to the same commit. */
async function buildsOfSameCommit(deps: ShowDeps, build: Build): Promise<readonly Build[]> {
  const commit = build.target ?? build.commit;
  if (commit === undefined) return [];
  return (await deps.store.builds.ofCommit(build.repoId, commit)).filter(
    (one) => (one.target ?? one.commit) === commit,
  );
}

function isRival(other: Build, build: Build): boolean {
  const sameEvent =
    other.pullRequest === build.pullRequest &&
    (other.eventType ?? build.eventType) === (build.eventType ?? other.eventType);
  return other.id !== build.id && sameEvent && other.serviceNumber !== build.serviceNumber;
}

function ownerOf(builds: readonly Build[]): Build | undefined {
  const owner = precedingOwner(builds.map(toStatusOwner));
  return builds.find((build) => build.id === owner?.buildId);
}

function isId(reference: string): boolean {
  return /^\d{1,15}$/.test(reference);
}

function notFound(what: string, reference: string): Failure {
  const sentence =
    `There is no ${what} ${reference.slice(0, 80)} here that these credentials may read. Send Authorization: ` +
    'token <personal or repo token>.';
  return new Failure('not-found', sentence);
}
