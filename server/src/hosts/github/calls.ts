import type { Timestamp } from '../../core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Fetch } from '../../platform/outgoing.ts';
import type { Timers } from '../../platform/timers.ts';
import { CALL_TIME_LIMIT, ProviderFailure } from '../../ports/provider.ts';
import { fieldsOf } from '../answers.ts';
import { createWritePacer } from '../write-pacer.ts';
import { toProviderFailure } from './call-failure.ts';
import type { InstallationTokens } from './installation-tokens.ts';
import * as say from './messages.ts';
import { type GithubApp, type GithubClient, openClient, openPacedClient } from './octokit-client.ts';
import { OPERATIONS, type Operation } from './operations.ts';
import type { RememberAnswers } from './remembered-answers.ts';
import { BY_APP, BY_INSTALLATION, BY_TOKEN, type SignIn } from './sign-in.ts';

/**
 * One call within the port's meaning: one or more requests to GitHub. Every request of ours is part of one. The rules,
 * from the outside in:
 *
 * 1. A call ends within its time limit, repeats and waiting included, and throws a ProviderFailure only (rule 27).
 *    What it says holds no token: the credential's are taken out of every text of GitHub's.
 * 2. While GitHub wants us to wait, no call with the same credential is begun: it may ban callers who go on. Nothing
 *    sleeps through a rate limit, since that would outlast the delivery's lease: the outbox tries again when the
 *    failure says.
 * 3. A call about a repo as an App is made as the installation that the repo belongs to; if it is refused, that is
 *    looked up again (`installations.ts`).
 * 4. Each request is signed by the credential: a token; the App's JWT; an installation's token, which is made when it
 *    is needed. If GitHub refuses an installation's token, it is replaced, and the call is made again once, writes
 *    too: what answers 401 has done nothing.
 * 5. Writes wait for their turn (`write-pacer.ts`), at most half of the call's time, and are never repeated; reads
 *    are, twice (`octokit-client.ts`). A call for a token that came with a request has neither pace nor repeats.
 * 6. What is asked again and again is remembered, and only confirmed (`remembered-answers.ts`).
 */
export interface GithubCall {
  readonly client: GithubClient;
  /** The options of each request; the operation is what a failure from here on is about. */
  ask(operation: Operation): RequestOptions;
}

/** What every request of a call is given. */
export interface RequestOptions {
  readonly signal: AbortSignal;
  readonly fetch: Fetch;
}

/** `within`: milliseconds for this call, where it has less than the usual time. */
export type GithubCalls = <T>(run: (call: GithubCall) => Promise<T>, within?: number) => Promise<T>;

/** The calls that are made about a repo. */
export type CallsOf = (repo: string) => GithubCalls;

/** Which GitHub is spoken to, and how fast. */
export interface GithubConnection {
  /** GITHUB_API_URL, such as `https://api.github.com` or `https://github.example/api/v3`. */
  readonly apiUrl: string;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
  /** Writes (statuses, comments, check runs) a second in the long run. Default 1, as GitHub asks for. */
  readonly writesPerSecond?: number;
  /** Writes that may go out at once after a rest. Default 20: with the above at most 80 a minute, GitHub's limit. */
  readonly writeBurst?: number;
  /** Milliseconds that a whole call may take. Default and at most CALL_TIME_LIMIT. */
  readonly callTimeLimit?: number;
  /** Milliseconds before a failed read is repeated within a call. Default 1,000. */
  readonly retryPause?: number;
}

/** What signs the requests of calls that are made for as long as the server runs. */
export type Credential =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'app'; readonly app: GithubApp }
  | { readonly kind: 'installation'; readonly id: number; readonly tokens: InstallationTokens };

/** Calls with a pace of their own. `remember`: by default, nothing is remembered. */
export function openCalls(
  connection: GithubConnection,
  credential: Credential,
  remember?: RememberAnswers,
): GithubCalls {
  const { apiUrl, logger, clock, timers, retryPause = 1_000 } = connection;
  const { writesPerSecond = 1, writeBurst = 20 } = connection;
  const timeLimit = timeLimitOf(connection);
  const pace = createWritePacer({
    clock,
    perSecond: writesPerSecond,
    burst: writeBurst,
    // So that the request itself has half of the time left.
    longestWait: timeLimit / 2,
    sleep: timers.sleep,
    tooMany: say.TOO_MANY_WRITES,
  });
  const client = openPacedClient({ apiUrl, logger, pace, retryPause, ...signatureOf(credential) });
  return boundCalls(connection, { client, timeLimit, remember, ...wordsOf(credential) });
}

/** Milliseconds that a whole call may take. */
export function timeLimitOf({ callTimeLimit = CALL_TIME_LIMIT }: Pick<GithubConnection, 'callTimeLimit'>): number {
  return Math.min(callTimeLimit, CALL_TIME_LIMIT);
}

function signatureOf(credential: Credential): Pick<Parameters<typeof openPacedClient>[0], 'name' | 'auth'> {
  switch (credential.kind) {
    case 'token':
      return { name: credential.token, auth: credential.token };
    case 'app':
      return { name: `app ${credential.app.id}`, auth: credential.app };
    case 'installation':
      return { name: `installation ${credential.id}`, auth: undefined };
  }
}

function wordsOf(credential: Credential): Pick<Caller, 'signIn' | 'redact' | 'tokens'> {
  switch (credential.kind) {
    case 'token':
      return { signIn: BY_TOKEN, redact: redactToken(credential.token) };
    case 'app':
      return { signIn: BY_APP, redact: redactJwt };
    case 'installation':
      return { signIn: BY_INSTALLATION, redact: credential.tokens.redact, tokens: credential.tokens };
  }
}

