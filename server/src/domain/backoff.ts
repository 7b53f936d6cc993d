import type { Timestamp } from './time.ts';

/** How long somebody waits for an answer that may come, in ms. */
export interface Waiting {
  readonly longestPause: number;
  /** What has not come for so long will not. */
  readonly giveUp: number;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** From the first try to the second. */
const FIRST_PAUSE = 5_000;

/** For a provider that is away: it comes back by itself. */
export const PROVIDER_BACKOFF: Waiting = { longestPause: 30 * MINUTE, giveUp: DAY };
/** For somebody to let us in again: seldom, since each try is a whole close. */
export const ACCESS_DENIED_BACKOFF: Waiting = { longestPause: DAY / 4, giveUp: 7 * DAY };

/**
 * How long to wait before it is asked again, in ms: as long as it has been waited for since `since`. Undefined: no
 * more.
 */
export function nextDelay(
  since: Timestamp,
  now: Timestamp,
  { longestPause, giveUp } = PROVIDER_BACKOFF,
): number | undefined {
  const waited = now - since;
  return waited >= giveUp ? undefined : Math.min(Math.max(FIRST_PAUSE, waited), longestPause);
}
