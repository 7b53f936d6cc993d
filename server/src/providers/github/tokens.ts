import type { HostTokens, ProviderTokenKind } from '../../domain/repo/git-host.ts';

/** The prefixes (docs.github.com, "About authentication to GitHub"); `ghr_` is none that its API takes. */
const KINDS: readonly (readonly [RegExp, ProviderTokenKind])[] = [
  [/^ghs_/, 'installation'],
  [/^(gh[opu]|github_pat)_/, 'person'],
];

const DESCRIPTIONS: readonly (readonly [RegExp, string])[] = [
  [/^github_pat_/, 'a GitHub fine-grained token'],
  [/^ghp_/, 'a GitHub personal token'],
  [/^gh[ousr]_/, 'a GitHub token'],
];

/** What fits into a header; anything else is no token. */
const FORM = /^[\x21-\x7e]{1,1000}$/;

/** What log lines must not hold. */
export const TOKEN_FORM = /\b(?:gh[a-z]_|github_pat_)[\w-]{4,}/g;

export const GITHUB_TOKENS: HostTokens = {
  kindOf: (token) => (FORM.test(token) ? KINDS.find(([pattern]) => pattern.test(token))?.[1] : undefined),
  describe: (token) => DESCRIPTIONS.find(([pattern]) => pattern.test(token))?.[1],
  words: {
    accepted: "a workflow's GITHUB_TOKEN (or the token of somebody who may push)",
    ofJob: "a workflow's GITHUB_TOKEN",
    runId: 'GITHUB_RUN_ID',
    commit: 'GITHUB_SHA',
    mayPush: 'permissions.push',
    covered: 'GET /installation/repositories',
    seeRun: 'In a private repo the job needs `permissions: actions: read`.',
    needs:
      "A workflow's token needs `actions: read` and `contents: read`; a personal one access to the repo, with " +
      'single sign-on where the organization demands it.',
    address: 'GITHUB_API_URL',
  },
};
