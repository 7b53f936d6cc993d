import { findReadableRepo, type RepoRequest } from '../access/find-administered-repo.ts';
import type { BuildSummary } from '../core/builds/build-summary.ts';
import { Failure } from '../core/failure.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { Services } from '../services/services.ts';
import { findBranchHead } from '../storage/branch-head.ts';
import type { BuildViews } from '../storage/build-views.ts';
import { AmbiguousCommit, findBuildInRepo } from './find-in-repo.ts';
import { type FoundBuild, isId, notInRepo } from './find-readable.ts';

const COMMIT = /^[0-9a-f]{7,64}$/i;

/**
 * A build by what people call it: its id, its commit or the beginning of that, a branch, or a tag.
 * Throws a Failure `not-found` also if the caller may not know of the repo.
 */
export async function findNamedBuild(
  services: Pick<Services, 'resolveAccess' | 'repos' | 'views'>,
  asked: RepoRequest & { readonly name: string },
): Promise<FoundBuild> {
  const { views } = services;
  const { name, ...request } = asked;
  const { repo, caller } = await findReadableRepo(services, request);
  // A name of digits may be an id as well as the beginning of a commit.
  const ways = [...(isId(name) ? [{ id: name }] : []), ...(COMMIT.test(name) ? [{ commit: name }] : [])];
  let ambiguous: AmbiguousCommit | undefined;
  for (const way of ways) {
    try {
      return await findBuildInRepo(services, { ...request, build: way });
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'not-found') throw error;
      if (error instanceof AmbiguousCommit) ambiguous = error;
    }
  }
  const build = await newestOf(views, repo, name);
  if (build === undefined) throw ambiguous ?? notInRepo(repo, 'build, commit, branch or tag', name);
  return { build, repo, caller };
}

/** The newest closed build of a branch, else of a tag. */
async function newestOf(
  views: Pick<BuildViews, 'closed'>,
  repo: Repo,
  name: string,
): Promise<BuildSummary | undefined> {
  const { newest } = await findBranchHead(views, { repo, branch: name });
  if (newest !== undefined) return newest;
  return (await views.closed({ repoId: repo.id, scope: { tag: name }, before: undefined, limit: 1 }))[0];
}
