import { createRequire } from 'node:module';
import { checksOf, type Description } from '../bitbucket-stand-in/description.ts';
import { createGrants } from '../bitbucket-stand-in/grants.ts';
import { contentsOf, type HostContents, type HostSetUp, settersOf } from '../github-stand-in/host-set-up.ts';
import { createWorld, personOf, type RepoRecord, repoNamed } from '../github-stand-in/model.ts';
import {
  type RestAnswer,
  type RestRequest,
  type RestServer,
  readRequest,
  startRestServer,
} from '../rest-stand-in/rest-server.ts';
import {
  type BuildStatus,
  type CenterWorld,
  type Hook,
  OF_REPO,
  ok,
  page,
  presentRepo,
  Refused,
  type Report,
} from './operations.ts';

/** Bitbucket Data Center's REST API on a port of its own, below a path, with its pitfalls. */
export interface BitbucketServerStandIn extends HostSetUp, HostContents, RestServer {
  /** To be given as BITBUCKET_SERVER_URL. */
  readonly url: string;
  readonly token: string;
  builds(repo: string, sha: string): readonly BuildStatus[];
  /** Somebody who signs in, by their token. */
  addPerson(token: string, person: Person): void;
  /** Follows the browser of somebody who has a token: answers where it is sent back to. */
  authorize(address: string, token: string): string;
  /** Webhooks of repos. */
  readonly hooks: readonly Hook[];
  /** Reports of Code Insights. */
  reports(): readonly Report[];
  /** Bitbucket's id of a repo. */
  idOf(repo: string): number;
}

const TOKEN = 'BBDC-stand-in-token-of-the-bot-0123456789abcdefgh';
const BOT = 'coverage-bot';

const CHECKS = checksOf(createRequire(import.meta.url)('./description.json') as Description);

interface Options {
  readonly now?: () => number;
  /** Whether a repo's former name leads to it, or to nothing: what Bitbucket does is not documented. */
  readonly formerNames?: 'lead' | 'end';
  /** Whether answers say whose the token is. */
  readonly namesCaller?: boolean;
}

export async function startBitbucketServerStandIn({
  now = Date.now,
  formerNames = 'lead',
  namesCaller = true,
}: Options = {}): Promise<BitbucketServerStandIn> {
  const world = createWorld(now);
  const center: CenterWorld = { world, builds: [], reports: new Map(), hooks: [] };
  const grants = createGrants();
  const people = new Map<string, Person>([[TOKEN, { login: BOT }]]);
  const listener = await startRestServer({
    now,
    limited: { status: 429, body: { errors: [{ message: 'Rate limited' }] }, headers: { 'retry-after': '30' } },
    answer: (incoming, text, violations) => {
      const request = readRequest(incoming, text);
      if (request.path === '/git/rest/oauth2/latest/token') return grants.exchange(request.text);
      const path = request.path.slice('/git/rest'.length);
      const found = CHECKS.find(request.method, path);
      if (found === undefined || !request.path.startsWith('/git/rest/')) {
        violations.push(`there is no ${request.method} ${request.path}`);
        return new Refused(404, 'Not found').answer;
      }
      const body: unknown = request.text === '' ? undefined : JSON.parse(request.text);
      const caller = people.get(/^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '');
      const answer = answerOf({ center, formerNames, caller }, request, { ...found, path, body });
      violations.push(...CHECKS.problemsOfRequest(found.key, request.query, body));
      violations.push(...CHECKS.problemsOfAnswer(found.key, answer.status, answer.body));
      const isKnown = answer.status !== 401 && namesCaller;
      return {
        ...answer,
        headers: { ...(isKnown && { 'x-ausername': encodeURIComponent(caller?.login ?? '') }), ...answer.headers },
      };
    },
  });
  world.apiUrl = `${listener.url}/git`;
  const repoIn = (name: string): RepoRecord => world.repos.get(name.toLowerCase()) as RepoRecord;
  const builds = (repo: string, sha: string) =>
    center.builds.filter((one) => one.repoId === repoIn(repo).id && one.sha === sha);
  return {
    ...settersOf(world),
    ...contentsOf(world),
    ...listener,
    url: world.apiUrl,
    token: TOKEN,
    builds,
    addPerson: (token, person) => void people.set(token, person),
    authorize: grants.authorize,
    hooks: center.hooks,
    reports: () => [...center.reports.values()],
    idOf: (name) => repoIn(name).id,
  };
}

