import { findAdministeredRepo, type RepoRequest, repoNotFound } from '../access/find-administered-repo.ts';
import { auditBy, auditChange } from '../core/repo/audit.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { RepoSettings } from '../core/repo/settings.ts';
import type { Services } from '../services/services.ts';

/** Changes the settings that are given, nothing else; none given: nothing is written. */
export async function updateRepo(
  services: Pick<Services, 'clock' | 'resolveAccess' | 'repos'>,
  asked: RepoRequest & { readonly settings: Partial<RepoSettings> },
): Promise<Repo> {
  const { repos, clock } = services;
  const { caller, address, settings } = asked;
  const repo = await findAdministeredRepo(services, { caller, address });
  if (Object.keys(settings).length === 0) return repo;
  const at = clock.now();
  const change = auditChange(repo.settings, settings);
  const audit = change && auditBy(caller, { action: 'settings.changed', at, repo, ...change });
  const changed = await repos.update({ repoId: repo.id, settings, at }, audit);
  // Removed in the meantime.
  if (changed === undefined) throw repoNotFound(address);
  return changed;
}
