import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../../core/failure.ts';

/** Says that a compare-and-set met another change: read and decide again. */
export const CONFLICT = Symbol('conflict');

/** Enough for a burst of hundreds of jobs of one build that come to several instances at once. */
const MAX_ATTEMPTS = 200;
const LONGEST_PAUSE = 50;

/**
 * Repeats an attempt until no other write came in between. The pauses grow and differ, so that instances that met once
 * part. Throws a Failure of code `unavailable` when it never succeeds.
 */
export async function retryOnConflict<T>(attempt: () => Promise<T | typeof CONFLICT>): Promise<T> {
  for (let tries = 0; tries < MAX_ATTEMPTS; tries += 1) {
    const outcome = await attempt();
    if (outcome !== CONFLICT) return outcome;
    await sleep(Math.random() * Math.min(2 ** tries, LONGEST_PAUSE));
  }
  throw new Failure(
    'unavailable',
    'Too many changes came to the same build at once. Nothing was stored; try again in a moment.',
  );
}
