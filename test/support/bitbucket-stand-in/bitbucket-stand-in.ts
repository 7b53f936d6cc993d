import { createRequire } from 'node:module';
import { contentsOf, type HostContents, type HostSetUp, settersOf } from '../github-stand-in/host-set-up.ts';
import { createWorld, personOf, type RepoRecord, repoNamed, type World } from '../github-stand-in/model.ts';
import { createIdTokenIssuer } from '../rest-stand-in/id-token-issuer.ts';
import {
  type RestAnswer,
  type RestRequest,
  type RestServer,
  readRequest,
  startRestServer,
} from '../rest-stand-in/rest-server.ts';
import { checksOf, type Description } from './description.ts';
import { createGrants } from './grants.ts';
import {
  type BitbucketWorld,
  BOT,
  type BuildStatus,
  type Caller,
  type Hook,
  OF_REPO,
  ok,
  page,
  Refused,
  type Report,
} from './operations.ts';
import { presentRepo, uuidOf } from './present.ts';

/** Bitbucket Cloud's REST API on a port of its own, with its pitfalls. */
export interface BitbucketStandIn extends HostSetUp, HostContents, RestServer {
  /** To be given as BITBUCKET_API_URL. */
  readonly url: string;
  readonly token: string;
  /** Webhooks of repos. */
  readonly hooks: readonly Hook[];
  /** Reports of Code Insights. */
  reports(): readonly Report[];
  /** The statuses of a commit as they stand: one for each key. */
  builds(repo: string, sha: string): readonly BuildStatus[];
  /** Bitbucket's id of a repo. */
  idOf(repo: string): string;
  /** To be given as BITBUCKET_URL. */
  readonly web: string;
  /** Follows the browser of somebody who has a token: answers where it is sent back to. */
  authorize(address: string, token: string): string;
  /** An ID token of a step: it names the pipeline, and has no `jti`. */
  signIdToken(workspace: string, claims: Readonly<Record<string, unknown>>): string;
  /** Somebody's token. */
  addToken(token: string, caller: Caller): void;
}

const TOKEN = 'ATCTT3-stand-in-token-of-the-bot';
const SCOPES = ['repository', 'pullrequest', 'pipeline'];

const CHECKS = checksOf(createRequire(import.meta.url)('./bitbucket-description.json') as Description);

export async function startBitbucketStandIn({
  now = Date.now,
  formerNames = 'lead',
  hourlyLimit = 1_000,
}: {
  readonly now?: () => number;
  readonly hourlyLimit?: number;
  /** Whether a repo's former name leads to it, or to nothing: what Bitbucket does is not documented. */
  readonly formerNames?: 'lead' | 'end';
} = {}): Promise<BitbucketStandIn> {
  const world = createWorld(now);
  const host: BitbucketWorld = { world, builds: [], reports: new Map(), hooks: [] };
  const callers = new Map<string, Caller>([[TOKEN, { login: BOT, scopes: SCOPES, knowsItself: true }]]);
  const grants = createGrants();
  const listener = await startRestServer({
    now,
    // Nothing says how long to wait.
    limited: { status: 429, bytes: Buffer.from('Rate limit for this resource has been exceeded.') },
    answer: (incoming, text, violations) => {
      const request = readRequest(incoming, text);
      if (request.path === '/site/oauth2/access_token') return grants.exchange(request.text);
      const [, workspace = ''] = OF_ISSUER.exec(request.path) ?? [];
      const ofIssuer =
        workspace && issuerOf(world, workspace).answer(`${world.apiUrl}${request.path.slice('/2.0'.length)}`);
      if (ofIssuer) return ok(ofIssuer);
      const found = CHECKS.find(request.method, request.path.slice('/2.0'.length));
      if (found === undefined || !request.path.startsWith('/2.0/')) {
        violations.push(`there is no ${request.method} ${request.path}`);
        return new Refused(404, 'Resource not found').answer;
      }
      const body: unknown = request.text === '' ? undefined : JSON.parse(request.text);
      const answer = answerOf({ host, callers, formerNames, hourlyLimit }, request, { ...found, body });
      // For a broken request Bitbucket says so itself, and the test is told here.
      violations.push(...CHECKS.problemsOfRequest(found.key, request.query, body));
      violations.push(...CHECKS.problemsOfAnswer(found.key, answer.status, answer.body));
      return answer;
    },
  });
  world.apiUrl = `${listener.url}/2.0`;
  const repoIn = (name: string): RepoRecord => world.repos.get(name.toLowerCase()) as RepoRecord;
  return {
    ...settersOf(world),
    ...contentsOf(world),
    ...listener,
    url: world.apiUrl,
    web: listener.url,
    token: TOKEN,
    authorize: grants.authorize,
    signIdToken: (workspace, claims) => issuerOf(world, workspace).sign(claims),
    hooks: host.hooks,
    reports: () => [...host.reports.values()],
    builds: (repo, sha) => host.builds.filter((one) => one.repoId === repoIn(repo).id && one.sha === sha),
    idOf: (name) => uuidOf(repoIn(name).id),
    addToken: (token, caller) => void callers.set(token, caller),
  };
}

