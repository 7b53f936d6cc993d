import { ActionFailure } from '../runner/failure.ts';
import type { Log } from '../runner/log.ts';
import { byteText, counted } from '../runner/words.ts';
import { describeNetworkTrouble, isHopeless } from './network-trouble.ts';
import { type Every, paceOf } from './progress.ts';

/** Clock, randomness and network, so that tests can replace them. */
export interface Runtime {
  /** The name and version of this program, for servers. */
  readonly userAgent: string;
  readonly fetch: typeof fetch;
  /** Milliseconds since 1970. */
  now(): number;
  /** From 0 up to, not including, 1. */
  random(): number;
  /** Resolves after this many milliseconds. */
  sleep(milliseconds: number): Promise<void>;
  /** Repeats until the function that it returns stops it; absent: long waits are not reported. */
  readonly every?: Every;
}

/** How long to continue. */
interface RetryLimits {
  /** All tries and waits together, in milliseconds. */
  readonly totalMs: number;
  /** One try, until the whole answer is there, in milliseconds. */
  readonly tryMs: number;
}

/** One request, the same bytes at every try. */
export interface Request {
  readonly url: URL;
  /** For messages: without a secret in the query. */
  readonly shownUrl: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array<ArrayBuffer> | string;
}

/** An answer that was read to its end. */
export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
  /** Where a redirect leads; empty without one. */
  readonly location: string;
  /** What the server warns of beside its answer (docs/wire.md "Upload answers"), as it came. */
  readonly warnings?: string | undefined;
}

/** Sends a request, with retries if they can help; see `createRetryingFetches`. */
export type RetryingFetch = (request: Request) => Promise<Answer>;

type Outcome =
  | { readonly answer: Answer; readonly wait: number | undefined }
  | { readonly answer: undefined; readonly trouble: unknown };

/**
 * Fetches of one server that try again after network trouble, 408, 429 and 5xx, until the time is up. Then the last
 * answer is returned, or `server-unreachable` thrown if this request had none. Redirects are never followed: an
 * upload would lose its body.
 */
export function createRetryingFetches(runtime: Runtime, log: Log): (limits: RetryLimits) => RetryingFetch {
  const { now, random, sleep } = runtime;
  /** To whichever request: a server that answers can be reached. */
  let latest: { readonly url: string; readonly answer: Answer } | undefined;
  return (limits) => async (request) => {
    const end = now() + limits.totalMs;
    let lastAnswer: Answer | undefined;
    const isDue = paceOf(now);
    const tryAgain = (tries: number): Promise<Outcome> => {
      const stop = runtime.every?.(TICK_MS, () => {
        if (isDue()) log.info(tellSending(request, { tries, seconds: isDue.seconds() }));
      });
      return tryOnce(runtime, request, Math.max(1, Math.min(limits.tryMs, end - now()))).finally(stop);
    };
    for (let tries = 1; ; tries += 1) {
      const outcome = await tryAgain(tries);
      if (outcome.answer !== undefined) latest = { url: request.shownUrl, answer: outcome.answer };
      if (outcome.answer !== undefined && !isTransientStatus(outcome.answer.status)) return outcome.answer;
      lastAnswer = outcome.answer ?? lastAnswer;
      const asked = outcome.answer === undefined ? undefined : outcome.wait;
      const wait = asked === undefined ? backOff(tries, random()) : asked;
      const giveUp = now() + wait >= end || (outcome.answer === undefined && isHopeless(outcome.trouble, tries));
      if (giveUp && lastAnswer === undefined)
        throw unanswered(request, { tries, trouble: (outcome as { trouble: unknown }).trouble, latest });
      const next = giveUp ? `try ${tries} was the last` : `next try in ${(wait / 1000).toFixed(1)} s`;
      log.info(`${describe(outcome)} from ${request.shownUrl}; ${next}`);
      if (giveUp) return lastAnswer as Answer;
      await sleep(wait);
    }
  };
}

