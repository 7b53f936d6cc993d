import { findAdministeredRepo, type RepoRequest, repoNotFound } from '../access/find-administered-repo.ts';
import type { KnowAccess } from '../access/know-access.ts';
import { auditBy } from '../core/repo/audit.ts';
import type { Clock } from '../platform/clock.ts';
import type { RepoStore } from '../storage/store.ts';

export interface RemoveRepoDeps {
  readonly repos: Pick<RepoStore, 'findByName' | 'remove'>;
  readonly knowAccess: KnowAccess;
  readonly clock: Clock;
  /** Called when statuses may have to be ended. */
  readonly onDue: () => void;
}

export type RemoveRepo = (request: RepoRequest) => Promise<void>;

/** Removes the repo with all that hangs on it; statuses that are open at the provider end as `error` (rule 22). */
export function createRemoveRepo(deps: RemoveRepoDeps): RemoveRepo {
  const { repos, clock, onDue } = deps;
  return async ({ caller, address }) => {
    const repo = await findAdministeredRepo(deps, { caller, address });
    const at = clock.now();
    const audit = auditBy(caller, { action: 'repo.removed', at, repo });
    const removed = await repos.remove({ repoId: repo.id, description: 'repo was removed', at }, audit);
    if (!removed) throw repoNotFound(address);
    onDue();
  };
}
