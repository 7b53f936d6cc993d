import { CLIENT_BACKOFF, pauseAfter } from '../../core/backoff.ts';
import { ProviderFailure } from '../../ports/provider.ts';
import type { Services } from '../../services/services.ts';

/** How long a provider may delay an answer: clients give up after 10 s, and an upload takes time too (wire.md). */
const TIME_LIMIT = 6_000;
/** What a request may take in all, what it has spent before included: below the 10 s after which clients give up. */
const WHOLE_ANSWER = 9_000;
const MIN_TIME_LIMIT = 1_000;
/**
 * Questions in progress at once, bounded since strangers can start them. Further ones wait as for a provider that is
 * unreachable.
 */
const MAX_AT_ONCE = 64;

/**
 * Asks, and asks again while the provider is away or wants us to wait, for as long as a waiting client can bear.
 * `timeLimit` is what is left for one try, in ms; `spent` what the request has taken so far. Throws the last
 * ProviderFailure when the time is up, a permanent one at once.
 */
export type RetryUntilDeadline = <T>(question: (timeLimit: number) => Promise<T>, spent?: number) => Promise<T>;

export function createRetryUntilDeadline({
  clock,
  timers,
}: Pick<Services, 'clock'> & { readonly timers: Pick<Services['timers'], 'sleep'> }): RetryUntilDeadline {
  let underWay = 0;

  async function ask<T>(question: () => Promise<T>): Promise<T> {
    if (underWay >= MAX_AT_ONCE)
      throw new ProviderFailure(
        'transient',
        'Too many tokens are being checked at this moment. Try again in a few seconds.',
      );
    underWay += 1;
    try {
      return await question();
    } finally {
      underWay -= 1;
    }
  }

  return async (question, spent = 0) => {
    const until = clock.now() + Math.max(MIN_TIME_LIMIT, Math.min(TIME_LIMIT, WHOLE_ANSWER - spent));
    for (let attempts = 1; ; attempts += 1) {
      try {
        return await ask(() => question(until - clock.now()));
      } catch (error) {
        if (!(error instanceof ProviderFailure) || error.kind === 'permanent') throw error;
        const wait = Math.max(pauseAfter(attempts, CLIENT_BACKOFF), (error.retryAt ?? 0) - clock.now());
        if (clock.now() + wait >= until) throw error;
        await timers.sleep(wait);
      }
    }
  };
}