const TICK_MS = 1_000;

function tellSending({ shownUrl, body }: Request, at: { readonly tries: number; readonly seconds: number }): string {
  const so = `try ${at.tries}, ${at.seconds} s so far`;
  if (body === undefined) return `Still waiting for an answer from ${shownUrl}: ${so}`;
  return `Still sending ${byteText(Buffer.byteLength(body))} to ${shownUrl}: ${so}`;
}

async function tryOnce({ fetch, now, userAgent }: Runtime, request: Request, limitMs: number): Promise<Outcome> {
  try {
    const response = await fetch(request.url, {
      method: request.method,
      headers: { 'user-agent': userAgent, ...request.headers },
      redirect: 'manual',
      signal: AbortSignal.timeout(limitMs),
      ...(request.body === undefined ? {} : { body: request.body }),
    });
    const { status, headers } = response;
    const text = await response.text();
    const answer = {
      status,
      text,
      contentType: headers.get('content-type') ?? '',
      location: headers.get('location') ?? '',
      warnings: headers.get('x-coverage-warnings') ?? undefined,
    };
    return { answer, wait: retryAfter(headers.get('retry-after'), now()) };
  } catch (trouble) {
    return { answer: undefined, trouble };
  }
}

function describe(outcome: Outcome): string {
  return outcome.answer === undefined ? describeNetworkTrouble(outcome.trouble) : `Status ${outcome.answer.status}`;
}

/** `latest`: what came back from another request of this step, so that the server can be reached. */
function unanswered(
  { shownUrl }: Request,
  at: { tries: number; trouble: unknown; latest: { readonly url: string; readonly answer: Answer } | undefined },
): ActionFailure {
  const { tries, trouble: cause, latest } = at;
  const trouble = `${describeNetworkTrouble(cause)} (${counted(tries, 'try', 'tries')})`;
  const said = statedMessage(latest?.answer.text ?? '');
  const message =
    latest === undefined
      ? `The coverage server cannot be reached at ${shownUrl}: ${trouble}. Check the URL in "coveralls-endpoint" ` +
        'or "server-url", that the server is up, and that this runner may connect to it.'
      : `The coverage server did not answer the request to ${shownUrl}: ${trouble}. It last answered ` +
        `${latest.answer.status} from ${latest.url}${said ? `: ${said}` : ''}. Look at the server's log, then run ` +
        'this job again.';
  return new ActionFailure('server-unreachable', message, { cause, ofServer: true });
}

/** Statuses after which the same request may well succeed. */
export function isTransientStatus(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 30_000;

/**
 * How long to wait before the next try, in milliseconds: doubling from one second to half a minute, of which a random
 * half to whole is taken, so that the legs of a matrix do not come back all at once. `tries` counts those made so far,
 * from 1; `random` is 0 to 1.
 */
export function backOff(tries: number, random: number): number {
  const full = Math.min(FIRST_WAIT_MS * 2 ** (tries - 1), LONGEST_WAIT_MS);
  return Math.round(full * (0.5 + random / 2));
}

/**
 * A `Retry-After` header in milliseconds from `now`: seconds, or an HTTP date (RFC 9110, 10.2.3). Undefined if it is
 * missing or neither.
 */
export function retryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const text = header.trim();
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const date = /^[A-Za-z]{3},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

const MAX_SHOWN = 500;

/** The sentence of a failure answer (wire.md, "Failures"), cut; undefined if there is none. */
export function statedMessage(text: string): string | undefined {
  const message = (parsedObject(text) as { message?: unknown } | undefined)?.message;
  if (typeof message !== 'string' || message.trim() === '') return undefined;
  const cut = message.length > MAX_SHOWN ? `${message.slice(0, MAX_SHOWN)}…` : message;
  return cut.trim().replace(/\.$/, '');
}

/** The JSON object that a text holds; undefined if it holds none. */
export function parsedObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
