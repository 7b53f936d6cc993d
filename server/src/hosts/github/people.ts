import { createHash } from 'node:crypto';
import type { MemberRole } from '../../core/repo/account.ts';
import type { HostAccess, HostSignIn, SignedInPerson, SignInAttempt } from '../../ports/sign-in.ts';
import { type Fields, fieldsOf, idOf, textOf } from '../answers.ts';
import { splitRepoName } from './addresses.ts';
import { type GithubCalls, type GithubConnection, openPassingCalls } from './calls.ts';
import { createExchange, type OauthApp } from './oauth-tokens.ts';
import { OPERATIONS } from './operations.ts';
import { identityOf } from './repos.ts';
import { askDefinitely, askOnce, requestList } from './requests.ts';

/** Milliseconds for a question that a page waits for. */
const TIME_LIMIT = 5_000;
const PER_PAGE = 100;
const MAX_PAGES = 10;

/**
 * GitHub as the place where people sign in, through a GitHub App, and as who says what they may do in its repos.
 * `web`: the host's address for people.
 */
export function createPeople(connection: GithubConnection, web: string, app: OauthApp): HostSignIn {
  const exchange = createExchange(connection, web, app);
  const callsWith = (token: string): GithubCalls => openPassingCalls(connection, { token, timeLimit: TIME_LIMIT });
  return {
    key: 'github',
    name: 'GitHub',
    issuer: web,
    async begin({ redirectUri, state, verifier }) {
      const asked = {
        client_id: app.clientId,
        redirect_uri: redirectUri,
        state,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
      };
      return `${web}/login/oauth/authorize?${new URLSearchParams(asked)}`;
    },
    async finish(attempt) {
      const token = await exchange(codeGrant(attempt));
      const person = await askOnce(callsWith(token.access), OPERATIONS.readMe, {
        send: (rest, options) => rest.users.getAuthenticated({ request: options }),
        read: toPerson,
      });
      return { ...person, issuer: web, token };
    },
    readAccess: ({ token, repo }) =>
      askDefinitely(callsWith(token), OPERATIONS.readMyRepo, {
        send: (rest, options) => rest.repos.get({ ...splitRepoName(repo), request: options }),
        read: toAccess,
      }),
    listAccess: ({ token }) => listAccess(callsWith(token)),
    renew: async (refresh) => {
      try {
        return await exchange({ grant_type: 'refresh_token', refresh_token: refresh });
      } catch (error) {
        if (error instanceof Error && 'kind' in error && error.kind === 'permanent') return undefined;
        throw error;
      }
    },
  };
}

function codeGrant({ redirectUri, verifier, answer }: SignInAttempt & { readonly answer: URLSearchParams }) {
  return { code: answer.get('code') ?? '', redirect_uri: redirectUri, code_verifier: verifier };
}

function listAccess(calls: GithubCalls): Promise<readonly HostAccess[]> {
  return calls(async (call) => {
    const found: HostAccess[] = [];
    for (let page = 1; page <= MAX_PAGES; page += 1) {
      const { entries } = await requestList(call, OPERATIONS.listMyRepos, (rest, options) =>
        rest.repos.listForAuthenticatedUser({ per_page: PER_PAGE, page, request: options }),
      );
      found.push(...entries.flatMap((repo) => toAccess(repo) ?? []));
      if (entries.length < PER_PAGE) break;
    }
    return found;
  });
}

function toPerson({ id, login }: Fields): Omit<SignedInPerson, 'issuer' | 'token'> | undefined {
  const subject = idOf(id);
  const name = textOf(login);
  if (subject === undefined || name === undefined) return undefined;
  return { subject: String(subject), name, email: undefined, groups: [] };
}

/** GitHub answers a repo only to who may read it. */
function toAccess(repo: Fields): HostAccess | undefined {
  const { admin, maintain } = fieldsOf(repo.permissions);
  const role: MemberRole = admin === true || maintain === true ? 'maintainer' : 'reader';
  const identity = identityOf(repo);
  return identity && { ...identity, role };
}
