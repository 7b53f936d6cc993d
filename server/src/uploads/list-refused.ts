import { findAdministeredRepo, type RepoRequest } from '../access/find-administered-repo.ts';
import { LOOKED_THROUGH } from '../builds/find-builds.ts';
import { newestBuilds } from '../builds/newest-builds.ts';
import type { BuildSummary } from '../core/builds/build-summary.ts';
import { KEPT_REFUSED, type RefusedUpload } from '../core/builds/refused-upload.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { Services } from '../services/services.ts';
import { findBranchHead } from '../storage/branch-head.ts';

export interface ListedRefused {
  readonly repo: Repo;
  /** Newest first. */
  readonly refused: readonly RefusedUpload[];
}

export interface ShownUploads extends ListedRefused {
  /** The builds of these days whose uploads were taken with warnings, among the newest; newest first. */
  readonly warned: readonly BuildSummary[];
  /** For the default branch. */
  readonly newest: BuildSummary | undefined;
}

/** What a repo's clients sent and what was refused of it, for people who may change the repo. */
export async function listRefused(
  services: Pick<Services, 'clock' | 'resolveAccess' | 'refusals' | 'repos'>,
  request: RepoRequest,
): Promise<ListedRefused> {
  const { refusals, clock } = services;
  const repo = await findAdministeredRepo(services, request);
  return { repo, refused: await refusals.list(repo.id, clock.now() - KEPT_REFUSED) };
}

export async function showUploads(
  services: Pick<Services, 'clock' | 'resolveAccess' | 'refusals' | 'repos' | 'views'>,
  request: RepoRequest,
): Promise<ShownUploads> {
  const { views, clock } = services;
  const listed = await listRefused(services, request);
  const builds = await newestBuilds(views, { repoId: listed.repo.id, limit: LOOKED_THROUGH });
  const since = clock.now() - KEPT_REFUSED;
  const warned = builds.filter(({ jobWarnings = [], createdAt }) => jobWarnings.length > 0 && createdAt >= since);
  const { newest } = await findBranchHead(views, { repo: listed.repo, branch: undefined });
  return { ...listed, warned, newest };
}
