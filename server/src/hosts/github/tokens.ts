import type { HostTokens, ProviderTokenKind } from '../../core/repo/git-host.ts';
import type { TokenForm } from '../../core/secret-texts.ts';
import * as say from './messages.ts';

/** The prefixes (docs.github.com, "About authentication to GitHub"); `ghr_` is none that its API takes. */
const KINDS: readonly (readonly [RegExp, ProviderTokenKind])[] = [
  [/^ghs_/, 'installation'],
  [/^(gh[opu]|github_pat)_/, 'person'],
];

const DESCRIPTIONS: readonly (readonly [RegExp, string])[] = [
  [/^github_pat_/, say.FINE_GRAINED_TOKEN],
  [/^ghp_/, say.CLASSIC_TOKEN],
  [/^gh[ousr]_/, say.GITHUB_TOKEN_KIND],
];

/** What fits into a header; anything else is no token. */
const FORM = /^[\x21-\x7e]{1,1000}$/;

/** Inside a text. If letters stand before it, which may end an escape (`%2F`) or begin a word, only a whole one. */
export const TOKEN_FORMS: readonly TokenForm[] = [
  { form: /\b(?:gh[a-z]|github_pat)_[\w-]{4,}/g, kind: say.GITHUB_TOKEN_KIND },
  { form: /gh[a-z]_[A-Za-z0-9]{20,}/g, kind: say.GITHUB_TOKEN_KIND },
  { form: /github_pat_\w{20,}/g, kind: say.GITHUB_TOKEN_KIND },
];

export const GITHUB_TOKENS: HostTokens = {
  kindOf: (token) => (FORM.test(token) ? KINDS.find(([pattern]) => pattern.test(token))?.[1] : undefined),
  describe: (token) => DESCRIPTIONS.find(([pattern]) => pattern.test(token))?.[1],
  words: {
    accepted: say.ACCEPTED_TOKENS,
    ofJob: say.WORKFLOW_TOKEN,
    runId: 'GITHUB_RUN_ID',
    commit: 'GITHUB_SHA',
    mayPush: 'permissions.push',
    covered: 'GET /installation/repositories',
    seeRun: say.HOW_TO_SEE_RUNS,
    needs: say.TOKEN_RIGHTS,
    address: 'GITHUB_API_URL',
  },
};
