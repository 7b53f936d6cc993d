import type { HostAccess, HostSignIn } from '../../ports/sign-in.ts';
import { idOf } from '../answers.ts';
import type { HostDeps, OauthApplication } from '../host-kind.ts';
import { type Ask, createCalls } from '../rest/calls.ts';
import { createOauth } from '../rest/oauth.ts';
import { unexpectedAnswer } from '../rest/operations.ts';
import { askFor } from '../rest/questions.ts';
import { nameIn } from './comments.ts';
import { OPERATIONS } from './operations.ts';
import { API, identityOf, listAll, pathOf } from './questions.ts';
import { restApiOf } from './rest-api.ts';

/** Milliseconds for a question that a page waits for. */
const TIME_LIMIT = 5_000;
const MAX_REPOS = 1_000;

/** Bitbucket Data Center as the place where people sign in, by an incoming application link. */
export function createPeople({ fetch, clock, timers }: HostDeps, web: string, app: OauthApplication): HostSignIn {
  const oauth = createOauth({
    ...{ fetch, clock, timers, app, name: 'Bitbucket Data Center', scopes: ['REPO_READ'] },
    authorizeAt: `${web}/rest/oauth2/latest/authorize`,
    tokenAt: `${web}/rest/oauth2/latest/token`,
  });
  const callsOf = (token: string) =>
    createCalls({ fetch, clock, timers, host: restApiOf(web), token, timeLimit: TIME_LIMIT });
  /** What somebody may administrate, before what they may read: each has its own list. */
  const accessOf = (token: string, query: Readonly<Record<string, string>>): Promise<readonly HostAccess[]> =>
    callsOf(token)(async (ask) => {
      const [administrated, readable] = [
        await listRepos(ask, { ...query, permission: 'REPO_ADMIN' }),
        await listRepos(ask, { ...query, permission: 'REPO_READ' }),
      ];
      const ids = new Set(administrated.map(({ id }) => id));
      return [
        ...administrated.map((repo) => ({ ...repo, role: 'maintainer' as const })),
        ...readable.filter(({ id }) => !ids.has(id)).map((repo) => ({ ...repo, role: 'reader' as const })),
      ].slice(0, MAX_REPOS);
    });
  return {
    key: 'stash',
    name: 'Bitbucket Data Center',
    issuer: web,
    begin: async (attempt) => oauth.begin(attempt),
    async finish(attempt) {
      const token = await oauth.finish(attempt);
      const { id, name } = await callsOf(token.access)(readMe);
      return { subject: String(id), name, email: undefined, groups: [], issuer: web, token };
    },
    async readAccess({ token, repo }) {
      pathOf(repo);
      const [projectkey = '', name = ''] = repo.split('/');
      const found = await accessOf(token, { projectkey, name });
      return found.find((one) => one.name.toLowerCase() === repo.toLowerCase());
    },
    listAccess: ({ token }) => accessOf(token, {}),
    renew: oauth.renew,
  };
}

/** Every answer says whose token it was; who that is, a question of its own. */
async function readMe(ask: Ask): Promise<{ readonly id: number; readonly name: string }> {
  const { headers } = await ask(OPERATIONS.readMe, { path: `${API}/projects`, query: { limit: '1' } });
  const name = nameIn(headers);
  if (name === undefined) throw unexpectedAnswer(OPERATIONS.readMe);
  return askFor(ask, OPERATIONS.readMe, {
    path: `${API}/users/${encodeURIComponent(name.toLowerCase())}`,
    read: (person) => {
      const id = idOf(person.id);
      return id === undefined || person.name !== name ? undefined : { id, name };
    },
  });
}

async function listRepos(ask: Ask, query: Readonly<Record<string, string>>) {
  const asked = { path: `${API}/repos`, query: { limit: '1000', ...query }, max: MAX_REPOS };
  return (await listAll(ask, OPERATIONS.listRepos, asked)).flatMap((repo) => identityOf(repo) ?? []);
}
