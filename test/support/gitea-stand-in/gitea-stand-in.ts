import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Faults } from '../github-stand-in/faults.ts';
import { contentsOf, type HostContents, type HostSetUp, settersOf } from '../github-stand-in/host-set-up.ts';
import type { IdTokenVariables } from '../github-stand-in/id-tokens.ts';
import { createWorld, personOf, type RepoRecord, repoNamed, type World } from '../github-stand-in/model.ts';
import { createIdTokenIssuer } from '../rest-stand-in/id-token-issuer.ts';
import { matchPath, Refused, type RestAnswer, type RestServer, startRestServer } from '../rest-stand-in/rest-server.ts';
import { violationsOf } from './described.ts';
import { type Hook, notFound, OF_REPO, ok, page } from './operations.ts';
import { type FlavorName, nameOf, type Permissions, presentRepo } from './present.ts';

/** Gitea's, or Forgejo's, REST API on a port of its own, with its pitfalls. */
export interface GiteaStandIn extends HostSetUp, HostContents, Pick<RestServer, 'requests' | 'violations' | 'close'> {
  /** To be given as GITEA_URL or FORGEJO_URL. */
  readonly url: string;
  readonly token: string;
  readonly faults: Faults;
  /** Webhooks of repos. */
  readonly hooks: readonly Hook[];
  /** The token of a user who may do all in these repos; without scopes it has all that are needed. */
  addBot(token: string, repos: readonly string[], scopes?: readonly string[]): void;
  /** From now on that token does not see the repo. */
  hideFrom(token: string, repo: string): void;
  /** A job in progress: its own token, which of a fork's pull request may read alone. */
  addJob(token: string, job: RunningJob): void;
  endToken(token: string): void;
  /** An ID token of a job of Forgejo Actions: it has no `jti`. */
  signIdToken(claims: Readonly<Record<string, unknown>>): string;
  /** What a job that has `enable-openid-connect` asks for ID tokens by. */
  allowIdTokens(claims: Readonly<Record<string, unknown>>): IdTokenVariables;
  /** Somebody who signs in, with what they may do by repo: others they do not see. */
  addPerson(login: string, access: Readonly<Record<string, 'admin' | 'pull'>>): void;
  /** Follows the browser: answers where it is sent back to. */
  authorize(address: string, login: string): string;
}

export interface RunningJob {
  readonly repo: string;
  readonly ofFork?: boolean;
}

/** Whose token it is. */
interface Caller {
  readonly login: string;
  /** Undefined: all. */
  readonly scopes?: readonly string[] | undefined;
  permissionsIn(repo: RepoRecord): Permissions | undefined;
}

interface Instance {
  readonly world: World;
  readonly flavor: FlavorName;
  readonly isNew: boolean;
  readonly callers: Map<string, Caller>;
  readonly hooks: Hook[];
  /** Claims of jobs that may ask for ID tokens, by what they ask with. */
  readonly jobs: Map<string, Readonly<Record<string, unknown>>>;
  /** By the code that is exchanged. */
  readonly grants: Map<string, { readonly token: string; readonly challenge: string; readonly redirectUri: string }>;
}

const TOKEN = 'b0'.repeat(20);
const ROOT = '/api/v1';
const ISSUER = '/api/actions';
const ID_TOKENS = `${ISSUER}/_apis/pipelines/workflows/1/idtoken`;
const ALL: Permissions = { admin: true, push: true, pull: true };
const READ: Permissions = { admin: false, push: false, pull: true };

