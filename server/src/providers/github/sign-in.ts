import type { ProviderFailureKind } from '../../ports/provider.ts';

/** What a request is signed with, in the words that failures need. */
export interface SignIn {
  /** Subject of a sentence. */
  readonly name: string;
  /** What an answer of 401 means, and how such a call is to be treated. */
  readonly unauthorized: { readonly kind: ProviderFailureKind; readonly remedy: string };
  /** What to do about a missing permission. */
  readonly needs: (permission: string) => string;
}

const needs = (permission: string): string => `it needs ${permission} for this repo`;

export const BY_TOKEN: SignIn = {
  name: 'GITHUB_TOKEN',
  unauthorized: { kind: 'permanent', remedy: 'GITHUB_TOKEN is wrong, expired or revoked; set a valid one and restart' },
  needs,
};

/** The App itself, by a JWT that its private key signs: it finds installations and makes their tokens. */
export const BY_APP: SignIn = {
  name: 'the GitHub App',
  unauthorized: {
    kind: 'permanent',
    remedy:
      'GITHUB_APP_ID and GITHUB_APP_PRIVATE_KEY do not belong to one App there; set both as the App has them, ' +
      'and restart',
  },
  needs,
};

/**
 * An installation of the App. Where GitHub refuses a token that it has just made, the settings are not to blame.
 */
export const BY_INSTALLATION: SignIn = {
  name: 'the GitHub App',
  unauthorized: { kind: 'transient', remedy: 'it refuses the token that it has just made for the GitHub App' },
  needs: (permission) =>
    `${needs(permission.replace(/ \(classic:[^()]*\)/, ''))}; grant it in the App's settings at GitHub, and let ` +
    'the owner accept it',
};

/** GitHub's word, with 404, for an id that no App has (github.com/octokit/rest.js/issues/218). */
export function isUnknownApp(message: string): boolean {
  return /^integration not found/i.test(message);
}
