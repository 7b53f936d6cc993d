import type { HostTokens } from '../../core/repo/git-host.ts';
import type { TokenForm } from '../../core/secret-texts.ts';

const TOKEN = 'a Bitbucket token';

/** Access tokens, API tokens of accounts, and the app passwords of former years. */
const FORM = /\bAT(?:CTT3|ATT3|BB)[\w=.-]{16,}/;

export const TOKEN_FORMS: readonly TokenForm[] = [{ form: new RegExp(FORM, 'g'), kind: TOKEN }];

/** None is taken as `repo_token`: it would say whose it is, and never which pipeline it is of. */
export const BITBUCKET_TOKENS: HostTokens = {
  kindOf: () => undefined,
  describe: (token) => (FORM.test(token) ? TOKEN : undefined),
  words: {
    accepted: "a step's id-token",
    ofJob: "a step's BITBUCKET_STEP_OIDC_TOKEN",
    runId: 'BITBUCKET_PIPELINE_UUID',
    commit: 'BITBUCKET_COMMIT',
    mayPush: 'permission',
    covered: 'GET /repositories',
    seeRun: 'Use an id-token.',
    needs: "Bitbucket's own tokens are not taken: use an id-token or the repo's token.",
    address: 'BITBUCKET_API_URL',
  },
};