export async function startGiteaStandIn({
  flavor = 'gitea',
  isNew = flavor === 'gitea',
  now = Date.now,
}: {
  readonly flavor?: FlavorName;
  readonly isNew?: boolean;
  readonly now?: () => number;
} = {}): Promise<GiteaStandIn> {
  const world = createWorld(now);
  const instance: Instance = {
    world,
    flavor,
    isNew,
    callers: new Map(),
    hooks: [],
    jobs: new Map(),
    grants: new Map(),
  };
  instance.callers.set(TOKEN, { login: 'coverage-bot', permissionsIn: () => ALL });
  const server = await startRestServer({
    now,
    answer: (request, text, violations) => answer(instance, request, text, violations),
  });
  world.apiUrl = server.url;
  return {
    ...settersOf(world),
    ...contentsOf(world),
    ...server,
    token: TOKEN,
    hooks: instance.hooks,
    addBot: (token, repos, scopes) => {
      const permissionsIn = (repo: RepoRecord) => (repos.includes(nameOf(repo)) ? ALL : undefined);
      instance.callers.set(token, { login: 'own-bot', scopes, permissionsIn });
    },
    hideFrom: (token, hidden) => {
      const caller = instance.callers.get(token);
      if (caller === undefined) return;
      const permissionsIn = (repo: RepoRecord) => (nameOf(repo) === hidden ? undefined : caller.permissionsIn(repo));
      instance.callers.set(token, { ...caller, permissionsIn });
    },
    addJob: (token, job) => void instance.callers.set(token, callerOfJob(flavor, job)),
    signIdToken: (claims) => issuerOf(world).sign(claims),
    allowIdTokens(claims) {
      const token = randomUUID();
      instance.jobs.set(token, claims);
      const ACTIONS_ID_TOKEN_REQUEST_URL = `${server.url}${ID_TOKENS}?api-version=2.0`;
      return { ACTIONS_ID_TOKEN_REQUEST_URL, ACTIONS_ID_TOKEN_REQUEST_TOKEN: token };
    },
    endToken: (token) => void instance.callers.delete(token),
    addPerson: (login, access) => {
      const permissionsIn = (repo: RepoRecord) => {
        const may = access[nameOf(repo)];
        return may === undefined ? undefined : may === 'admin' ? ALL : READ;
      };
      instance.callers.set(`token-of-${login}`, { login, permissionsIn });
    },
    authorize(address, login) {
      const { searchParams } = new URL(address);
      const [redirectUri, challenge, state] = ['redirect_uri', 'code_challenge', 'state'].map(
        (name) => searchParams.get(name) ?? '',
      ) as [string, string, string];
      instance.grants.set(`code-of-${login}`, { token: `token-of-${login}`, challenge, redirectUri });
      return `${redirectUri}?${new URLSearchParams({ code: `code-of-${login}`, state })}`;
    },
  };
}

/** Looked at before the repo is. */
function checkScope({ scopes }: Caller, path: string): void {
  const required = /^\/repos\/[^/]+\/[^/]+\/issues\//.test(path) ? 'write:issue' : 'write:repository';
  if (scopes === undefined || scopes.includes(required)) return;
  const said = `token does not have at least one of required scope(s), required=[${required}], token scope=${scopes}`;
  throw new Refused(403, { message: said });
}

/** At Forgejo it sees no other repo; at Gitea public ones. */
function callerOfJob(flavor: FlavorName, { repo: own, ofFork = false }: RunningJob): Caller {
  return {
    login: `${flavor}-actions`,
    permissionsIn: (repo) => {
      if (nameOf(repo).toLowerCase() === own.toLowerCase()) return ofFork ? READ : { ...ALL, admin: false };
      return flavor === 'gitea' && !repo.private ? READ : undefined;
    },
  };
}

