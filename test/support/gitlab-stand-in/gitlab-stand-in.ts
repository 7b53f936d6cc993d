import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import {
  createFaults,
  type Fault,
  type FaultRule,
  type Faults,
  answerOf as faultAnswer,
  takesEffect,
} from '../github-stand-in/faults.ts';
import { contentsOf, type HostContents, type HostSetUp, settersOf } from '../github-stand-in/host-set-up.ts';
import { readText } from '../github-stand-in/http-message.ts';
import { createWorld, personOf, type StatusRecord, type World } from '../github-stand-in/model.ts';
import { createRequestLog, type LoggedRequest, type RequestLog } from '../github-stand-in/request-log.ts';
import { createIdTokenIssuer } from '../rest-stand-in/id-token-issuer.ts';
import { HOOKS } from './hooks.ts';
import {
  type GitlabAnswer,
  type GitlabCaller,
  type GitlabRequest,
  type GitlabWorld,
  Refused,
  type RunningJob,
  type StatusJob,
} from './model.ts';
import { answerElsewhere, findProject, OF_PROJECT, ok } from './operations.ts';
import { jobsOf } from './statuses.ts';

/** GitLab's REST API on a port of its own, with its pitfalls. */
export interface GitlabStandIn extends HostSetUp, HostContents {
  /** To be given as GITLAB_URL. */
  readonly url: string;
  readonly token: string;
  readonly faults: Faults;
  /** The jobs that show statuses of a commit, in the order in which they were made. */
  jobs(repo: string, sha: string): readonly StatusJob[];
  /** The webhooks of a project, with their secrets. */
  hooks(repo: string): readonly Readonly<Record<string, unknown>>[];
  idOf(repo: string): number;
  requests(): readonly LoggedRequest[];
  /** What was sent that GitLab's API does not know. */
  violations(): readonly string[];
  /** A job under way: its CI_JOB_TOKEN. */
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
  /** An id-token of a job. */
  signIdToken(claims: Readonly<Record<string, unknown>>): string;
  close(): Promise<void>;
}

const TOKEN = 'glpat-stand-in-token-of-the-bot';

