import { findAdministeredRepo, type RepoRequest, repoNotFound } from '../access/find-administered-repo.ts';
import { auditBy } from '../core/repo/audit.ts';
import type { Services } from '../services/services.ts';

/** Removes the repo with all that hangs on it; statuses that are open at the provider end as `error` (rule 22). */
export async function removeRepo(
  services: Pick<Services, 'clock' | 'resolveAccess' | 'onResumed' | 'repos'>,
  { caller, address }: RepoRequest,
): Promise<void> {
  const { repos, clock, onResumed } = services;
  const repo = await findAdministeredRepo(services, { caller, address });
  const at = clock.now();
  const audit = auditBy(caller, { action: 'repo.removed', at, repo });
  const removed = await repos.remove({ repoId: repo.id, description: 'repo was removed', at }, audit);
  if (!removed) throw repoNotFound(address);
  onResumed();
}
