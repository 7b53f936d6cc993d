import type { Repo, RepoService } from './repo.ts';

/** Git hosts that the server has an adapter and a credential for. */
export interface KnownProviders {
  has(service: RepoService): boolean;
}

/** What has an adapter in this version, with the settings that turn it on. */
const CREDENTIALS: Partial<Record<RepoService, string>> = { github: 'GITHUB_TOKEN, or GITHUB_APP_ID and GITHUB_APP_PRIVATE_KEY' };

/** Rule 28: why nothing is announced for a repo, and why it takes nothing. */
export function repoWarnings(repo: Pick<Repo, 'service' | 'suspended'>, providers: KnownProviders): readonly string[] {
  const warnings: string[] = [];
  if (repo.service !== 'manual' && !providers.has(repo.service)) {
    const setting = CREDENTIALS[repo.service];
    const reason = setting
      ? `this server has no credential for ${repo.service}; set ${setting}`
      : `this version of the server cannot speak to ${repo.service}`;
    warnings.push(`Nothing is announced: ${reason}.`);
  }
  if (repo.suspended !== undefined) warnings.push(`The repo is suspended: ${repo.suspended}`);
  return warnings;
}
