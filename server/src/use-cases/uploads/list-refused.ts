import { KEPT_REFUSED, type RefusedUpload } from '../../domain/builds/refused-upload.ts';
import type { Repo } from '../../domain/repo/repo.ts';
import type { Clock } from '../../ports/clock.ts';
import type { RefusalStore } from '../../ports/refusal-store.ts';
import type { RepoStore } from '../../ports/store.ts';
import type { KnowAccess } from '../access/know-access.ts';
import { findAdministeredRepo, type RepoRequest } from '../repos/find-administered-repo.ts';

export interface ListedRefused {
  readonly repo: Repo;
  /** Newest first. */
  readonly refused: readonly RefusedUpload[];
}

export type ListRefused = (request: RepoRequest) => Promise<ListedRefused>;

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
