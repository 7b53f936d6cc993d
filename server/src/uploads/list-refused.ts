import { findAdministeredRepo, type RepoRequest } from '../access/find-administered-repo.ts';
import type { KnowAccess } from '../access/know-access.ts';
import { LOOKED_THROUGH } from '../builds/find-builds.ts';
import { newestBuilds } from '../builds/newest-builds.ts';
import type { BuildSummary } from '../core/builds/build-summary.ts';
import { KEPT_REFUSED, type RefusedUpload } from '../core/builds/refused-upload.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { Clock } from '../platform/clock.ts';
import { findBranchHead } from '../storage/branch-head.ts';
import type { BuildViews } from '../storage/build-views.ts';
import type { RefusalStore } from '../storage/refusal-store.ts';
import type { RepoStore } from '../storage/store.ts';

export interface ListedRefused {
  readonly repo: Repo;
  /** Newest first. */
  readonly refused: readonly RefusedUpload[];
}

export type ListRefused = (request: RepoRequest) => Promise<ListedRefused>;

export interface ShownUploads extends ListedRefused {
  /** The builds of these days whose uploads were taken with warnings, among the newest; newest first. */
  readonly warned: readonly BuildSummary[];
  /** Of the default branch. */
  readonly newest: BuildSummary | undefined;
}

export type ShowUploads = (request: RepoRequest) => Promise<ShownUploads>;

/** What a repo's clients sent and what was refused of it, for whoever may change the repo. */
export function createListRefused(deps: {
  readonly repos: Pick<RepoStore, 'findByName'>;
  readonly knowAccess: KnowAccess;
  readonly refusals: Pick<RefusalStore, 'list'>;
  readonly clock: Clock;
}): ListRefused {
  const { refusals, clock } = deps;
  return async (request) => {
    const repo = await findAdministeredRepo(deps, request);
    return { repo, refused: await refusals.list(repo.id, clock.now() - KEPT_REFUSED) };
  };
}

export function createShowUploads(deps: {
  readonly listRefused: ListRefused;
  readonly views: Pick<BuildViews, 'list' | 'closed'>;
  readonly clock: Clock;
}): ShowUploads {
  const { listRefused, views, clock } = deps;
  return async (request) => {
    const listed = await listRefused(request);
    const builds = await newestBuilds(views, { repoId: listed.repo.id, limit: LOOKED_THROUGH });
    const since = clock.now() - KEPT_REFUSED;
    const warned = builds.filter(({ jobWarnings = [], createdAt }) => jobWarnings.length > 0 && createdAt >= since);
    const { newest } = await findBranchHead(views, { repo: listed.repo, branch: undefined });
    return { ...listed, warned, newest };
  };
}
