import type { HostAccess, HostSignIn, SignedInPerson } from '../../ports/sign-in.ts';
import { type Fields, fieldsOf, textOf } from '../answers.ts';
import type { HostDeps, OauthApplication } from '../host-kind.ts';
import { createCalls } from '../rest/calls.ts';
import { createOauth } from '../rest/oauth.ts';
import { askFor, definiteAnswer } from '../rest/questions.ts';
import { OPERATIONS } from './operations.ts';
import { identityOf, listAll, pathByName, uuidOf } from './questions.ts';
import { restApiOf } from './rest-api.ts';

/** Milliseconds for a question that a page waits for. */
const TIME_LIMIT = 5_000;
const MAX_REPOS = 1_000;
const MAX_WORKSPACES = 10;

/** Bitbucket as the place where people sign in. What may be asked in their name is set at the OAuth consumer. */
export function createPeople(
  { fetch, clock, timers }: HostDeps,
  { web, api }: { readonly web: string; readonly api: string },
  app: OauthApplication,
): HostSignIn {
  const oauth = createOauth({
    ...{ fetch, clock, timers, app, name: 'Bitbucket', scopes: [] },
    authorizeAt: `${web}/site/oauth2/authorize`,
    tokenAt: `${web}/site/oauth2/access_token`,
  });
  const callsOf = (token: string) =>
    createCalls({ fetch, clock, timers, host: restApiOf(api), token, timeLimit: TIME_LIMIT });
  /** The rights that somebody was given in the repos of a workspace. */
  const inWorkspace = (token: string, workspace: string, query: Readonly<Record<string, string>>, max: number) =>
    callsOf(token)((ask) =>
      listAll(ask, OPERATIONS.listRights, {
        path: `/user/workspaces/${encodeURIComponent(workspace)}/permissions/repositories`,
        query: { pagelen: '100', ...query },
        max,
      }),
    );
  return {
    key: 'bitbucket',
    name: 'Bitbucket',
    issuer: web,
    begin: async (attempt) => oauth.begin(attempt),
    async finish(attempt) {
      const token = await oauth.finish(attempt);
      const asked = { path: '/user', read: toPerson };
      const person = await callsOf(token.access)((ask) => askFor(ask, OPERATIONS.readMe, asked));
      return { ...person, issuer: web, token };
    },
    async readAccess({ token, repo }) {
      const [workspace = ''] = pathByName(repo).slice('/repositories/'.length).split('/');
      const query = { q: `repository.full_name="${repo}"` };
      const rights = (await definiteAnswer(inWorkspace(token, workspace, query, 100))) ?? [];
      return rights.map(toAccess).find((one) => one?.name.toLowerCase() === repo.toLowerCase());
    },
    async listAccess({ token }) {
      const asked = { path: '/user/workspaces', query: { pagelen: '100' }, max: MAX_WORKSPACES };
      const memberships = await callsOf(token)((ask) => listAll(ask, OPERATIONS.listRights, asked));
      const found: HostAccess[] = [];
      for (const { workspace, slug } of memberships) {
        const name = textOf(fieldsOf(workspace).slug) ?? textOf(slug);
        const max = MAX_REPOS - found.length;
        if (name === undefined || max === 0) continue;
        found.push(...(await inWorkspace(token, name, {}, max)).flatMap((one) => toAccess(one) ?? []));
      }
      return found;
    },
    renew: oauth.renew,
  };
}

/** A name may change; the id stays. */
function toPerson({
  uuid,
  nickname,
  display_name: shown,
}: Fields): Omit<SignedInPerson, 'issuer' | 'token'> | undefined {
  const [subject, name] = [uuidOf(uuid), textOf(nickname) ?? textOf(shown)];
  return subject === undefined || name === undefined ? undefined : { subject, name, email: undefined, groups: [] };
}

/** A public repo in which somebody was given no right is in no such list. */
function toAccess({ permission, repository }: Fields): HostAccess | undefined {
  const identity = identityOf(fieldsOf(repository));
  if (identity === undefined || !['read', 'write', 'admin'].includes(textOf(permission) ?? '')) return undefined;
  return { ...identity, role: permission === 'admin' ? 'maintainer' : 'reader' };
}
