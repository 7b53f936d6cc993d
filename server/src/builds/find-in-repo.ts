import { findReadableRepo, type RepoRequest } from '../access/find-administered-repo.ts';
import type { BuildSummary } from '../core/builds/build-summary.ts';
import { Failure, quoteValue } from '../core/failure.ts';
import type { Caller } from '../core/repo/caller.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { Services } from '../services/services.ts';
import type { BuildViews } from '../storage/build-views.ts';
import { type FoundBuild, findReadableBuild, isId, notInRepo, ownerOf } from './find-readable.ts';

/** Which build of a repo is meant. */
export type BuildInRepo = { readonly commit: string } | { readonly id: string };

/**
 * For a commit's builds the one that owns its build context (rule 30), or the build of that id. Throws a Failure
 * `not-found` also if the caller may not know of the repo.
 */
export async function findBuildInRepo(
  services: Pick<Services, 'resolveAccess' | 'repos' | 'views'>,
  wanted: RepoRequest & { readonly build: BuildInRepo },
): Promise<FoundBuild> {
  const { views } = services;
  const { build: asked, ...request } = wanted;
  const { repo, caller } = await findReadableRepo(services, request);
  if ('id' in asked) {
    const build = isId(asked.id) ? await views.summary(Number(asked.id)) : undefined;
    if (build?.repoId !== repo.id) throw notInRepo(repo, 'build', asked.id);
    return { build, repo, caller };
  }
  const commit = asked.commit.toLowerCase();
  const builds = await views.ofCommit(repo.id, commit);
  const build = announcerOf(builds, commit) ?? (await findByBeginning(views, repo, commit));
  if (build === undefined) throw notInRepo(repo, 'build of commit', asked.commit, 'commit');
  return { build, repo, caller };
}

/** As short as git shows a commit. */
const SHORT_COMMIT = /^[0-9a-f]{7,39}$/;
const MAX_CANDIDATES = 50;

/** Several commits of a repo begin with the digits that were asked for. */
export class AmbiguousCommit extends Failure {
  override readonly repo: Repo;
  readonly digits: string;
  /** One build of each commit, newest first. */
  readonly candidates: readonly BuildSummary[];

  constructor(repo: Repo, digits: string, candidates: readonly BuildSummary[]) {
    super(
      'not-found',
      `${candidates.length} commits of this repo begin with ${quoteValue(digits)}. Add more of its digits.`,
    );
    this.repo = repo;
    this.digits = digits;
    this.candidates = candidates;
  }
}

async function findByBeginning(views: BuildViews, repo: Repo, digits: string): Promise<BuildSummary | undefined> {
  if (!SHORT_COMMIT.test(digits)) return undefined;
  const found = await views.search({ repoIds: [repo.id], by: { commit: digits }, limit: MAX_CANDIDATES });
  const byCommit = Map.groupBy(found, (build) => commitOf(build, digits));
  byCommit.delete(undefined);
  if (byCommit.size > 1) {
    const first = [...byCommit].map(([commit, builds]) => announcerOf(builds, commit ?? '') ?? builds[0]);
    throw new AmbiguousCommit(
      repo,
      digits,
      first.filter((build) => build !== undefined),
    );
  }
  const [commit] = byCommit.keys();
  return commit === undefined ? undefined : announcerOf(await views.ofCommit(repo.id, commit), commit);
}

/** Which of a build's commits begins so; the one that it speaks for first. */
function commitOf({ target, commit, testedCommit, landed }: BuildSummary, digits: string): string | undefined {
  return [target, commit, testedCommit, landed?.commit].find((one) => one?.startsWith(digits));
}

/** How addresses name a build: by its commit where it announces there, else by its id. */
export interface LocatedBuild extends FoundBuild {
  readonly revision: string | number;
}

/** Throws the Failures of findReadableBuild. */
export async function locateBuild(
  services: Pick<Services, 'resolveAccess' | 'repos' | 'views'>,
  asked: { readonly caller: Caller; readonly reference: string },
): Promise<LocatedBuild> {
  const found = await findReadableBuild(services, asked);
  const { id, commit } = found.build;
  const announcer =
    commit === undefined ? undefined : announcerOf(await services.views.ofCommit(found.repo.id, commit), commit);
  return { ...found, revision: commit !== undefined && announcer?.id === id ? commit : id };
}

/** A build that only tested this commit owns nothing there; it answers if no other does. */
function announcerOf(builds: readonly BuildSummary[], commit: string): BuildSummary | undefined {
  return ownerOf(builds.filter((one) => (one.target ?? one.commit) === commit)) ?? ownerOf(builds);
}
