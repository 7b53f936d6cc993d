import { findAdministeredRepo, type RepoRequest, repoNotFound } from '../access/find-administered-repo.ts';
import { auditBy } from '../core/repo/audit.ts';
import type { Timestamp } from '../core/time.ts';
import type { Services } from '../services/services.ts';

export interface RotateRepoTokenInput extends RepoRequest {
  /** How long the old token still works, in milliseconds; 0: not at all any more. */
  readonly gracePeriod: number;
}

/**
 * Answers the new token in the clear, and until when the old one works; undefined: it does not.
 * Gives the repo a new token: after a leak at once, else with a grace period in which CI settings can be changed.
 */
export async function rotateRepoToken(
  services: Pick<Services, 'clock' | 'resolveAccess' | 'repos' | 'secrets'>,
  { caller, address, gracePeriod }: RotateRepoTokenInput,
): Promise<{ readonly token: string; readonly oldUntil: Timestamp | undefined }> {
  const { repos, secrets, clock } = services;
  const repo = await findAdministeredRepo(services, { caller, address });
  const at = clock.now();
  const token = secrets.newRepoToken();
  const oldUntil = gracePeriod === 0 ? undefined : at + gracePeriod;
  const sealed = { ...secrets.seal(token), expiresAt: undefined };
  const audit = auditBy(caller, { action: 'repo-token.replaced', at, repo, after: { oldUntil: oldUntil ?? null } });
  const replaced = await repos.replaceToken({ repoId: repo.id, token: sealed, oldUntil, at }, audit);
  if (!replaced) throw repoNotFound(address);
  return { token, oldUntil };
}
