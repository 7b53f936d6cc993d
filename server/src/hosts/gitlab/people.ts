import type { HostAccess, HostSignIn, SignedInPerson } from '../../ports/sign-in.ts';
import { type Fields, idOf, textOf } from '../answers.ts';
import type { HostDeps, OauthApplication } from '../host-kind.ts';
import { createCalls } from '../rest/calls.ts';
import { createOauth } from '../rest/oauth.ts';
import { askFor, definiteAnswer } from '../rest/questions.ts';
import { identityOf } from './facts.ts';
import { OPERATIONS } from './operations.ts';
import { askForPage, pathByName } from './questions.ts';
import { restApiOf } from './rest-api.ts';
import { accessOf } from './token-view.ts';

/** Milliseconds for a question that a page waits for. */
const TIME_LIMIT = 5_000;
const MAX_PAGES = 10;
const SCOPES = ['read_user', 'read_api'];
/** Guests of a private project see it, but not its code. */
const REPORTER = 20;
const MAINTAINER = 40;

/** GitLab as the place where people sign in, and as who says what they may do in its projects. */
export function createPeople({ fetch, clock, timers }: HostDeps, web: string, app: OauthApplication): HostSignIn {
  const oauth = createOauth({
    ...{ fetch, clock, timers, app, name: 'GitLab', scopes: SCOPES },
    authorizeAt: `${web}/oauth/authorize`,
    tokenAt: `${web}/oauth/token`,
  });
  const callsOf = (token: string) =>
    createCalls({ fetch, clock, timers, host: restApiOf(web), token, timeLimit: TIME_LIMIT });
  return {
    key: 'gitlab',
    name: 'GitLab',
    issuer: web,
    begin: async (attempt) => oauth.begin(attempt),
    async finish(attempt) {
      const token = await oauth.finish(attempt);
      const person = await callsOf(token.access)((ask) =>
        askFor(ask, OPERATIONS.readMe, { path: '/user', read: toPerson }),
      );
      return { ...person, issuer: web, token };
    },
    readAccess: ({ token, repo }) =>
      definiteAnswer(
        callsOf(token)((ask) => askFor(ask, OPERATIONS.readProject, { path: pathByName(repo), read: (one) => one })),
      ).then((project) => project && toAccess(project)),
    listAccess: ({ token }) =>
      callsOf(token)(async (ask) => {
        const found: HostAccess[] = [];
        let page: string | undefined = '1';
        for (let read = 0; page !== undefined && read < MAX_PAGES; read += 1) {
          const query = { membership: 'true', order_by: 'id', sort: 'desc', page };
          const listed: Awaited<ReturnType<typeof askForPage>> = await askForPage(ask, OPERATIONS.listProjects, {
            path: '/projects',
            query,
          });
          found.push(...listed.entries.flatMap((project) => toAccess(project) ?? []));
          page = listed.next;
        }
        return found;
      }),
    renew: oauth.renew,
  };
}

/** GitLab does not say whether an address was confirmed. */
function toPerson({ id, username }: Fields): Omit<SignedInPerson, 'issuer' | 'token'> | undefined {
  const [subject, name] = [idOf(id), textOf(username)];
  if (subject === undefined || name === undefined) return undefined;
  return { subject: String(subject), name, email: undefined, groups: [] };
}

function toAccess(project: Fields): HostAccess | undefined {
  const [identity, access] = [identityOf(project), accessOf(project)];
  if (identity === undefined || access < REPORTER) return undefined;
  return { ...identity, role: access >= MAINTAINER ? 'maintainer' : 'reader' };
}
