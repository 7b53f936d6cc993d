/** For whom a git host's token speaks: a person, or an App's installation, as a workflow's own token does. */
export type ProviderTokenKind = 'person' | 'installation';

/** GitHub's prefixes (docs.github.com, "About authentication to GitHub"); `ghr_` is none that its API takes. */
const KINDS: readonly (readonly [RegExp, ProviderTokenKind])[] = [
  [/^ghs_/, 'installation'],
  [/^(gh[opu]|github_pat)_/, 'person'],
];

/** What fits into a header; anything else is no token. */
const FORM = /^[\x21-\x7e]{1,1000}$/;

/**
 * What kind of GitHub token a text is; undefined for anything else. Only what GitHub itself has marked as its own is
 * ever sent there: a secret of unknown origin must not be.
 */
export function readGithubTokenKind(token: string): ProviderTokenKind | undefined {
  return FORM.test(token) ? KINDS.find(([pattern]) => pattern.test(token))?.[1] : undefined;
}
