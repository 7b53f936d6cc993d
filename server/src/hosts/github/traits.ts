import type { GitHost } from '../../core/repo/git-host.ts';
import * as say from './messages.ts';
import { REFS } from './refs.ts';
import { RUN_NAMES } from './run-names.ts';
import { GITHUB_TERMS } from './terms.ts';
import { GITHUB_TOKENS } from './tokens.ts';

/** What the core knows of GitHub, given how this server signs in there. */
export function githubTraits<SignIn extends Pick<GitHost, 'provider' | 'app'>>(signIn: SignIn) {
  return {
    service: 'github',
    name: 'GitHub',
    credential: say.CREDENTIAL,
    codeOwners: { places: ['.github/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS'], maxBytes: 3 * 1024 * 1024 },
    checkRuns: { refusal: signIn.app === undefined ? say.ANNOTATIONS_NEED_APP : undefined },
    accessLosses: {
      uninstalled: say.APP_UNINSTALLED,
      suspended: say.APP_SUSPENDED,
      deselected: say.REPO_TAKEN_OUT,
    },
    terms: GITHUB_TERMS,
    refs: REFS,
    runs: RUN_NAMES,
    tokens: GITHUB_TOKENS,
    ...signIn,
  } as const satisfies GitHost;
}