function answer(instance: Instance, request: IncomingMessage, text: string, violations: string[]): RestAnswer {
  const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://gitea');
  if (pathname === '/login/oauth/access_token') return exchange(instance, new URLSearchParams(text));
  const ofIssuer = answerOfIssuer(instance, request);
  if (ofIssuer !== undefined) return ok(ofIssuer);
  if (!pathname.startsWith(`${ROOT}/`)) throw notFound();
  const token = /^(?:token|Bearer) (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const caller = instance.callers.get(token);
  if (caller === undefined) throw new Refused(401, { message: 'user does not exist [uid: 0, name: ]' });
  const path = pathname.slice(ROOT.length);
  const body = text === '' ? {} : (JSON.parse(text) as Readonly<Record<string, unknown>>);
  const asked = `${request.method} ${path}`;
  if (request.method !== 'GET') checkScope(caller, path);
  const given = elsewhere(instance, caller, asked, query) ?? ofRepo(instance, caller, { asked, path, query, body });
  const isDiff = /\.diff$/.test(path);
  if (!isDiff && given.status !== 301 && given.status !== 307)
    violations.push(...violationsOf({ asked, query, body, answer: given }));
  return given;
}

function issuerOf({ apiUrl, now }: World) {
  const issuer = `${apiUrl}${ISSUER}`;
  return createIdTokenIssuer({ issuer, keysAt: `${issuer}/.well-known/keys`, now });
}

/** Gitea has no ID tokens. */
function answerOfIssuer({ world, flavor, jobs }: Instance, { url = '', headers }: IncomingMessage) {
  if (flavor !== 'forgejo') return undefined;
  const { pathname, searchParams } = new URL(url, world.apiUrl);
  if (pathname !== ID_TOKENS) return issuerOf(world).answer(`${world.apiUrl}${pathname}`);
  const claims = jobs.get(headers.authorization?.slice('Bearer '.length) ?? '');
  if (claims === undefined) throw new Refused(401, { message: 'Invalid token' });
  return { value: issuerOf(world).sign({ ...claims, aud: searchParams.get('audience') }) };
}

/** The token ends after an hour. */
function exchange({ grants }: Instance, form: URLSearchParams): RestAnswer {
  const grant = grants.get(form.get('code') ?? '');
  const verifier = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  const isRight = grant?.challenge === verifier && grant.redirectUri === form.get('redirect_uri');
  if (grant === undefined || !isRight || !form.get('client_secret'))
    return { status: 400, body: { error: 'unauthorized_client' } };
  return ok({ access_token: grant.token, token_type: 'bearer', expires_in: 3_600, refresh_token: 'refresh' });
}

/** What is asked about no repo of a name. */
function elsewhere(
  { world, flavor }: Instance,
  caller: Caller,
  asked: string,
  query: URLSearchParams,
): RestAnswer | undefined {
  if (asked === 'GET /user') return ok({ id: personOf(world, caller.login).id, login: caller.login });
  if (asked === 'GET /version') return ok({ version: flavor === 'gitea' ? '1.27.3' : '15.0.1+gitea-1.22.0' });
  const seen = [...world.repos.values()].flatMap((repo) => {
    const permissions = caller.permissionsIn(repo);
    return permissions === undefined ? [] : [presentRepo(world, repo, permissions)];
  });
  if (asked === 'GET /user/repos') return page(seen, query);
  const [id] = matchPath('GET /repositories/:id', asked) ?? [];
  if (id === undefined) return undefined;
  const found = seen.find((one) => one.id === Number(id));
  if (found === undefined) throw notFound();
  return ok(found);
}

interface Asked {
  readonly asked: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
}

function ofRepo(instance: Instance, caller: Caller, { asked, path, query, body }: Asked): RestAnswer {
  const [, name = '', rest = ''] = /^\/repos\/([^/]+\/[^/]+)(.*)$/.exec(path) ?? [];
  const repo = findRepo(instance, name);
  // Anybody who follows it by a GET writes nothing.
  if (typeof repo === 'string') {
    const location = `${ROOT}/repos/${repo}${rest}${query.size > 0 ? `?${query}` : ''}`;
    return { status: 301, bytes: Buffer.from('Moved Permanently'), headers: { location } };
  }
  const permissions = caller.permissionsIn(repo);
  if (permissions === undefined) throw notFound();
  const method = asked.split(' ')[0];
  if (method !== 'GET' && !permissions.push)
    throw new Refused(403, { message: 'user should have a permission to write to a repo' });
  for (const [pattern, operation] of Object.entries(OF_REPO)) {
    const parts = matchPath(pattern, `${method} ${rest}`);
    if (parts !== undefined)
      return operation({ ...instance, repo, query, body, login: caller.login, permissions }, ...parts);
  }
  throw notFound();
}

/** A former name leads to the one of today. */
function findRepo({ world }: Instance, name: string): RepoRecord | string {
  const found = world.repos.get(name.toLowerCase());
  if (found !== undefined) return found;
  const all = [...world.repos.values()];
  const moved = all.find(({ id }) => id === world.moved.get(name.toLowerCase()));
  if (moved !== undefined) return nameOf(moved);
  // A fork that only pull requests name.
  const holder = all.find((one) => [...one.pullRequests.values()].some(({ headRepo }) => headRepo === name));
  if (holder !== undefined) return repoNamed(world, holder, name);
  throw notFound();
}
