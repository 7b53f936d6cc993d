import { quoteValue } from '../../core/failure.ts';
import type { Timestamp } from '../../core/time.ts';
import { findNotSent } from '../../platform/outgoing.ts';
import { ProviderFailure } from '../../ports/provider.ts';
import { type Fields, fieldsOf } from '../answers.ts';
import { causesOf, codeOf, failedBeforeSending, messageOf } from '../connection-errors.ts';
import type { HostDeps } from '../host-kind.ts';
import { type Operation, unexpectedAnswer } from './operations.ts';
import * as say from './sentences.ts';

/** What the REST API of a host differs by. */
export interface RestHost extends say.HostWords {
  /** What paths go below: `https://gitlab.com/api/v4`. */
  readonly base: string;
  /** Answers below 500 that a later try may pass. */
  readonly passing: ReadonlySet<number>;
  /** How a token is sent. */
  headersOf(token: string): Readonly<Record<string, string>>;
  /** Why something was refused, out of the JSON of the answer. */
  saidIn(answer: Fields): unknown;
  /** What a refusal means, as the end of a sentence. */
  meaningOf(status: number, operation: Operation): string;
  /** Whether a refusal is of the token, whatever is asked. */
  deniesAll(status: number, answer: Fields): boolean;
}

export interface Asked {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the base, its parts encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body?: object;
  /** What the answer is to be; JSON, unless stated. */
  readonly accept?: string;
  /** No more bytes of the answer are read. */
  readonly maxBytes?: number;
}

export interface Answer {
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  readonly text: string;
  /** Its end was left out, for its size. */
  readonly isCut: boolean;
  /** The text as JSON; throws a ProviderFailure if it is none. */
  json(): unknown;
}

/** The requests of one call: all of them within its time. Throws a ProviderFailure. */
export type Ask<Asking extends Operation = Operation> = (operation: Asking, asked: Asked) => Promise<Answer>;

export type Calls = <T>(run: (ask: Ask) => Promise<T>) => Promise<T>;

export interface CallsDeps extends Pick<HostDeps, 'fetch' | 'clock' | 'timers'> {
  readonly host: RestHost;
  readonly token: string;
  /** Milliseconds for a whole call. */
  readonly timeLimit: number;
  /** Lets a request pass when its turn has come. */
  readonly pace?: ((operation: Operation) => Promise<void> | undefined) | undefined;
}

/** An answer without a `RateLimit-Reset` or `Retry-After`. */
const UNSTATED_PAUSE = 60_000;
const LONGEST_PAUSE = 3_600_000;
const MOVED: ReadonlySet<number> = new Set([301, 302, 307, 308]);
/** An owner and a repo of theirs may both have another name. */
const MAX_TURNS = 3;

