import type { Timestamp } from '../../core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Fetch } from '../../platform/outgoing.ts';
import type { Timers } from '../../platform/timers.ts';
import { ProviderFailure } from '../../ports/provider.ts';
import { toProviderFailure } from './call-failure.ts';
import * as say from './messages.ts';
import type { GithubClient } from './octokit-client.ts';
import type { Operation } from './operations.ts';
import type { RememberAnswers } from './remembered-answers.ts';
import type { SignIn } from './sign-in.ts';

/** What every request of a call is given. */
export interface RequestOptions {
  readonly signal: AbortSignal;
  readonly fetch: Fetch;
}

/** One call within the port's meaning: one or more requests under one time limit; throws a ProviderFailure only. */
export interface GithubCall {
  readonly client: GithubClient;
  /** The options of each request; the operation is what a failure from here on is about. */
  ask(operation: Operation): RequestOptions;
}

/** `within`: milliseconds for this call, where it has less than the usual time. */
export type GithubCalls = <T>(run: (call: GithubCall) => Promise<T>, within?: number) => Promise<T>;

export interface CallSettings {
  readonly client: GithubClient;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly signIn: SignIn;
  /** Takes what requests are signed with out of a text. */
  readonly redact: (text: string) => string;
  /** Milliseconds for a whole call, waiting and repeats included. */
  readonly timeLimit: number;
  /** Default: nothing is remembered. */
  readonly remember?: RememberAnswers;
}

/** Takes one token out of texts. */
export function redactToken(token: string): (text: string) => string {
  return (text) => (token === '' ? text : text.replaceAll(token, '[token]'));
}

/**
 * Bounds calls in time (rule 27) and delays all of them while GitHub wants us to wait: it may ban callers who go on.
 */
export function createBoundedCalls(settings: CallSettings): GithubCalls {
  const { clock, timers, signIn, timeLimit } = settings;
  // Whatever repeats a request's header may spell the token as no request of ours does.
  const redact = (text: string): string => settings.redact(text).replaceAll(/\bBasic [\w+/=-]{20,}/gi, '[token]');
  let pausedUntil: Timestamp = 0;
  return async (run, within = timeLimit) => {
    if (clock.now() < pausedUntil) {
      throw new ProviderFailure('limited', say.ASKED_TO_WAIT, {
        retryAt: pausedUntil,
      });
    }
    const tracked = trackRequests(settings);
    const limit = startLimit(timers, within, tracked.abort);
    try {
      return await Promise.race([run(tracked.call), limit.passed]);
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

/** Follows a call's requests: which operation is under way, and whether anything of it was sent. */
function trackRequests({ client, fetch, remember }: Pick<CallSettings, 'client' | 'fetch' | 'remember'>) {
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

/** A promise that rejects after `ms`, having aborted what is under way. */
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
