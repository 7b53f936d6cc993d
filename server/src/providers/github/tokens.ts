import type { HostTokens, ProviderTokenKind } from '../../domain/repo/git-host.ts';
import type { TokenForm } from '../../domain/secret-texts.ts';

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

const KIND = 'a GitHub token';

/** Inside a text. Where letters stand before it, which may end an escape (`%2F`) or begin a word, only a whole one. */
export const TOKEN_FORMS: readonly TokenForm[] = [
  { form: /\b(?:gh[a-z]|github_pat)_[\w-]{4,}/g, kind: KIND },
  { form: /gh[a-z]_[A-Za-z0-9]{20,}/g, kind: KIND },
  { form: /github_pat_\w{20,}/g, kind: KIND },
];

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
