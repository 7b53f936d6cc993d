import type { HostTokens, ProviderTokenKind } from '../../core/repo/git-host.ts';
import type { TokenForm } from '../../core/secret-texts.ts';
import * as say from './messages.ts';

const KINDS: readonly (readonly [prefix: string, kind: ProviderTokenKind, words: string])[] = [
  ['glcbt-', 'installation', say.JOB_TOKEN],
  ['glpat-', 'person', say.PERSONAL_TOKEN],
  ['gloas-', 'person', say.OAUTH_TOKEN],
];

/** What fits into a header; anything else is no token. */
const FORM = /^gl[a-z]{2,6}-[\w.-]{8,2000}$/;

/** Inside a text: GitLab's tokens of every kind begin so. */
export const TOKEN_FORMS: readonly TokenForm[] = [
  { form: /\bgl(?:pat|oas|cbt|dt|rt|ptt|ft|soat|agent|imt|ffct)-[\w.-]{8,}/g, kind: say.ANY_TOKEN },
];

const kindOf = (token: string) => (FORM.test(token) ? KINDS.find(([prefix]) => token.startsWith(prefix)) : undefined);

export const GITLAB_TOKENS: HostTokens = {
  kindOf: (token) => kindOf(token)?.[1],
  describe: (token) => kindOf(token)?.[2],
  words: {
    accepted: say.ACCEPTED_TOKENS,
    ofJob: say.OF_JOB,
    runId: 'CI_PIPELINE_ID',
    commit: 'CI_COMMIT_SHA',
    mayPush: 'permissions.project_access',
    covered: 'GET /job',
    seeRun: say.SEE_RUN,
    needs: say.TOKEN_RIGHTS,
    address: 'GITLAB_URL',
  },
};

/** How a token is sent. */
export function headerOf(token: string): Readonly<Record<string, string>> {
  if (token.startsWith('glcbt-')) return { 'job-token': token };
  return token.startsWith('glpat-') ? { 'private-token': token } : { authorization: `Bearer ${token}` };
}
