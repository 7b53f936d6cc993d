import type { RestHost } from '../rest/calls.ts';
import type { HostWords } from '../rest/sentences.ts';
import * as say from './messages.ts';
import { headerOf } from './tokens.ts';

export const WORDS: HostWords = { name: 'GitLab', address: 'GITLAB_URL' };

/** `web`: GITLAB_URL, without a slash at its end. */
export function restApiOf(web: string): RestHost {
  return {
    ...WORDS,
    base: `${web}/api/v4`,
    // One status of a commit is set at a time: the next try finds the lock free.
    passing: new Set([408, 409]),
    headersOf: headerOf,
    saidIn: ({ message, error }) => message ?? error,
    meaningOf(status, { notFound, needs = say.NEEDS_RIGHTS }) {
      if (status === 401) return say.TOKEN_REFUSED;
      if (status === 403) return needs;
      if (status === 404) return notFound;
      if (status === 409) return say.BUSY;
      return status >= 500 ? say.GITLAB_IN_TROUBLE : say.NOT_ACCEPTED;
    },
    deniesAll: (status) => status === 401,
  };
}
