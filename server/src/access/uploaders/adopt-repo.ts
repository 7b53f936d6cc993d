import { type AllowedOwner, isAllowedOwner } from '../../core/repo/allowed-owners.ts';
import { auditBy } from '../../core/repo/audit.ts';
import type { Repo } from '../../core/repo/repo.ts';
import type { RepoAddress } from '../../core/repo/repo-name.ts';
import { DEFAULT_REPO_SETTINGS, type RepoSettings } from '../../core/repo/settings.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Secrets } from '../../platform/secrets.ts';
import type { RepoStore } from '../../storage/store.ts';

/** The owner of a repo that no user made. Only administrators may change it, since user names hold no parentheses. */
const MADE_BY_PROVIDER = '(provider)';

export interface AdoptRepoDeps {
  readonly repos: Pick<RepoStore, 'create' | 'findByName'>;
  readonly secrets: Pick<Secrets, 'newRepoToken' | 'seal'>;
  readonly clock: Clock;
  /** ALLOWED_OWNERS. */
  readonly allowedOwners: readonly AllowedOwner[];
  /** DEFAULT_REPO_SETTINGS; what it leaves out has its usual default. */
  readonly defaultSettings: Partial<RepoSettings>;
}

/**
 * Makes the repo that a provider vouches for, under an owner of ALLOWED_OWNERS (rule 28); undefined under any other.
 */
export type AdoptRepo = (seen: RepoAddress & { readonly providerId: string }) => Promise<Repo | undefined>;

export function createAdoptRepo(deps: AdoptRepoDeps): AdoptRepo {
  const { repos, secrets, clock, allowedOwners, defaultSettings } = deps;
  return async ({ service, name, providerId }) => {
    if (!isAllowedOwner(allowedOwners, { service, name })) return undefined;
    const at = clock.now();
    const made = await repos.create(
      {
        service,
        name,
        providerId,
        owner: MADE_BY_PROVIDER,
        settings: { ...DEFAULT_REPO_SETTINGS, ...defaultSettings },
        token: { ...secrets.seal(secrets.newRepoToken()), expiresAt: undefined },
        at,
      },
      auditBy({ by: { kind: 'provider', service } }, { action: 'repo.made', at, after: defaultSettings }),
    );
    // Another first upload was faster: its repo is this one's too.
    return made ?? repos.findByName(service, name);
  };
}
