import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { contentsOf, type HostContents, type HostSetUp, settersOf } from '../github-stand-in/host-set-up.ts';
import { createWorld, personOf, type World } from '../github-stand-in/model.ts';
import { createIdTokenIssuer } from '../rest-stand-in/id-token-issuer.ts';
import { type RestAnswer, type RestServer, startRestServer } from '../rest-stand-in/rest-server.ts';
import { HOOKS } from './hooks.ts';
import {
  type GitlabCaller,
  type GitlabRequest,
  type GitlabWorld,
  Refused,
  type RunningJob,
  type StatusJob,
} from './model.ts';
import { answerElsewhere, findProject, OF_PROJECT, ok } from './operations.ts';
import { jobsOf } from './statuses.ts';

/** GitLab's REST API on a port of its own, with its pitfalls. Its `url` is to be given as GITLAB_URL. */
export interface GitlabStandIn extends HostSetUp, HostContents, RestServer {
  readonly token: string;
  /** The jobs that show statuses of a commit, in the order in which they were made. */
  jobs(repo: string, sha: string): readonly StatusJob[];
  /** The webhooks of a project, with their secrets. */
  hooks(repo: string): readonly Readonly<Record<string, unknown>>[];
  idOf(repo: string): number;
  /** A job in progress: its CI_JOB_TOKEN. */
  addJob(token: string, job: RunningJob): void;
  /** Somebody who signs in: what they may do by project, and the code that the browser comes back with. */
  addPerson(login: string, access: Readonly<Record<string, number>>): { readonly token: string };
  /** An access token of a project or group. */
  addBot(
    username: string,
    access: Readonly<Record<string, number>>,
    scopes?: readonly string[],
  ): { readonly token: string };
  /** The day on which that token ends. */
  endOn(token: string, day: string): void;
  /** From now on that token does not see the project. */
  hideFrom(token: string, repo: string): void;
  /** Follows the browser: answers where it is sent back to. */
  authorize(address: string, login: string): string;
  /** An ID token of a job. */
  signIdToken(claims: Readonly<Record<string, unknown>>): string;
}

const TOKEN = 'glpat-stand-in-token-of-the-bot';

export async function startGitlabStandIn({
  now = Date.now,
  major = 19,
}: {
  readonly now?: () => number;
  /** For its version. */
  readonly major?: number;
} = {}): Promise<GitlabStandIn> {
  const world = createWorld(now);
  const callers = new Map<string, GitlabCaller>();
  const gitlab: GitlabWorld = {
    ...{
      world,
      callers,
      jobs: [],
      external: [],
      running: new Map(),
      grants: new Map(),
      hooks: [],
      locks: new Set(),
    },
    major,
    nextId: 9_000,
  };
  const login = (username: string): GitlabCaller => ({ id: personOf(world, username).id, username, scopes: ['api'] });
  callers.set(TOKEN, login('coverage-bot'));
  const server = await startRestServer({
    now,
    answer: (request, text, violations) => answerTo(gitlab, request, { text, violations }),
  });
  world.apiUrl = server.url;
  const repoIn = (name: string) => findProject(gitlab, name) as { readonly id: number };
  return {
    ...settersOf(world),
    ...contentsOf(world),
    ...server,
    token: TOKEN,
    jobs: (repo, sha) => jobsOf(gitlab, repoIn(repo), sha),
    hooks: (repo) => gitlab.hooks.filter(({ repoId }) => repoId === repoIn(repo).id).map(({ fields }) => fields),
    idOf: (repo) => repoIn(repo).id,
    addJob: (token, job) => void gitlab.running.set(token, job),
    addPerson(username, access) {
      const token = `gloas-${username}-1`;
      callers.set(token, { ...login(username), scopes: ['read_user', 'read_api'], access });
      return { token };
    },
    addBot(username, access, scopes = ['api']) {
      const token = `glpat-${username}-0123456789`;
      callers.set(token, { ...login(username), scopes, access });
      return { token };
    },
    endOn: (token, endsOn) => void callers.set(token, { ...(callers.get(token) ?? login('nobody')), endsOn }),
    hideFrom(token, repo) {
      const { hidden = [], ...caller } = callers.get(token) ?? login('nobody');
      callers.set(token, { ...caller, hidden: [...hidden, repo] });
    },
    authorize(address, username) {
      const { searchParams } = new URL(address);
      const code = `code-of-${username}`;
      const redirectUri = searchParams.get('redirect_uri') ?? '';
      const challenge = searchParams.get('code_challenge') ?? undefined;
      gitlab.grants.set(code, { token: `gloas-${username}-1`, challenge, redirectUri });
      return `${redirectUri}?${new URLSearchParams({ code, state: searchParams.get('state') ?? '' })}`;
    },
    signIdToken: (claims) => issuerOf(world).sign({ jti: randomUUID(), ...claims }),
  };
}

interface Received {
  readonly text: string;
  readonly violations: string[];
}

