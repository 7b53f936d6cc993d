import { quoteValue } from '../../core/failure.ts';
import type { Timestamp } from '../../core/time.ts';
import { findNotSent } from '../../platform/outgoing.ts';
import { ProviderFailure } from '../../ports/provider.ts';
import { fieldsOf, textOf } from '../answers.ts';
import { causesOf, codeOf, failedBeforeSending, messageOf } from '../connection-errors.ts';
import type { HostDeps } from '../host-kind.ts';
import * as say from './messages.ts';
import type { Operation } from './operations.ts';
import { headerOf } from './tokens.ts';

export type Fields = Readonly<Record<string, unknown>>;

export interface Asked {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT';
  /** Below `/api/v4`, its parts encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body?: object;
}

export interface Answer {
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  readonly text: string;
  /** The text as JSON; throws a ProviderFailure where it is none. */
  json(): unknown;
}

/** The requests of one call: all of them within its time. Throws a ProviderFailure. */
export type Ask = (operation: Operation, asked: Asked) => Promise<Answer>;

export type GitlabCalls = <T>(run: (ask: Ask) => Promise<T>) => Promise<T>;

export interface CallsDeps extends Pick<HostDeps, 'fetch' | 'clock' | 'timers'> {
  /** GITLAB_URL, without a slash at its end. */
  readonly web: string;
  readonly token: string;
  /** Milliseconds for a whole call. */
  readonly timeLimit: number;
  /** Lets a write pass when its turn has come. */
  readonly pace?: (() => Promise<void>) | undefined;
}

/** An answer without a `RateLimit-Reset` or `Retry-After`. */
const UNSTATED_PAUSE = 60_000;
const LONGEST_PAUSE = 3_600_000;

/** GitLab's REST API by one token. Bounds calls in time, and delays all of them while GitLab asks us to wait. */
export function createCalls(deps: CallsDeps): GitlabCalls {
  const { clock, timers, timeLimit } = deps;
  let pausedUntil: Timestamp = 0;
  return async (run) => {
    if (clock.now() < pausedUntil) throw new ProviderFailure('limited', say.ASKED_TO_WAIT, { retryAt: pausedUntil });
    const stop = new AbortController();
    const over = Promise.withResolvers<never>();
    let current: Operation | undefined;
    const timer = timers.start(timeLimit, () => {
      stop.abort();
      over.reject(tooSlow(current, timeLimit));
    });
    const ask: Ask = (operation, asked) => {
      current = operation;
      return send(deps, { operation, asked, signal: stop.signal });
    };
    try {
      return await Promise.race([run(ask), over.promise]);
    } catch (error) {
      if (error instanceof ProviderFailure && error.kind === 'limited' && error.status !== undefined)
        pausedUntil = Math.max(pausedUntil, error.retryAt ?? 0);
      throw error;
    } finally {
      timer.cancel();
      over.promise.catch(() => undefined);
    }
  };
}

interface Sent {
  readonly operation: Operation;
  readonly asked: Asked;
  readonly signal: AbortSignal;
}

function tooSlow(operation: Operation | undefined, limit: number): ProviderFailure {
  const sentence = say.tooSlow(Number((limit / 1_000).toFixed(2)), operation?.task ?? 'begin');
  return new ProviderFailure(operation?.writes ? 'uncertain' : 'transient', sentence);
}

async function send(deps: CallsDeps, sent: Sent): Promise<Answer> {
  const { operation, asked, signal } = sent;
  if (operation.writes) await deps.pace?.();
  const url = addressOf(deps.web, asked);
  let response = await fetchOnce(deps, sent, url);
  // A project that was moved: only a question is repeated where it went, and only at the same GitLab.
  const to =
    response.status === 301 && !operation.writes ? placeIn(deps.web, response.headers.get('location')) : undefined;
  if (to !== undefined) response = await fetchOnce(deps, sent, to);
  signal.throwIfAborted();
  const bytes = await bytesIn(deps, sent, response);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  if (response.ok) return { headers: response.headers, bytes, text, json: () => parse(text, operation) };
  throw toFailure(deps, operation, { status: response.status, headers: response.headers, text });
}

