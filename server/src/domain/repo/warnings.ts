import type { Repo, RepoService } from './repo.ts';

/** Git hosts that the server has an adapter and a credential for. */
export interface KnownProviders {
  has(service: RepoService): boolean;
  /** Whether the server signs in there as what may make check runs. */
  canAnnotate(service: RepoService): boolean;
}

/** What has an adapter in this version, with the settings that turn it on. */
const CREDENTIALS: Partial<Record<RepoService, string>> = { github: 'GITHUB_TOKEN, or GITHUB_APP_ID and GITHUB_APP_PRIVATE_KEY' };

/** Rule 28: why nothing is announced for a repo, or not all that it wants, and why it takes nothing. */
export function repoWarnings(
  repo: Pick<Repo, 'service' | 'suspended' | 'settings'>,
  providers: KnownProviders,
): readonly string[] {
  const warnings: string[] = [];
  const isSpokenTo = providers.has(repo.service);
  if (repo.service !== 'manual' && !isSpokenTo) {
    const setting = CREDENTIALS[repo.service];
    const reason = setting
      ? `this server has no credential for ${repo.service}; set ${setting}`
      : `this version of the server cannot speak to ${repo.service}`;
    warnings.push(`Nothing is announced: ${reason}.`);
  }
  const unmarked = repo.settings.annotations && isSpokenTo ? annotationsRefusal(repo.service, providers) : undefined;
  if (unmarked !== undefined) warnings.push(`Uncovered lines are not marked: ${unmarked}.`);
  if (repo.suspended !== undefined) warnings.push(`The repo is suspended: ${repo.suspended}`);
  return warnings;
}

/** Why uncovered lines of a service's repos cannot be marked beside the code, as the end of a sentence; undefined: they can. */
export function annotationsRefusal(service: RepoService, providers: KnownProviders): string | undefined {
  if (service !== 'github') return `annotations are check runs of GitHub, and the service of this repo is ${service}`;
  if (providers.canAnnotate(service)) return undefined;
  return 'annotations need check runs, which GitHub lets only Apps make, and this server does not sign in as a GitHub App; set GITHUB_APP_ID and GITHUB_APP_PRIVATE_KEY';
}
