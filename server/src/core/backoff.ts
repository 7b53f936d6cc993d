import type { Timestamp } from './time.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

/** How something is tried again, in ms. */
export interface Backoff {
  /** From the first try to the second. */
  readonly first: number;
  readonly longest: number;
}

/** A back-off that ends: what has not come for `giveUp` ms will not. */
export interface EndingBackoff extends Backoff {
  readonly giveUp: number;
}

/** A delivery to the provider; its attempts never end (rule 27). */
export const DELIVERY_BACKOFF: Backoff = { first: 2 * SECOND, longest: 10 * MINUTE };
/** A build that could not be opened or closed. */
export const SETTLE_BACKOFF: Backoff = { first: 5 * SECOND, longest: 10 * MINUTE };
/** A worker whose whole run failed: mostly the store is away. */
export const WORKER_BACKOFF: Backoff = { first: SECOND, longest: 30 * SECOND };
/** How long a worker sleeps at most, in ms: then it looks by itself for what is due. */
export const LONGEST_IDLE = MINUTE;
/** A question to the provider that a client waits for: until its deadline. */
export const CLIENT_BACKOFF: Backoff = { first: 200, longest: MINUTE };
/** Looks whether a close that a client waits for is done. */
export const RESULT_BACKOFF: Backoff = { first: 5, longest: 200 };
/** Closes of one build by another choice of its base: should two choices disagree for good, they do so seldom. */
export const RECHECK_BACKOFF: Backoff = { first: 1, longest: MINUTE };

/** For a provider that is away: it comes back by itself. */
export const PROVIDER_BACKOFF: EndingBackoff = { first: 5 * SECOND, longest: 30 * MINUTE, giveUp: DAY };
/** For access that a person has to give back: seldom, since each try is a whole close. */
export const ACCESS_DENIED_BACKOFF: EndingBackoff = { first: 5 * SECOND, longest: DAY / 4, giveUp: 7 * DAY };
/** For what changed, if no verdict depends on it. */
export const CHANGES_BACKOFF: EndingBackoff = { first: MINUTE, longest: DAY, giveUp: 15 * MINUTE };

/** More doublings than any pause has; the powers beyond are no safe integers. */
const MAX_DOUBLINGS = 40;

/**
 * Milliseconds before the next attempt after `attempts` (1 or more) in a row that failed: doubled each time. `random`
 * in [0, 1) takes up to a half of it away, so that what failed together does not return together.
 */
export function pauseAfter(attempts: number, { first, longest }: Backoff, random = 0): number {
  const doublings = Math.min(Math.max(attempts - 1, 0), MAX_DOUBLINGS);
  return Math.round(Math.min(first * 2 ** doublings, longest) * (1 - random / 2));
}

/**
 * Milliseconds before the next attempt where only the time of the first is known: as long as it has been waited for
 * since `since`. Undefined: no more.
 */
export function nextDelay(
  since: Timestamp,
  now: Timestamp,
  { first, longest, giveUp }: EndingBackoff = PROVIDER_BACKOFF,
): number | undefined {
  const waited = now - since;
  return waited >= giveUp ? undefined : Math.min(Math.max(first, waited), longest);
}

/**
 * When to try again after the provider named a time: never before it, and up to a tenth of the wait later (1 to 10 s at
 * most), so that everything that waits does not arrive in the same moment.
 */
export function afterLimit(at: {
  readonly now: Timestamp;
  readonly retryAt: Timestamp;
  readonly random: number;
}): Timestamp {
  const from = Math.max(at.retryAt, at.now);
  const spread = Math.min(Math.max((from - at.now) / 10, SECOND), 10 * SECOND);
  return Math.round(from + at.random * spread);
}
