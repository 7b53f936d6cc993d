import type { HostTokens } from '../../core/repo/git-host.ts';
import type { TokenForm } from '../../core/secret-texts.ts';

const TOKEN = 'a Bitbucket token';

/** Access tokens, API tokens of accounts, and the app passwords of former years. */
const FORM = /\bAT(?:CTT3|ATT3|BB)[\w=.-]{16,}/g;

export const TOKEN_FORMS: readonly TokenForm[] = [{ form: FORM, kind: TOKEN }];

/** None is taken as `repo_token`: it would say whose it is, and never which pipeline it is of. */
export const BITBUCKET_TOKENS: HostTokens = {
  kindOf: () => undefined,
  describe: (token) => (token.search(FORM) >= 0 ? TOKEN : undefined),
  words: {
    accepted: "the repo's token",
    ofJob: "the repo's token",
    runId: 'BITBUCKET_PIPELINE_UUID',
    commit: 'BITBUCKET_COMMIT',
    mayPush: 'permission',
    covered: 'GET /repositories',
    seeRun: "Use the repo's token.",
    needs: "Use the repo's token.",
    address: 'BITBUCKET_API_URL',
  },
};