/** A host's REST API by one token. Bounds calls in time, and delays all of them while the host asks us to wait. */
export function createCalls(deps: CallsDeps): Calls {
  const { clock, timers, timeLimit, host } = deps;
  let pausedUntil: Timestamp = 0;
  return async (run) => {
    if (clock.now() < pausedUntil) throw new ProviderFailure('limited', say.toldToWait(host), { retryAt: pausedUntil });
    const stop = new AbortController();
    const over = Promise.withResolvers<never>();
    let current: Operation | undefined;
    const timer = timers.start(timeLimit, () => {
      stop.abort();
      over.reject(tooSlow(host, current, timeLimit));
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

function tooSlow(host: RestHost, operation: Operation | undefined, limit: number): ProviderFailure {
  const sentence = say.tooSlow(host, Number((limit / 1_000).toFixed(2)), operation?.task ?? 'begin');
  return new ProviderFailure(operation?.writes ? 'uncertain' : 'transient', sentence);
}

async function send(deps: CallsDeps, sent: Sent): Promise<Answer> {
  const { operation, asked, signal } = sent;
  const { host } = deps;
  await deps.pace?.(operation);
  const url = addressOf(host.base, asked);
  let response = await fetchOnce(deps, sent, url);
  // For what was moved nothing was done yet: it is asked again where it went, but only at the same host.
  for (let turns = 0; turns < MAX_TURNS; turns += 1) {
    const to = MOVED.has(response.status) ? placeIn(host.base, response.headers.get('location')) : undefined;
    if (to === undefined) break;
    response = await fetchOnce(deps, sent, to);
  }
  signal.throwIfAborted();
  const { bytes, isCut } = await bytesIn(deps, sent, response);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  if (response.ok) return { headers: response.headers, bytes, text, isCut, json: () => parse(text, operation) };
  throw toFailure(deps, operation, { status: response.status, headers: response.headers, text });
}

function fetchOnce({ fetch, token, host, ...deps }: CallsDeps, { operation, asked, signal }: Sent, url: string) {
  const { method = 'GET', body, accept = 'application/json' } = asked;
  return fetch(url, {
    method,
    headers: {
      ...host.headersOf(token),
      accept,
      'user-agent': 'coverage-service',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    redirect: 'manual',
    signal,
  }).catch((error: unknown) => {
    throw signal.aborted ? tooSlow(host, operation, deps.timeLimit) : lost({ host, token }, operation, error);
  });
}

/** The body may be cut off as well. */
async function bytesIn(
  deps: CallsDeps,
  { operation, asked }: Sent,
  response: Response,
): Promise<Pick<Answer, 'bytes' | 'isCut'>> {
  const { maxBytes = Number.POSITIVE_INFINITY } = asked;
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of response.body ?? []) {
      parts.push(part);
      size += part.length;
      if (size > maxBytes) break;
    }
  } catch (error) {
    throw lost(deps, operation, error);
  }
  return { bytes: Buffer.concat(parts, Math.min(size, maxBytes)), isCut: size > maxBytes };
}

function lost(
  { host, token }: Pick<CallsDeps, 'host' | 'token'>,
  operation: Operation,
  error: unknown,
): ProviderFailure {
  const causes = causesOf(error);
  const notSent = findNotSent(error);
  const said = quoteValue(messageOf(causes.at(-1)).replaceAll(token, '[token]'), 120);
  const why = notSent?.message ?? causes.map(codeOf).find((code) => code !== undefined) ?? said;
  const isUnsent = notSent !== undefined || causes.some(failedBeforeSending);
  return new ProviderFailure(
    operation.writes && !isUnsent ? 'uncertain' : 'transient',
    say.connectionFailed(host, why, operation.task),
  );
}

function addressOf(base: string, { path, query = {} }: Asked): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one): [string, string] => [name, one]),
  );
  return `${base}${path}${pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`}`;
}

function placeIn(base: string, location: string | null): string | undefined {
  const url = location === null ? null : URL.parse(location, base);
  return url?.href.startsWith(`${base}/`) ? url.href : undefined;
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
  const { host } = deps;
  if (status === 429) {
    const retryAt = deps.clock.now() + pauseOf(refusal.headers, deps.clock.now());
    return new ProviderFailure('limited', say.askedToWait(host, status, task), { status, retryAt });
  }
  const answer = jsonIn(refusal.text);
  const said = (answer === undefined ? plainIn(refusal.text) : textIn(host.saidIn(answer))).replaceAll(
    deps.token,
    '[token]',
  );
  const sentence = say.refused(host, {
    ...{ status, task, said: said === '' ? '' : ` (${quoteValue(said, 200)})` },
    meaning: host.meaningOf(status, operation),
  });
  if (host.passing.has(status)) return new ProviderFailure('transient', sentence, { status });
  if (status < 500)
    return new ProviderFailure('permanent', sentence, { status, accessDenied: host.deniesAll(status, answer ?? {}) });
  const mayBeDone = operation.writes && status !== 503;
  return new ProviderFailure(mayBeDone ? 'uncertain' : 'transient', sentence, { status });
}

function jsonIn(text: string): Fields | undefined {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** A page of a proxy says nothing. */
function plainIn(text: string): string {
  return text.startsWith('<') ? '' : text;
}

/** A text, a list, or texts by field. */
function textIn(said: unknown): string {
  return typeof said === 'string' ? said : said === undefined ? '' : JSON.stringify(said);
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
