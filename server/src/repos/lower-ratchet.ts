import { findAdministeredRepo, type RepoRequest, repoNotFound } from '../access/find-administered-repo.ts';
import { auditBy } from '../core/repo/audit.ts';
import { nameOf } from '../core/repo/caller.ts';
import { effectiveSettings } from '../core/repo/effective-settings.ts';
import type { Services } from '../services/services.ts';
import type { ShownSettings } from './show-settings.ts';

/**
 * From now on earlier totals no longer count for the ratchet of a repo: it rises again once three builds of the default
 * branch have stood. Builds that are closed already keep their verdicts.
 */
export async function lowerRatchet(
  services: Pick<Services, 'clock' | 'config' | 'resolveAccess' | 'repos'>,
  { reason, ...request }: RepoRequest & { readonly reason: string },
): Promise<ShownSettings> {
  const { repos, clock, config } = services;
  const found = await findAdministeredRepo(services, request);
  const { caller } = request;
  const at = clock.now();
  const before = found.settings.ratchetReset;
  // Nobody else administers a repo.
  const by = caller.kind === 'user' ? nameOf(caller) : '';
  const audit = auditBy(caller, {
    ...{ action: 'ratchet.lowered', at, repo: found, after: { reason } },
    ...(before && { before: { at: before.at, reason: before.reason } }),
  });
  const repo = await repos.update({ repoId: found.id, settings: { ratchetReset: { at, by, reason } }, at }, audit);
  // Removed in the meantime.
  if (repo === undefined) throw repoNotFound(request.address);
  return { repo, effective: effectiveSettings(repo, config) };
}
