import { isAllowedOwner } from '../../core/repo/allowed-owners.ts';
import { auditBy } from '../../core/repo/audit.ts';
import type { Repo } from '../../core/repo/repo.ts';
import type { RepoAddress } from '../../core/repo/repo-name.ts';
import { DEFAULT_REPO_SETTINGS } from '../../core/repo/settings.ts';
import type { Services } from '../../services/services.ts';

/** The owner of a repo that no user made. Only administrators may change it, since user names hold no parentheses. */
const MADE_BY_PROVIDER = '(provider)';

/**
 * Makes the repo that a provider vouches for, under an owner of ALLOWED_OWNERS (rule 28); undefined under any other.
 */
export async function adoptRepo(
  { repos, secrets, clock, config }: Pick<Services, 'repos' | 'secrets' | 'clock' | 'config'>,
  { service, name, providerId }: RepoAddress & { readonly providerId: string },
): Promise<Repo | undefined> {
  const { allowedOwners, defaultRepoSettings } = config;
  if (!isAllowedOwner(allowedOwners, { service, name })) return undefined;
  const at = clock.now();
  const made = await repos.create(
    {
      service,
      name,
      providerId,
      owner: MADE_BY_PROVIDER,
      settings: { ...DEFAULT_REPO_SETTINGS, ...defaultRepoSettings },
      token: { ...secrets.seal(secrets.newRepoToken()), expiresAt: undefined },
      at,
    },
    auditBy({ by: { kind: 'provider', service } }, { action: 'repo.made', at, after: defaultRepoSettings }),
  );
  // Another first upload was faster: its repo is this one's too.
  return made ?? repos.findByName(service, name);
}
