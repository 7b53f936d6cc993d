import { precedingOwner, toStatusOwner } from '../core/announce/status-owner.ts';
import type { BuildSummary } from '../core/builds/build-summary.ts';
import { Failure, quoteValue, type Unbuilt } from '../core/failure.ts';
import { type Caller, mayRead } from '../core/repo/caller.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { Services } from '../services/services.ts';

/** A build that the caller may read. */
export interface FoundBuild {
  readonly build: BuildSummary;
  readonly repo: Repo;
  /** Who asked, with what they may do in this repo. */
  readonly caller: Caller;
}

/**
 * A build by its id or by a commit's sha (rule 30). Throws a Failure `not-found` also if the caller may not read it.
 */
export async function findReadableBuild(
  services: Pick<Services, 'resolveAccess' | 'repos' | 'views'>,
  asked: { readonly caller: Caller; readonly reference: string },
): Promise<FoundBuild> {
  const { caller, reference } = asked;
  const found = isId(reference)
    ? await findById(services, caller, Number(reference))
    : await findByCommit(services, caller, reference.toLowerCase());
  if (found === undefined) throw notFound('build', reference);
  return found;
}

export async function findById(
  services: Pick<Services, 'resolveAccess' | 'repos' | 'views'>,
  caller: Caller,
  id: number,
): Promise<FoundBuild | undefined> {
  const build = await services.views.summary(id);
  return build && (await readable(services, caller, [build]))[0];
}

/** Those that the caller may read. */
async function readable(
  { repos, resolveAccess }: Pick<Services, 'resolveAccess' | 'repos'>,
  asking: Caller,
  builds: readonly BuildSummary[],
): Promise<readonly FoundBuild[]> {
  const ids = [...new Set(builds.map(({ repoId }) => repoId))];
  const found = (await Promise.all(ids.map((id) => repos.find(id)))).filter((repo) => repo !== undefined);
  const caller = await resolveAccess(asking, found);
  const open = new Map(found.filter((repo) => mayRead(caller, repo)).map((repo) => [repo.id, repo]));
  return builds.flatMap((build) => {
    const repo = open.get(build.repoId);
    return repo === undefined ? [] : [{ build, repo, caller }];
  });
}

/**
 * For the builds of a commit the one that owns its build context, in the repo (of several) whose build is the newest.
 */
async function findByCommit(
  services: Pick<Services, 'resolveAccess' | 'repos' | 'views'>,
  caller: Caller,
  commit: string,
): Promise<FoundBuild | undefined> {
  const builds = await services.views.findByCommit(commit);
  const found = await readable(services, caller, builds);
  const owners = [...Map.groupBy(found, (one) => one.repo.id).values()].map((ofRepo) => {
    const ofCommit = ofRepo.map((one) => one.build);
    // A build that only tested this commit owns nothing there; it answers if no other does.
    return ownerOf(ofCommit.filter((build) => (build.target ?? build.commit) === commit)) ?? ownerOf(ofCommit);
  });
  const newest = owners.reduce<BuildSummary | undefined>(
    (last, one) => (last === undefined || (one && one.createdAt > last.createdAt) ? one : last),
    undefined,
  );
  return found.find((one) => one.build === newest);
}

/** For the builds of one commit the one that announces. */
export function ownerOf(builds: readonly BuildSummary[]): BuildSummary | undefined {
  const owner = precedingOwner(builds.map(toStatusOwner));
  return builds.find((build) => build.id === owner?.buildId);
}

export function isId(reference: string): boolean {
  return /^\d{1,15}$/.test(reference);
}

export function notFound(what: string, reference: string): Failure {
  const sentence =
    `There is no ${what} ${reference.slice(0, 80)} here that these credentials may read. Send Authorization: ` +
    'token <personal or repo token>.';
  return new Failure('not-found', sentence);
}

/** The same in a repo that the caller may read. `unbuilt`: what it is if it can still get a build. */
export function notInRepo(
  { service, name }: Repo,
  what: string,
  reference: string,
  unbuilt?: Unbuilt['kind'],
): Failure {
  const sentence = `There is no ${what} ${quoteValue(reference)} in the ${service} repo ${name}.`;
  const awaited = unbuilt && { unbuilt: { kind: unbuilt, name: reference } };
  return new Failure('not-found', sentence, { repo: { service, name, ...awaited } });
}
