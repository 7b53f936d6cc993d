import type { Timestamp } from './job.ts';

/** From the first try to the second, in ms. */
const FIRST_PAUSE = 5_000;
const LONGEST_PAUSE = 30 * 60_000;
/** A provider that has not answered for so long will not. */
const GIVE_UP = 24 * 60 * 60_000;

/** How long to wait before a provider is asked again, in ms: as long as it has been waited for since `since`. Undefined: no more. */
export function growingPause(since: Timestamp, now: Timestamp): number | undefined {
  const waited = now - since;
  return waited >= GIVE_UP ? undefined : Math.min(Math.max(FIRST_PAUSE, waited), LONGEST_PAUSE);
}
