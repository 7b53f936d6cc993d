import { createHash } from 'node:crypto';
import { findNotSent } from '../../platform/outgoing.ts';
import { ProviderFailure } from '../../ports/provider.ts';
import type { HostAccess, HostSignIn, HostToken, SignedInPerson } from '../../ports/sign-in.ts';
import { type Fields, fieldsOf, idOf, textOf } from '../answers.ts';
import type { HostDeps, OauthApplication } from '../host-kind.ts';
import { createCalls } from '../rest/calls.ts';
import { askFor, definiteAnswer } from '../rest/questions.ts';
import { identityOf } from './facts.ts';
import * as say from './messages.ts';
import { OPERATIONS } from './operations.ts';
import { askForPage, pathByName } from './questions.ts';
import { restApiOf } from './rest-api.ts';
import { accessOf } from './token-view.ts';

export interface PeopleDeps extends HostDeps {
  readonly web: string;
  readonly app: OauthApplication;
}

/** Milliseconds for a question that a page waits for. */
const TIME_LIMIT = 5_000;
const EXCHANGE_LIMIT = 10_000;
const MAX_PAGES = 10;
const SCOPES = ['read_user', 'read_api'];
/** Guests of a private project see it, but not its code. */
const REPORTER = 20;
const MAINTAINER = 40;

/** GitLab as the place where people sign in, and as who says what they may do in its projects. */
export function createPeople(deps: PeopleDeps): HostSignIn {
  const { web, app, fetch, clock, timers } = deps;
  const exchange = createExchange(deps);
  const callsOf = (token: string) =>
    createCalls({ fetch, clock, timers, host: restApiOf(web), token, timeLimit: TIME_LIMIT });
  // A renewal names the address too, which stays the same.
  let address: string | undefined;
  return {
    key: 'gitlab',
    name: 'GitLab',
    issuer: web,
    async begin({ redirectUri, state, verifier }) {
      const asked = {
        client_id: app.clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        state,
        scope: SCOPES.join(' '),
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
      };
      return `${web}/oauth/authorize?${new URLSearchParams(asked)}`;
    },
    async finish({ redirectUri, verifier, answer }) {
      address = redirectUri;
      const code = { code: answer.get('code') ?? '', redirect_uri: redirectUri, code_verifier: verifier };
      const token = await exchange({ grant_type: 'authorization_code', ...code });
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
    async renew(refresh) {
      const where = address === undefined ? {} : { redirect_uri: address };
      try {
        return await exchange({ grant_type: 'refresh_token', refresh_token: refresh, ...where });
      } catch (error) {
        if (error instanceof ProviderFailure && error.kind === 'permanent') return undefined;
        throw error;
      }
    },
  };
}

/** Gives a code, or a token to renew another by, for a token; throws a ProviderFailure. */
function createExchange({ web, app, fetch, clock, timers }: PeopleDeps) {
  return async (grant: Readonly<Record<string, string>>): Promise<HostToken> => {
    const stop = new AbortController();
    const limit = timers.start(EXCHANGE_LIMIT, () => stop.abort());
    try {
      const response = await fetch(`${web}/oauth/token`, {
        method: 'POST',
        headers: { accept: 'application/json', 'user-agent': 'coverage-service' },
        body: new URLSearchParams({ client_id: app.clientId, client_secret: app.clientSecret, ...grant }),
        signal: stop.signal,
        redirect: 'error',
      });
      if (response.status >= 500 || response.status === 429)
        throw new ProviderFailure('transient', say.tokenNotGiven(response.status));
      return toToken(fieldsOf(await response.json()), clock.now());
    } catch (error) {
      if (error instanceof ProviderFailure) throw error;
      // What fetch throws may quote what was sent.
      throw new ProviderFailure('transient', say.TOKEN_NOT_ANSWERED, { cause: findNotSent(error)?.message });
    } finally {
      limit.cancel();
    }
  };
}

function toToken(answer: Fields, now: number): HostToken {
  const access = textOf(answer.access_token);
  if (access === undefined) throw new ProviderFailure('permanent', say.CODE_REFUSED);
  const seconds = idOf(answer.expires_in);
  return {
    access,
    refresh: textOf(answer.refresh_token),
    expiresAt: seconds === undefined ? undefined : now + seconds * 1_000,
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
