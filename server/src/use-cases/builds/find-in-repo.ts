import { mayRead } from '../../domain/repo/caller.ts';
import type { Repo } from '../../domain/repo/repo.ts';
import * as say from '../../messages/builds.ts';
import type { BuildViews } from '../../ports/build-views.ts';
import type { RepoStore } from '../../ports/store.ts';
import { type RepoRequest, repoNotFound } from '../repos/find-administered-repo.ts';
import { type FoundBuild, isId, notFound, ownerOf } from './find-readable.ts';

export interface FindInRepoDeps {
  readonly repos: Pick<RepoStore, 'findByName'>;
  readonly views: Pick<BuildViews, 'summary' | 'ofCommit'>;
}

/** Which build of a repo is meant. */
export type BuildInRepo = { readonly commit: string } | { readonly id: string };

export type FindBuildInRepo = (asked: RepoRequest & { readonly build: BuildInRepo }) => Promise<FoundBuild>;

/**
 * Of a commit's builds the one that owns its build context (rule 30), or the build of that id. Throws a Failure
 * `not-found` also where the caller may not know of the repo.
 */
export function createFindBuildInRepo({ repos, views }: FindInRepoDeps): FindBuildInRepo {
  return async ({ build: asked, ...request }) => {
    const repo = await findReadableRepo({ repos }, request);
    if ('id' in asked) {
      const build = isId(asked.id) ? await views.summary(Number(asked.id)) : undefined;
      if (build?.repoId !== repo.id) throw notFound('build', asked.id);
      return { build, repo };
    }
    const commit = asked.commit.toLowerCase();
    const builds = await views.ofCommit(repo.id, commit);
    const build = ownerOf(builds.filter((one) => (one.target ?? one.commit) === commit)) ?? ownerOf(builds);
    if (build === undefined) throw notFound(say.BUILD_OF_COMMIT, asked.commit);
    return { build, repo };
  };
}

/** Throws a Failure `not-found` also where the caller may not know of the repo. */
export async function findReadableRepo(
  { repos }: Pick<FindInRepoDeps, 'repos'>,
  { caller, address }: RepoRequest,
): Promise<Repo> {
  const repo = await repos.findByName(address.service, address.name);
  if (repo === undefined || !mayRead(caller, repo)) throw repoNotFound(address);
  return repo;
}