async function answerTo(gitlab: GitlabWorld, request: IncomingMessage, received: Received): Promise<RestAnswer> {
  const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://gitlab');
  const ofIssuer = issuerOf(gitlab.world).answer(`${gitlab.world.apiUrl}${pathname}`);
  if (ofIssuer !== undefined) return ok(ofIssuer);
  if (pathname === '/oauth/token') return exchange(gitlab, new URLSearchParams(received.text));
  if (!pathname.startsWith('/api/v4/')) throw new Refused(404, '404 Not Found');
  const { caller, jobToken } = callerOf(gitlab, request);
  const body = received.text === '' ? {} : (JSON.parse(received.text) as GitlabRequest['body']);
  const path = pathname.slice('/api/v4'.length);
  const asked = { method: request.method ?? '', path, query, body, caller, jobToken };
  return answerElsewhere(gitlab, asked) ?? (await answerOfProject(gitlab, asked, received.violations));
}

const issuerOf = ({ apiUrl, now }: World) =>
  createIdTokenIssuer({ issuer: apiUrl, keysAt: `${apiUrl}/oauth/discovery/keys`, now });

const NOBODY: GitlabCaller = { id: 0, username: '', scopes: [] };

function callerOf(gitlab: GitlabWorld, { headers }: IncomingMessage): Pick<GitlabRequest, 'caller' | 'jobToken'> {
  const jobToken = headers['job-token'];
  if (typeof jobToken === 'string' && gitlab.running.has(jobToken)) return { caller: NOBODY, jobToken };
  const bearer = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
  const caller = gitlab.callers.get(String(headers['private-token'] ?? bearer ?? ''));
  if (caller === undefined) throw new Refused(401, '401 Unauthorized');
  return { caller, jobToken: undefined };
}

async function answerOfProject(gitlab: GitlabWorld, asked: GitlabRequest, violations: string[]): Promise<RestAnswer> {
  const [, key = '', rest = ''] = /^\/projects\/([^/]+)(.*)$/.exec(asked.path) ?? [];
  const repo = findProject(gitlab, decodeURIComponent(key));
  if ('movedTo' in repo) {
    if (asked.method !== 'GET') throw new Refused(405, 'Non GET methods are not allowed for moved projects');
    const location = `/api/v4/projects/${repo.movedTo}${rest}${asked.query.size > 0 ? `?${asked.query}` : ''}`;
    return { status: 301, body: 'This resource has been moved permanently', headers: { location } };
  }
  if (asked.caller.hidden?.includes(`${repo.owner}/${repo.name}`)) throw new Refused(404, '404 Project Not Found');
  // A job's token may ask a few things only, none of these.
  if (asked.jobToken !== undefined) throw new Refused(404, '404 Project Not Found');
  if (
    asked.caller.access !== undefined &&
    !(`${repo.owner}/${repo.name}`.toLowerCase() in asked.caller.access) &&
    repo.private
  )
    throw new Refused(404, '404 Project Not Found');
  for (const { on, query = [], body = [], answer } of [...OF_PROJECT, ...HOOKS]) {
    const parts = match(on, `${asked.method} ${rest}`);
    if (parts === undefined) continue;
    const odd = [...asked.query.keys()].filter((name) => !query.includes(name));
    odd.push(...Object.keys(asked.body).filter((name) => !body.includes(name)));
    if (odd.length > 0) violations.push(`${on} takes no ${odd.join(', ')}`);
    return answer(gitlab, repo, asked, parts);
  }
  violations.push(`there is no ${asked.method} ${rest}`);
  throw new Refused(404, '404 Not Found');
}

function match(pattern: string, asked: string): readonly string[] | undefined {
  const [wanted, sent] = [pattern.split('/'), asked.split('/')];
  if (wanted.length !== sent.length) return undefined;
  const isSame = wanted.every((part, at) => part.startsWith(':') || part === sent[at]);
  if (!isSame) return undefined;
  return sent.filter((_, at) => wanted[at]?.startsWith(':')).map(decodeURIComponent);
}

/** A refresh token can be used once, and what was given before is void then. */
function exchange(gitlab: GitlabWorld, form: URLSearchParams): RestAnswer {
  const key = form.get('code') ?? form.get('refresh_token') ?? '';
  const grant = gitlab.grants.get(key);
  const verifier = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  const isWrong = grant?.challenge !== undefined && grant.challenge !== verifier;
  if (grant === undefined || isWrong || form.get('redirect_uri') !== grant.redirectUri || !form.get('client_secret'))
    return { status: 400, body: { error: 'invalid_grant' } };
  gitlab.grants.delete(key);
  const refresh = `refresh-${key}`;
  gitlab.grants.set(refresh, { ...grant, challenge: undefined });
  return {
    status: 200,
    body: { access_token: grant.token, token_type: 'bearer', expires_in: 7200, refresh_token: refresh },
  };
}
