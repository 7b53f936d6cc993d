import type { Clock } from '../platform/clock.ts';
import { ProviderFailure } from '../ports/provider.ts';

export interface PacerSettings {
  readonly clock: Clock;
  /** How many writes a second, in the long run. */
  readonly perSecond: number;
  /** How many writes may go out at once after a rest: the statuses of one build. */
  readonly burst: number;
  /** Milliseconds that a write may wait here; one that would wait longer fails as `limited`. */
  readonly longestWait: number;
  readonly sleep: (ms: number) => Promise<void>;
  /** Why it fails then, a sentence. */
  readonly tooMany: string;
}

/** Lets a write pass when its turn has come. Throws a ProviderFailure `limited` at once when that is too far away. */
export type WritePacer = () => Promise<void>;

/**
 * Spaces the writes of one token. GitHub takes at most 80 writes that make content a minute and wishes for a second
 * between many; a build's few statuses need not wait for each other. Waiting holds a delivery's lease, so it is bounded
 * (rule 27).
 */
export function createWritePacer({ clock, perSecond, burst, longestWait, sleep, tooMany }: PacerSettings): WritePacer {
  let left = burst;
  let counted = clock.now();
  return async () => {
    const now = clock.now();
    left = Math.min(burst, left + (Math.max(0, now - counted) / 1_000) * perSecond);
    counted = now;
    const wait = Math.max(0, Math.ceil(((1 - left) / perSecond) * 1_000));
    if (wait > longestWait) {
      throw new ProviderFailure('limited', tooMany, { retryAt: now + wait });
    }
    left -= 1;
    if (wait > 0) await sleep(wait);
  };
}