const OF_ISSUER = /^\/2\.0\/workspaces\/([^/]+)\/pipelines-config\/identity\/oidc\//;

/** Each workspace is one. */
function issuerOf({ apiUrl, now }: World, workspace: string) {
  const issuer = `${apiUrl}/workspaces/${workspace}/pipelines-config/identity/oidc`;
  return createIdTokenIssuer({ issuer, keysAt: `${issuer}/keys.json`, now });
}

interface Serving {
  readonly host: BitbucketWorld;
  readonly callers: ReadonlyMap<string, Caller>;
  readonly formerNames: 'lead' | 'end';
  readonly hourlyLimit: number;
}

interface Found {
  readonly key: string;
  readonly parts: readonly string[];
  readonly body: unknown;
}

function answerOf(serving: Serving, request: RestRequest, { key, parts, body }: Found): RestAnswer {
  const { host, callers } = serving;
  const { world } = host;
  try {
    const caller = callers.get(tokenIn(request.headers.authorization ?? ''));
    if (caller === undefined) throw new Refused(401, 'Token is invalid, expired, or not supported for this endpoint.');
    const headers = { 'x-oauth-scopes': caller.scopes.join(', '), 'x-ratelimit-limit': String(serving.hourlyLimit) };
    if (key === 'GET /user') {
      if (!caller.knowsItself) throw new Refused(403, 'Your credentials lack one or more required privilege scopes.');
      const { login } = caller;
      return { ...ok({ uuid: uuidOf(personOf(world, login).id), display_name: login, nickname: login }), headers };
    }
    const allowed = [...world.repos.values()].flatMap((one) => {
      const permission = caller.access?.[`${one.owner}/${one.name}`.toLowerCase()];
      return permission === undefined ? [] : [{ permission, repo: one }];
    });
    const asking = {
      query: request.query,
      body,
      caller,
      address: `${world.apiUrl}${request.path.slice('/2.0'.length)}`,
    };
    if (key === 'GET /user/workspaces')
      return page(
        [...new Set(allowed.map(({ repo: { owner } }) => owner))].map((name) => ({ workspace: { slug: name } })),
        asking,
      );
    if (key.startsWith('GET /user/workspaces/')) {
      const [, wanted] = /^repository\.full_name="(.*)"$/.exec(request.query.get('q') ?? '') ?? [];
      const shown = allowed
        .filter(({ repo: { owner } }) => owner.toLowerCase() === parts[0]?.toLowerCase())
        .map(({ permission, repo: one }) => ({ permission, repository: presentRepo(world, one) }))
        .filter(({ repository }) => wanted === undefined || repository.full_name === wanted);
      return page(shown, asking);
    }
    const [workspace = '', slug = ''] = parts;
    const repo = findRepo(serving, workspace, slug);
    if ('movedTo' in repo) {
      const rest = request.path.split('/').slice(5).join('/');
      const query = request.query.size > 0 ? `?${request.query}` : '';
      const place = `${world.apiUrl}/repositories/%7B%7D/${encodeURIComponent(repo.movedTo)}`;
      const location = `${place}${rest && `/${rest}`}${query}`;
      return { status: 301, headers: { location } };
    }
    if (repo.private && caller.access?.[`${repo.owner}/${repo.name}`.toLowerCase()] === undefined && caller.access)
      throw new Refused(403, 'Access denied.');
    const answer = OF_REPO[key]?.(host, repo, asking, parts);
    if (answer === undefined) throw new Error(`${key} is described and not answered`);
    return { ...answer, headers: { ...headers, ...answer.headers } };
  } catch (error) {
    if (error instanceof Refused) return error.answer;
    throw error;
  }
}

/** A repo's own token comes alone; an account's with its e-mail address. */
function tokenIn(authorization: string): string {
  const [kind, value = ''] = authorization.split(' ', 2);
  if (kind === 'Bearer') return value.includes(':') ? '' : value;
  return kind === 'Basic' ? Buffer.from(value, 'base64').toString() : '';
}

function findRepo(
  { host: { world }, formerNames }: Serving,
  workspace: string,
  slug: string,
): RepoRecord | { readonly movedTo: string } {
  const all = [...world.repos.values()];
  const byId = slug.startsWith('{') ? all.find(({ id }) => uuidOf(id) === slug) : undefined;
  const name = `${workspace}/${slug}`.toLowerCase();
  const found = byId ?? world.repos.get(name);
  if (found !== undefined) return found;
  const moved = world.moved.get(name);
  if (moved !== undefined && formerNames === 'lead' && all.some(({ id }) => id === moved))
    return { movedTo: uuidOf(moved) };
  if (moved !== undefined) throw new Refused(404, `Repository ${name} not found`);
  // A fork that only pull requests name.
  const holder = all.find((repo) =>
    [...repo.pullRequests.values()].some(({ headRepo }) => headRepo.toLowerCase() === name),
  );
  if (holder !== undefined) return repoNamed(world, holder, name);
  throw new Refused(404, `Repository ${name} not found`);
}
