import type { BuildSummary } from '../../domain/builds/build-summary.ts';
import { type Caller, mayRead } from '../../domain/repo/caller.ts';
import { BUILD_OF_COMMIT } from '../../messages/builds.ts';
import type { BuildViews } from '../../ports/build-views.ts';
import type { RepoStore } from '../../ports/store.ts';
import { type RepoRequest, repoNotFound } from '../repos/find-administered-repo.ts';
import { type FindReadableBuild, type FoundBuild, notFound, ownerOf } from './find-readable.ts';

/** A build of one repo: by its id, or the one that announces on a commit (rule 24). */
export type BuildReference = { readonly build: number } | { readonly commit: string };

export type FindBuildOfRepo = (asked: RepoRequest & { readonly reference: BuildReference }) => Promise<FoundBuild>;

/** Throws a Failure `not-found` also where the caller may not know of the repo (rule 30). */
export function createFindBuildOfRepo({
  repos,
  views,
}: {
  readonly repos: Pick<RepoStore, 'findByName'>;
  readonly views: Pick<BuildViews, 'summary' | 'ofCommit'>;
}): FindBuildOfRepo {
  return async ({ caller, address, reference }) => {
    const repo = await repos.findByName(address.service, address.name);
    if (repo === undefined || !mayRead(caller, repo)) throw repoNotFound(address);
    if ('build' in reference) {
      const build = await views.summary(reference.build);
      if (build?.repoId === repo.id) return { build, repo };
      throw notFound('build', String(reference.build));
    }
    const commit = reference.commit.toLowerCase();
    const ofCommit = await views.ofCommit(repo.id, commit);
    const build = announcerOf(ofCommit, commit);
    if (build === undefined) throw notFound(BUILD_OF_COMMIT, reference.commit);
    return { build, repo };
  };
}

/** How addresses name a build: by its commit where it announces there, else by its id. */
export interface LocatedBuild extends FoundBuild {
  readonly revision: string | number;
}

export type LocateBuild = (asked: { readonly caller: Caller; readonly reference: string }) => Promise<LocatedBuild>;

/** Throws the Failures of FindReadableBuild. */
export function createLocateBuild(deps: {
  readonly findReadableBuild: FindReadableBuild;
  readonly views: Pick<BuildViews, 'ofCommit'>;
}): LocateBuild {
  return async (asked) => {
    const found = await deps.findReadableBuild(asked);
    const { id, commit } = found.build;
    const announcer =
      commit === undefined ? undefined : announcerOf(await deps.views.ofCommit(found.repo.id, commit), commit);
    return { ...found, revision: commit !== undefined && announcer?.id === id ? commit : id };
  };
}

/** A build that only tested this commit owns nothing there; it answers where no other does. */
function announcerOf(builds: readonly BuildSummary[], commit: string): BuildSummary | undefined {
  return ownerOf(builds.filter((one) => (one.target ?? one.commit) === commit)) ?? ownerOf(builds);
}
