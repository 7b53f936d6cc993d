import type { GitHost } from '../../domain/repo/git-host.ts';
import { REFS } from './refs.ts';
import { RUN_NAMES } from './run-names.ts';
import { GITHUB_TOKENS } from './tokens.ts';

/** What the core knows of GitHub, given how this server signs in there. */
export function githubTraits<SignIn extends Pick<GitHost, 'provider' | 'app'>>(signIn: SignIn) {
  return {
    service: 'github',
    name: 'GitHub',
    credential: 'GITHUB_TOKEN, or GITHUB_APP_ID and GITHUB_APP_PRIVATE_KEY',
    checkRuns: { refusal: signIn.app === undefined ? ONLY_APPS : undefined },
    accessLosses: {
      uninstalled: "the GitHub App was uninstalled by the repo's owner; install it again",
      suspended: 'the installation of the GitHub App was suspended; unsuspend it',
      deselected: 'the repo was taken out of what the GitHub App may reach; give its installation access to the repo',
    },
    refs: REFS,
    runs: RUN_NAMES,
    tokens: GITHUB_TOKENS,
    ...signIn,
  } as const satisfies GitHost;
}

const ONLY_APPS =
  'annotations need check runs, which GitHub lets only Apps make, and this server does not sign in as a GitHub ' +
  'App; set GITHUB_APP_ID and GITHUB_APP_PRIVATE_KEY';