/** Calls for a token that came with one request, or for a question that needs none. */
export function openPassingCalls(
  connection: GithubConnection,
  { token, timeLimit, redact = redactToken(token ?? '') }: PassingSignature,
): GithubCalls {
  const client = openClient({ ...connection, auth: token });
  return boundCalls(connection, { client, timeLimit, redact, signIn: BY_TOKEN });
}

interface PassingSignature {
  readonly token: string | undefined;
  /** Milliseconds for a whole call. */
  readonly timeLimit: number;
  /** Takes what no failure may repeat out of a text; the token, unless stated. */
  readonly redact?: (text: string) => string;
}

/** Takes one token out of texts. */
function redactToken(token: string): (text: string) => string {
  return (text) => (token === '' ? text : text.replaceAll(token, '[token]'));
}

/** A word that may hold a JWT: its first two parts are JSON objects in base64url. */
export function redactJwt(text: string): string {
  return text.replace(/[\w-]+(?:\.[\w-]+)*/g, (word) => {
    const start = word.indexOf('eyJ');
    return start >= 0 && word.includes('.eyJ', start) ? '[token]' : word;
  });
}

interface Caller extends Pick<PassingSignature, 'timeLimit'> {
  readonly client: GithubClient;
  readonly signIn: SignIn;
  readonly redact: (text: string) => string;
  /** By which each request is signed; undefined: by the client. */
  readonly tokens?: InstallationTokens;
  readonly remember?: RememberAnswers | undefined;
}

function boundCalls({ fetch, clock, timers }: GithubConnection, caller: Caller): GithubCalls {
  const { signIn, timeLimit, tokens } = caller;
  // Whatever repeats a request's header may spell the token as no request of ours does.
  const redact = (text: string): string => caller.redact(text).replaceAll(/\bBasic [\w+/=-]{20,}/gi, '[token]');
  let pausedUntil: Timestamp = 0;
  return async (run, within = timeLimit) => {
    if (clock.now() < pausedUntil) throw new ProviderFailure('limited', say.ASKED_TO_WAIT, { retryAt: pausedUntil });
    const tracked = trackRequests(caller, fetch);
    const limit = startLimit(timers, within, tracked.abort);
    try {
      const work = tokens === undefined ? run(tracked.call) : runSigned(run, tracked.call, tokens);
      return await Promise.race([work, limit.passed]);
    } catch (error) {
      const failure = toProviderFailure(error, {
        ...tracked.progress(),
        timedOutAfter: limit.isOver() ? within : undefined,
        now: clock.now(),
        signIn,
        redact,
      });
      // Only what GitHub said holds for all calls; our own pacing (without a status) is about one.
      if (failure.kind === 'limited' && failure.status !== undefined)
        pausedUntil = Math.max(pausedUntil, failure.retryAt ?? 0);
      throw failure;
    } finally {
      limit.end();
    }
  };
}

/** Follows a call's requests: which operation is in progress, and whether anything of it was sent. */
function trackRequests({ client, remember }: Caller, fetch: Fetch) {
  const controller = new AbortController();
  const { signal } = controller;
  let operation: Operation | undefined;
  let sent = false;
  const sending: Fetch = (input, init) => {
    // A request that waited for its turn until the call was over must not go out any more.
    signal.throwIfAborted();
    sent = true;
    return fetch(input, init);
  };
  const call: GithubCall = {
    client,
    ask(next) {
      operation = next;
      sent = false;
      return { signal, fetch: next.remembered && remember !== undefined ? remember(sending) : sending };
    },
  };
  return { call, abort: () => controller.abort(), progress: () => ({ operation: operation ?? NOTHING_ASKED, sent }) };
}

const NOTHING_ASKED: Operation = {
  writes: false,
  task: 'begin',
  permission: 'any',
  notFound: () => say.NOTHING_ASKED,
};

/** A promise that rejects after `ms`, having aborted what is in progress. */
function startLimit(timers: Timers, ms: number, abort: () => void) {
  let over = false;
  const passed = Promise.withResolvers<never>();
  const timer = timers.start(ms, () => {
    over = true;
    abort();
    passed.reject(new Error('time limit'));
  });
  return { passed: passed.promise, isOver: () => over, end: timer.cancel };
}

async function runSigned<T>(
  run: (call: GithubCall) => Promise<T>,
  call: GithubCall,
  tokens: InstallationTokens,
): Promise<T> {
  const token = await askedFor(call, tokens.current());
  try {
    return await run(signedBy(token, call));
  } catch (error) {
    if (fieldsOf(fieldsOf(error).response).status !== 401) throw error;
    return await run(signedBy(await askedFor(call, tokens.renew(token)), call));
  }
}

/** What ends the call while it waits for a token is about the token. */
function askedFor(call: GithubCall, token: Promise<string>): Promise<string> {
  call.ask(OPERATIONS.makeToken);
  return token;
}

function signedBy(token: string, { client, ask }: GithubCall): GithubCall {
  return {
    client,
    ask(operation) {
      const { signal, fetch: send } = ask(operation);
      return {
        signal,
        fetch: (input, init) => {
          const headers = new Headers(init?.headers);
          headers.set('authorization', `token ${token}`);
          return send(input, { ...init, headers });
        },
      };
    },
  };
}