export async function startGitlabStandIn({
  now = Date.now,
  major = 19,
}: {
  readonly now?: () => number;
  /** Of its version. */
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
      history: [],
      locks: new Set(),
    },
    major,
    nextId: 9_000,
  };
  const login = (username: string): GitlabCaller => ({ id: personOf(world, username).id, username, scopes: ['api'] });
  callers.set(TOKEN, login('coverage-bot'));
  const violations: string[] = [];
  const log = createRequestLog();
  const { faults, pick } = createFaults();
  const server = createServer((request, response) => {
    serve(gitlab, request, { response, violations, log, pick }).catch((error: unknown) => {
      violations.push(String(error instanceof Error ? error.stack : error));
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  world.apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const repoIn = (name: string) => findProject(gitlab, name) as { readonly id: number };
  const contents = contentsOf(world);
  return {
    ...settersOf(world),
    ...contents,
    ...statusesOf(gitlab, repoIn),
    url: world.apiUrl,
    token: TOKEN,
    faults,
    jobs: (repo, sha) => jobsOf(gitlab, repoIn(repo), sha),
    hooks: (repo) => gitlab.hooks.filter(({ repoId }) => repoId === repoIn(repo).id).map(({ fields }) => fields),
    idOf: (repo) => repoIn(repo).id,
    requests: log.all,
    violations: () => violations,
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
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Statuses as any host has them: each that was set, also where it changed a job. */
function statusesOf(
  gitlab: GitlabWorld,
  repoIn: (name: string) => { readonly id: number },
): Pick<HostContents, 'statuses' | 'lastStatuses'> {
  const statuses = (repo: string, sha: string): readonly StatusRecord[] =>
    gitlab.history.filter((one) => one.repoId === repoIn(repo).id && one.sha === sha);
  return {
    statuses,
    lastStatuses: (repo, sha) => new Map(statuses(repo, sha).map((one) => [one.context, one])),
  };
}

interface Serving {
  readonly response: ServerResponse;
  readonly violations: string[];
  readonly log: RequestLog;
  readonly pick: FaultRule;
}

async function serve(gitlab: GitlabWorld, request: IncomingMessage, serving: Serving): Promise<void> {
  const { response, violations, log, pick } = serving;
  const text = await readText(request);
  const { method = '', url: path = '' } = request;
  const body = text.startsWith('{') ? (JSON.parse(text) as unknown) : text;
  const index = log.arrived({ at: Date.now(), method, path, headers: {}, body });
  const fault = pick({ index, method, path, body });
  log.became(index, { fault: fault?.kind, hangs: fault?.kind === 'hang' });
  if (fault?.kind === 'slow') await wait(fault.delayMs);
  if (fault?.kind === 'duplicate') await process(gitlab, request, { text, violations });
  const runs = fault === undefined || takesEffect(fault);
  const honest = runs ? await process(gitlab, request, { text, violations }) : undefined;
  // What is refused changes nothing.
  log.became(index, { processed: honest !== undefined && honest.status < 400 });
  if (fault?.kind === 'drop') return void request.socket.destroy();
  if (fault?.kind === 'hang') return;
  const answer = answerWith(fault, honest);
  log.became(index, { status: answer.status });
  send(response, answer, new Date(gitlab.world.now()).toUTCString());
}

function answerWith(fault: Fault | undefined, honest: GitlabAnswer | undefined): GitlabAnswer {
  if (fault?.kind === 'secondary-limit' || fault?.kind === 'primary-limit') return limited(fault);
  if (fault?.kind === 'status') return faultAnswer(fault) as GitlabAnswer;
  return honest ?? { status: 500 };
}

/** GitLab says it in plain text. */
function limited(fault: Extract<Fault, { kind: 'secondary-limit' | 'primary-limit' }>): GitlabAnswer {
  const seconds = fault.kind === 'secondary-limit' ? fault.retryAfterSeconds : undefined;
  const headers: Record<string, string> = seconds === undefined ? {} : { 'retry-after': String(seconds) };
  return { status: 429, bytes: Buffer.from('Retry later'), headers };
}

function send(response: ServerResponse, { status, body, bytes, headers }: GitlabAnswer, date: string): void {
  const content = bytes ?? (body === undefined ? '' : JSON.stringify(body));
  response.writeHead(status, { date, 'content-type': bytes ? 'text/plain' : 'application/json', ...headers });
  response.end(content);
}

interface Received {
  readonly text: string;
  readonly violations: string[];
}

async function process(gitlab: GitlabWorld, request: IncomingMessage, received: Received): Promise<GitlabAnswer> {
  const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://gitlab');
  try {
    const ofIssuer = issuerOf(gitlab.world).answer(`${gitlab.world.apiUrl}${pathname}`);
    if (ofIssuer !== undefined) return ok(ofIssuer);
    if (pathname === '/oauth/token') return exchange(gitlab, new URLSearchParams(received.text));
    if (!pathname.startsWith('/api/v4/')) throw new Refused(404, '404 Not Found');
    const { caller, jobToken } = callerOf(gitlab, request);
    const body = received.text === '' ? {} : (JSON.parse(received.text) as GitlabRequest['body']);
    const asked = {
      method: request.method ?? '',
      path: pathname.slice('/api/v4'.length),
      query,
      body,
      caller,
      jobToken,
    };
    return answerElsewhere(gitlab, asked) ?? (await answerOfProject(gitlab, asked, received.violations));
  } catch (error) {
    if (error instanceof Refused) return error.answer;
    throw error;
  }
}

const issuerOf = ({ apiUrl, now }: World) =>
  createIdTokenIssuer({ issuer: apiUrl, keysAt: `${apiUrl}/oauth/discovery/keys`, now });

const NOBODY: GitlabCaller = { id: 0, username: '', scopes: [] };

function callerOf(gitlab: GitlabWorld, { headers }: IncomingMessage): Pick<GitlabRequest, 'caller' | 'jobToken'> {
  const jobToken = headers['job-token'];
  if (typeof jobToken === 'string') return { caller: NOBODY, jobToken };
  const bearer = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
  const caller = gitlab.callers.get(String(headers['private-token'] ?? bearer ?? ''));
  if (caller === undefined) throw new Refused(401, '401 Unauthorized');
  return { caller, jobToken: undefined };
}

async function answerOfProject(gitlab: GitlabWorld, asked: GitlabRequest, violations: string[]): Promise<GitlabAnswer> {
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
function exchange(gitlab: GitlabWorld, form: URLSearchParams): GitlabAnswer {
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
