import type { ProviderFailureKind } from '../../ports/provider.ts';
import * as say from './messages.ts';

/** What a request is signed with, in the words that failures need. */
export interface SignIn {
  /** Subject of a sentence. */
  readonly name: string;
  /** What an answer of 401 means, and how such a call is to be treated. */
  readonly unauthorized: { readonly kind: ProviderFailureKind; readonly remedy: string };
  /** What to do about a missing permission. */
  readonly needs: (permission: string) => string;
}

const needs = (permission: string): string => say.needsPermission(permission);

export const BY_TOKEN: SignIn = {
  name: 'GITHUB_TOKEN',
  unauthorized: { kind: 'permanent', remedy: say.TOKEN_INVALID },
  needs,
};

/** The App itself, by a JWT that its private key signs: it finds installations and makes their tokens. */
export const BY_APP: SignIn = {
  name: say.THE_APP,
  unauthorized: {
    kind: 'permanent',
    remedy: say.APP_KEY_WRONG,
  },
  needs,
};

/**
 * An installation of the App. If GitHub refuses a token that it has just made, the settings are not to blame.
 */
export const BY_INSTALLATION: SignIn = {
  name: say.THE_APP,
  unauthorized: { kind: 'transient', remedy: say.APP_TOKEN_REFUSED },
  needs: (permission) => say.grantPermission(needs(permission.replace(/ \(classic:[^()]*\)/, ''))),
};

/** GitHub's word, with 404, for an id that no App has (github.com/octokit/rest.js/issues/218). */
export function isUnknownApp(message: string): boolean {
  return /^integration not found/i.test(message);
}
