import { findAdministeredRepo, type RepoRequest, repoNotFound } from '../access/find-administered-repo.ts';
import type { KnowAccess } from '../access/know-access.ts';
import { auditBy, auditChange } from '../core/repo/audit.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { RepoSettings } from '../core/repo/settings.ts';
import type { Clock } from '../platform/clock.ts';
import type { RepoStore } from '../storage/store.ts';

export interface UpdateRepoDeps {
  readonly repos: Pick<RepoStore, 'findByName' | 'update'>;
  readonly knowAccess: KnowAccess;
  readonly clock: Clock;
}

export type UpdateRepo = (request: RepoRequest & { readonly settings: Partial<RepoSettings> }) => Promise<Repo>;

/** Changes the settings that are given, nothing else; none given: nothing is written. */
export function createUpdateRepo(deps: UpdateRepoDeps): UpdateRepo {
  const { repos, clock } = deps;
  return async ({ caller, address, settings }) => {
    const repo = await findAdministeredRepo(deps, { caller, address });
    if (Object.keys(settings).length === 0) return repo;
    const at = clock.now();
    const change = auditChange(repo.settings, settings);
    const audit = change && auditBy(caller, { action: 'settings.changed', at, repo, ...change });
    const changed = await repos.update({ repoId: repo.id, settings, at }, audit);
    // Removed meanwhile.
    if (changed === undefined) throw repoNotFound(address);
    return changed;
  };
}
