import { type Fields, fieldsOf, textOf } from '../answers.ts';
import type { RestHost } from '../rest/calls.ts';
import type { HostWords } from '../rest/sentences.ts';

export const WORDS: HostWords = { name: 'Bitbucket Data Center', address: 'BITBUCKET_SERVER_URL' };

const RIGHTS = 'the token is wrong or expired, or may not read the repo; set a valid one as BITBUCKET_SERVER_TOKEN';

/** `web`: BITBUCKET_SERVER_URL, without a slash at its end. */
export function restApiOf(web: string): RestHost {
  return {
    ...WORDS,
    base: `${web}/rest`,
    passing: new Set([408]),
    headersOf: (token): Readonly<Record<string, string>> =>
      token === '' ? {} : { authorization: `Bearer ${token}`, 'x-atlassian-token': 'no-check' },
    saidIn: (answer) => firstError(answer).message,
    meaningOf(status, { notFound, needs = RIGHTS }) {
      if (status === 401 || status === 403) return needs;
      if (status === 404) return notFound;
      if (status === 409) return 'it was changed meanwhile, or the repo is archived';
      return status >= 500
        ? 'Bitbucket Data Center has trouble'
        : 'Bitbucket Data Center does not accept what was sent';
    },
    // It also answers 401 to a valid token that lacks a right.
    deniesAll: (status, answer) =>
      status === 401 && !/Authori[sz]ationException$/.test(textOf(firstError(answer).exceptionName) ?? ''),
  };
}

function firstError({ errors }: Fields): Fields {
  return fieldsOf(Array.isArray(errors) ? errors[0] : undefined);
}
