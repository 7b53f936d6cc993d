import type { Timestamp } from '../domain/time.ts';

const FIRST_PAUSE = 2_000;
const LONGEST_PAUSE = 600_000;
/** After these doublings the pause is at its longest anyway. */
const MAX_DOUBLINGS = 20;

/**
 * Milliseconds before the next attempt, after `attempts` (1 or more) in a row that failed: 2 s, doubled each time, at
 * most 10 min, of which up to a half is taken away at random, so that records that failed together do not return
 * together. Attempts never end (rule 27). `random` is in [0, 1).
 */
export function backOff(attempts: number, random: number): number {
  const doublings = Math.min(Math.max(attempts - 1, 0), MAX_DOUBLINGS);
  return Math.round(Math.min(FIRST_PAUSE * 2 ** doublings, LONGEST_PAUSE) * (1 - random / 2));
}

/**
 * When to try again after the provider named a time: never before it, and up to a tenth of the wait later (1 to 10 s at
 * most), so that everything that waits does not arrive in the same moment.
 */
export function afterLimit({
  now,
  retryAt,
  random,
}: {
  now: Timestamp;
  retryAt: Timestamp;
  random: number;
}): Timestamp {
  const from = Math.max(retryAt, now);
  const spread = Math.min(Math.max((from - now) / 10, 1_000), 10_000);
  return Math.round(from + random * spread);
}
