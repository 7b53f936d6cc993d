import type { Timers } from '../../platform/timers.ts';

const MINUTE = 60_000;
/** How long one over the limit may wait for its time, in ms: clients wait for ten seconds, and it takes time itself. */
const MOST_WAIT = 2_000;
/** Callers that are remembered; of more the one that came longest ago is forgotten. */
const MOST_KEYS = 10_000;

/** What was counted of a caller that sends too much. */
export interface OverRate {
  /** Jobs within a minute, those that wait for their time too. */
  readonly count: number;
  /** Seconds until one more is taken. */
  readonly retryAfter: number;
}

/** Jobs a minute by caller, in this process. */
export interface MinuteRate {
  /** Counts a job, and waits for its time for up to `most` ms. Not counted where it would have to wait longer. */
  take(key: string, most?: number): Promise<OverRate | undefined>;
  /** A job that was counted was none. */
  giveBack(key: string): void;
}

/** `perMinute`: 0 is no limit. */
export function createMinuteRate({
  perMinute,
  timers,
}: {
  readonly perMinute: number;
  readonly timers: Pick<Timers, 'elapsed' | 'sleep'>;
}): MinuteRate {
  const interval = MINUTE / perMinute;
  /** When all jobs of a caller will be forgotten, one each interval. */
  const forgotten = new Map<string, number>();
  const setForgotten = (key: string, at: number): void => {
    forgotten.delete(key);
    forgotten.set(key, at);
    const [oldest] = forgotten.keys();
    if (forgotten.size > MOST_KEYS && oldest !== undefined) forgotten.delete(oldest);
  };
  return {
    async take(key, most = MOST_WAIT) {
      if (perMinute === 0) return undefined;
      const now = timers.elapsed();
      const counted = Math.max(forgotten.get(key) ?? now, now);
      const wait = counted + interval - MINUTE - now;
      if (wait > Math.min(most, MOST_WAIT))
        return { count: Math.round((counted - now) / interval), retryAfter: Math.ceil(wait / 1_000) };
      setForgotten(key, counted + interval);
      if (wait > 0) await timers.sleep(wait);
      return undefined;
    },
    giveBack(key) {
      const at = forgotten.get(key);
      if (at !== undefined) forgotten.set(key, at - interval);
    },
  };
}
