import type { AccessLost, Repo, RepoService } from './repo.ts';

/** Git hosts that the server has an adapter and a credential for. */
export interface KnownProviders {
  has(service: RepoService): boolean;
  /** The number of the App that the server signs in as at GitHub; absent where it does not. */
  readonly githubApp?: number | undefined;
}

/** What has an adapter in this version, with the settings that turn it on. */
const CREDENTIALS: Partial<Record<RepoService, string>> = {
  github: 'GITHUB_TOKEN, or GITHUB_APP_ID and GITHUB_APP_PRIVATE_KEY',
};

/** Rule 28: why nothing is announced for a repo, or not all that it missingBases, and why it takes nothing. */
export function repoWarnings(
  repo: Pick<Repo, 'service' | 'suspended' | 'accessLost' | 'settings'>,
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
  if (repo.accessLost !== undefined && repo.accessLost.appId === providers.githubApp)
    warnings.push(lostSentence(repo.accessLost));
  if (repo.suspended !== undefined) warnings.push(`The repo is suspended: ${repo.suspended}`);
  return warnings;
}

/**
 * Why uncovered lines of a service's repos cannot be marked beside the code, as the end of a sentence; undefined: they
 * can.
 */
export function annotationsRefusal(service: RepoService, providers: KnownProviders): string | undefined {
  if (service !== 'github') return `annotations are check runs of GitHub, and the service of this repo is ${service}`;
  if (providers.githubApp !== undefined) return undefined;
  return (
    'annotations need check runs, which GitHub lets only Apps make, and this server does not sign in as a GitHub ' +
    'App; set GITHUB_APP_ID and GITHUB_APP_PRIVATE_KEY'
  );
}

/** What happened, and what to do at GitHub. */
const LOSSES: Readonly<Record<AccessLost['how'], string>> = {
  uninstalled: "the GitHub App was uninstalled by the repo's owner; install it again",
  suspended: 'the installation of the GitHub App was suspended; unsuspend it',
  deselected: 'the repo was taken out of what the GitHub App may reach; give its installation access to the repo',
};

function lostSentence({ how, at }: AccessLost): string {
  const since = new Date(at).toISOString().slice(0, 16).replace('T', ' ');
  return `Nothing is announced since ${since} UTC: ${LOSSES[how]}. What was given up is tried anew then.`;
}
