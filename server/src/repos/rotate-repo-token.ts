import { findAdministeredRepo, type RepoRequest, repoNotFound } from '../access/find-administered-repo.ts';
import type { KnowAccess } from '../access/know-access.ts';
import { auditBy } from '../core/repo/audit.ts';
import type { Timestamp } from '../core/time.ts';
import type { Clock } from '../platform/clock.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { RepoStore } from '../storage/store.ts';

export interface RotateRepoTokenDeps {
  readonly repos: Pick<RepoStore, 'findByName' | 'replaceToken'>;
  readonly knowAccess: KnowAccess;
  readonly secrets: Pick<Secrets, 'newRepoToken' | 'seal'>;
  readonly clock: Clock;
}

export interface RotateRepoTokenInput extends RepoRequest {
  /** How long the old token still works, in milliseconds; 0: not at all any more. */
  readonly gracePeriod: number;
}

/** Answers the new token in the clear, and until when the old one works; undefined: it does not. */
export type RotateRepoToken = (
  input: RotateRepoTokenInput,
) => Promise<{ readonly token: string; readonly oldUntil: Timestamp | undefined }>;

/** Gives the repo a new token: after a leak at once, else with a grace period in which CI settings can be changed. */
export function createRotateRepoToken(deps: RotateRepoTokenDeps): RotateRepoToken {
  const { repos, secrets, clock } = deps;
  return async ({ caller, address, gracePeriod }) => {
    const repo = await findAdministeredRepo(deps, { caller, address });
    const at = clock.now();
    const token = secrets.newRepoToken();
    const oldUntil = gracePeriod === 0 ? undefined : at + gracePeriod;
    const sealed = { ...secrets.seal(token), expiresAt: undefined };
    const audit = auditBy(caller, { action: 'repo-token.replaced', at, repo, after: { oldUntil: oldUntil ?? null } });
    const replaced = await repos.replaceToken({ repoId: repo.id, token: sealed, oldUntil, at }, audit);
    if (!replaced) throw repoNotFound(address);
    return { token, oldUntil };
  };
}