interface Serving {
  readonly center: CenterWorld;
  readonly formerNames: 'lead' | 'end';
  readonly caller: Person | undefined;
}

interface Person {
  readonly login: string;
  /** By the name of the repo; undefined: it may read everything. */
  readonly access?: Readonly<Record<string, 'read' | 'admin'>>;
}

interface Found {
  readonly key: string;
  readonly parts: readonly string[];
  readonly path: string;
  readonly body: unknown;
}

function answerOf(serving: Serving, request: RestRequest, { key, parts, path, body }: Found): RestAnswer {
  const { world } = serving.center;
  const { query } = request;
  try {
    const { caller } = serving;
    if (key === 'GET /api/latest/application-properties') return ok({ version: '9.4.1', displayName: 'Bitbucket' });
    if (caller === undefined)
      throw new Refused(401, 'Authentication failed.', 'com.atlassian.bitbucket.auth.AuthenticationException');
    if (key === 'GET /api/latest/projects') return page([], query);
    const repos = [...world.repos.values()];
    if (key.startsWith('GET /api/latest/users/'))
      return ok({ id: personOf(world, caller.login).id, name: caller.login, slug: parts[0] });
    if (key === 'GET /api/latest/repos' && query.has('permission'))
      return page(
        permitted(repos, caller, query).map((repo) => presentRepo(world, repo)),
        query,
      );
    if (key === 'GET /api/latest/repos')
      return page(
        repos.map((repo) => presentRepo(world, repo)),
        query,
      );
    const name = `${parts[0]}/${parts[1]}`.toLowerCase();
    const moved = world.moved.get(name);
    const repo = world.repos.get(name) ?? (moved === undefined ? undefined : repos.find(({ id }) => id === moved));
    if (repo === undefined) return answerOfFork(serving, { name, key, query, body, parts });
    const isFormer = `${repo.owner}/${repo.name}`.toLowerCase() !== name;
    if (isFormer && serving.formerNames === 'end') throw new Refused(404, `Repository ${name} does not exist.`);
    if (isFormer) {
      const rest = path.split('/').slice(7).join('/');
      const place = `${world.apiUrl}/rest/api/latest/projects/${repo.owner}/repos/${repo.name}`;
      return {
        status: 301,
        headers: { location: `${place}${rest && `/${rest}`}${query.size > 0 ? `?${query}` : ''}` },
      };
    }
    return answerIn(serving, repo, { key, query, body, parts });
  } catch (error) {
    if (error instanceof Refused) return error.answer;
    throw error;
  }
}

/** Names are looked for in part. */
function permitted(
  repos: readonly RepoRecord[],
  { access = {} }: Person,
  query: URLSearchParams,
): readonly RepoRecord[] {
  const [project, name] = ['projectkey', 'name'].map((one) => (query.get(one) ?? '').toLowerCase()) as [string, string];
  return repos.filter((repo) => {
    const right = access[`${repo.owner}/${repo.name}`];
    const isWanted = query.get('permission') === 'REPO_ADMIN' ? right === 'admin' : right !== undefined;
    return isWanted && repo.owner.toLowerCase().includes(project) && repo.name.toLowerCase().includes(name);
  });
}

interface Question {
  readonly key: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly parts: readonly string[];
}

function answerIn({ center }: Serving, repo: RepoRecord, { key, query, body, parts }: Question): RestAnswer {
  const answer = OF_REPO[key]?.(center, repo, { query, body, login: BOT }, parts);
  if (answer === undefined) throw new Error(`${key} is described and not answered`);
  return answer;
}

/** A fork that only pull requests name. */
function answerOfFork(serving: Serving, { name, ...question }: Question & { readonly name: string }): RestAnswer {
  const { world } = serving.center;
  const holder = [...world.repos.values()].find((repo) =>
    [...repo.pullRequests.values()].some(({ headRepo }) => headRepo.toLowerCase() === name),
  );
  if (holder === undefined) throw new Refused(404, `Repository ${name} does not exist.`);
  if (question.key.endsWith('{repositorySlug}')) return ok(presentRepo(world, repoNamed(world, holder, name)));
  return answerIn(serving, repoNamed(world, holder, name), question);
}
