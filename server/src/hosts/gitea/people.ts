import type { HostAccess, HostSignIn, HostToken, SignedInPerson } from '../../ports/sign-in.ts';
import { type Fields, fieldsOf, idOf, textOf } from '../answers.ts';
import type { HostDeps, OauthApplication } from '../host-kind.ts';
import { createOauth } from '../rest/oauth.ts';
import { askFor, definiteAnswer } from '../rest/questions.ts';
import { identityOf } from './facts.ts';
import type { Flavor } from './flavor.ts';
import { connectGitea } from './provider.ts';
import { askForPages, inRepo, PAGE_SIZE } from './questions.ts';

/** Milliseconds for a question that a page waits for. */
const TIME_LIMIT = 5_000;
const MAX_REPOS = 1_000;
/** How long counts what was read once, in ms: then its owner signs in again. */
const READ_ONCE = 12 * 3_600_000;
/** Before what was read in place of a token. */
const SEEN = 'seen:';

/**
 * Gitea and Forgejo as the place where people sign in, and as who says what they may do. Forgejo's token may do
 * everything that its owner may: what it shows is read once, and kept in its place.
 */
export function createPeople(flavor: Flavor, deps: HostDeps, web: string, app: OauthApplication): HostSignIn {
  const { service, name } = flavor;
  const oauth = createOauth({
    ...{ ...deps, app, name, scopes: flavor.scopes },
    authorizeAt: `${web}/login/oauth/authorize`,
    tokenAt: `${web}/login/oauth/access_token`,
  });
  const connectBy = (token: string) => connectGitea(deps, { flavor, web, token, timeLimit: TIME_LIMIT });
  const listAccess = (token: string): Promise<readonly HostAccess[]> => {
    const { calls, operations } = connectBy(token);
    return calls(async (ask) => {
      const asked = { path: '/user/repos', maxPages: MAX_REPOS / PAGE_SIZE };
      const { entries } = await askForPages(ask, operations.listRepos, asked);
      return entries.flatMap((repo) => toAccess(repo) ?? []);
    });
  };
  const readOnce = async ({ access }: HostToken): Promise<HostToken> => {
    const seen = `${SEEN}${JSON.stringify(await listAccess(access))}`;
    return { access: seen, refresh: undefined, expiresAt: deps.clock.now() + READ_ONCE };
  };
  return {
    key: service,
    name,
    issuer: web,
    begin: async (attempt) => oauth.begin(attempt),
    finish: async (attempt) => {
      const token = await oauth.finish(attempt);
      const { calls, operations } = connectBy(token.access);
      const person = await calls((ask) => askFor(ask, operations.readMe, { path: '/user', read: toPerson }));
      return { ...person, issuer: web, token: flavor.dropsToken ? await readOnce(token) : token };
    },
    readAccess: async ({ token, repo }) => {
      const known = seenIn(token);
      if (known !== undefined) return known.find((one) => one.name.toLowerCase() === repo.toLowerCase());
      const gitea = connectBy(token);
      return definiteAnswer(
        inRepo(gitea, repo, (ask, path) =>
          askFor(ask, gitea.operations.readRepo, { path, read: (found) => ({ access: toAccess(found) }) }),
        ),
      ).then((found) => found?.access);
    },
    listAccess: async ({ token }) => seenIn(token) ?? listAccess(token),
    renew: oauth.renew,
  };
}

function seenIn(token: string): readonly HostAccess[] | undefined {
  return token.startsWith(SEEN) ? (JSON.parse(token.slice(SEEN.length)) as readonly HostAccess[]) : undefined;
}

/** Nothing says whether an address was confirmed. */
function toPerson({ id, login }: Fields): Omit<SignedInPerson, 'issuer' | 'token'> | undefined {
  const [subject, name] = [idOf(id), textOf(login)];
  if (subject === undefined || name === undefined) return undefined;
  return { subject: String(subject), name, email: undefined, groups: [] };
}

function toAccess(repo: Fields): HostAccess | undefined {
  const [identity, { admin, pull }] = [identityOf(repo), fieldsOf(repo.permissions)];
  if (identity === undefined || (admin !== true && pull !== true)) return undefined;
  return { ...identity, role: admin === true ? 'maintainer' : 'reader' };
}
