import { fieldsOf } from '../answers.ts';
import type { RestHost } from '../rest/calls.ts';
import type { HostWords } from '../rest/sentences.ts';

export const WORDS: HostWords = { name: 'Bitbucket', address: 'BITBUCKET_API_URL' };

const RIGHTS = 'the token needs the scopes `repository` and `pullrequest` (write), and access to the repo';

/** `base`: BITBUCKET_API_URL, without a slash at its end. */
export function restApiOf(base: string): RestHost {
  return {
    ...WORDS,
    base,
    passing: new Set([408, 409]),
    headersOf: (token) => (token === '' ? {} : { authorization: authorizationOf(token) }),
    saidIn: ({ error }) => fieldsOf(error).message,
    meaningOf(status, { notFound, needs = RIGHTS }) {
      if (status === 401)
        return 'the token is wrong, expired or revoked; set a valid one as BITBUCKET_TOKEN and restart';
      if (status === 403) return needs;
      if (status === 404) return notFound;
      if (status === 555) return 'it takes Bitbucket too long';
      return status >= 500 ? 'Bitbucket has trouble' : 'Bitbucket does not accept what was sent';
    },
    deniesAll: (status) => status === 401,
  };
}

/** A token of an account comes with its e-mail address; every other one alone. */
function authorizationOf(token: string): string {
  return /^[^\s:@]+@[^\s:@]+:/.test(token) ? `Basic ${Buffer.from(token).toString('base64')}` : `Bearer ${token}`;
}