function fetchOnce({ fetch, token, ...deps }: CallsDeps, { operation, asked, signal }: Sent, url: string) {
  const { method = 'GET', body } = asked;
  return fetch(url, {
    method,
    headers: {
      ...headerOf(token),
      accept: 'application/json',
      'user-agent': 'coverage-service',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    redirect: 'manual',
    signal,
  }).catch((error: unknown) => {
    throw signal.aborted ? tooSlow(operation, deps.timeLimit) : lost({ token }, operation, error);
  });
}

/** The body may be cut off as well. */
async function bytesIn(deps: CallsDeps, { operation }: Sent, response: Response): Promise<Uint8Array> {
  const read = response.arrayBuffer().catch((error: unknown) => {
    throw lost(deps, operation, error);
  });
  return new Uint8Array(await read);
}

function lost({ token }: Pick<CallsDeps, 'token'>, operation: Operation, error: unknown): ProviderFailure {
  const causes = causesOf(error);
  const notSent = findNotSent(error);
  const said = quoteValue(messageOf(causes.at(-1)).replaceAll(token, '[token]'), 120);
  const why = notSent?.message ?? causes.map(codeOf).find((code) => code !== undefined) ?? said;
  const isUnsent = notSent !== undefined || causes.some(failedBeforeSending);
  return new ProviderFailure(
    operation.writes && !isUnsent ? 'uncertain' : 'transient',
    say.connectionFailed(why, operation.task),
  );
}

function addressOf(web: string, { path, query = {} }: Asked): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one): [string, string] => [name, one]),
  );
  return `${web}/api/v4${path}${pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`}`;
}

function placeIn(web: string, location: string | null): string | undefined {
  const url = location === null ? null : URL.parse(location, web);
  return url?.href.startsWith(`${web}/api/v4/`) ? url.href : undefined;
}

/** An answer cut short, or from something else than GitLab. */
export function unexpectedAnswer({ writes, task }: Operation): ProviderFailure {
  return new ProviderFailure(writes ? 'uncertain' : 'transient', say.notGitlab(task));
}

function parse(text: string, operation: Operation): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unexpectedAnswer(operation);
  }
}

interface Refusal {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

function toFailure(deps: CallsDeps, operation: Operation, refusal: Refusal): ProviderFailure {
  const { status } = refusal;
  const { task } = operation;
  if (status === 429) {
    const retryAt = deps.clock.now() + pauseOf(refusal.headers, deps.clock.now());
    return new ProviderFailure('limited', say.askedToWait(status, task), { status, retryAt });
  }
  const said = saidIn(refusal.text).replaceAll(deps.token, '[token]');
  const meaning = meaningOf(status, operation);
  const sentence = say.refused({ status, said: said === '' ? '' : ` (${quoteValue(said, 200)})`, task, meaning });
  // One status of a commit is set at a time: the next try finds the lock free.
  if (status === 409 || status === 408) return new ProviderFailure('transient', sentence, { status });
  if (status < 500) return new ProviderFailure('permanent', sentence, { status, accessDenied: status === 401 });
  const mayBeDone = operation.writes && status !== 503;
  return new ProviderFailure(mayBeDone ? 'uncertain' : 'transient', sentence, { status });
}

function meaningOf(status: number, { notFound, needs = say.NEEDS_RIGHTS }: Operation): string {
  if (status === 401) return say.TOKEN_REFUSED;
  if (status === 403) return needs;
  if (status === 404) return notFound;
  if (status === 409) return say.BUSY;
  return status >= 500 ? say.GITLAB_IN_TROUBLE : say.NOT_ACCEPTED;
}

/** GitLab says why as `message` or `error`: a text, a list, or texts by field. */
export function saidIn(text: string): string {
  try {
    const { message, error } = fieldsOf(JSON.parse(text));
    const said = message ?? error;
    return typeof said === 'string' ? said : said === undefined ? '' : JSON.stringify(said);
  } catch {
    return text.startsWith('<') ? '' : (textOf(text) ?? '');
  }
}

/** Seconds or a date; `RateLimit-Reset` is a moment. */
function pauseOf(headers: Headers, now: Timestamp): number {
  const [after, reset] = [headers.get('retry-after') ?? '', headers.get('ratelimit-reset') ?? ''];
  const pause = /^\d{1,6}$/.test(after)
    ? Number(after) * 1_000
    : /^\d{1,12}$/.test(reset)
      ? Number(reset) * 1_000 - now
      : UNSTATED_PAUSE;
  return Math.min(Math.max(pause, 1_000), LONGEST_PAUSE);
}
