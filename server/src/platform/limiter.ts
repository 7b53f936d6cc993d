import { RecentMap } from '../core/recent-map.ts';
import type { Clock } from './clock.ts';
import type { Timers } from './timers.ts';

// Who may do how much in which time, by this process's own counts. All rules: docs/architecture/processing.md.

const MINUTE = 60_000;
/** How long one over the limit may wait for its time, in ms: clients wait for ten seconds, and it takes time itself. */
const MAX_WAIT = 2_000;
/** Callers that are remembered; of more the one that came longest ago is forgotten. */
const MAX_KEYS = 10_000;

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
  take(key: string, max?: number): Promise<OverRate | undefined>;
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
  const forgotten = new RecentMap<number>({ max: MAX_KEYS });
  return {
    async take(key, max = MAX_WAIT) {
      if (perMinute === 0) return undefined;
      const now = timers.elapsed();
      const counted = Math.max(forgotten.get(key) ?? now, now);
      const wait = counted + interval - MINUTE - now;
      if (wait > Math.min(max, MAX_WAIT))
        return { count: Math.round((counted - now) / interval), retryAfter: Math.ceil(wait / 1_000) };
      forgotten.set(key, counted + interval);
      if (wait > 0) await timers.sleep(wait);
      return undefined;
    },
    giveBack(key) {
      const at = forgotten.get(key);
      if (at !== undefined) forgotten.set(key, at - interval);
    },
  };
}

/** What something takes of one rate. */
export type RateShare = readonly [rate: MinuteRate, key: string];

/** Takes all of the shares or none, without waiting. */
export async function takeAll(shares: readonly RateShare[]): Promise<OverRate | undefined> {
  for (const [index, [rate, key]] of shares.entries()) {
    const over = await rate.take(key, 0);
    if (over === undefined) continue;
    for (const [before, itsKey] of shares.slice(0, index)) before.giveBack(itsKey);
    return over;
  }
  return undefined;
}

interface Count {
  /** When the first of them was counted. */
  readonly since: number;
  readonly amount: number;
}

/** Amounts by caller, from the first one until `isOver`; then all of the caller's are forgotten at once. */
export interface Counts {
  read(key: string): Count;
  /** Less than nothing is nothing. */
  add(key: string, amount: number): void;
  forget(key: string): void;
}

export function createCounts(by: {
  readonly now: () => number;
  readonly isOver: (since: number, now: number) => boolean;
}): Counts {
  const counts = new RecentMap<Count>({ max: MAX_KEYS });
  const read = (key: string): Count => {
    const count = counts.get(key);
    const now = by.now();
    return count === undefined || by.isOver(count.since, now) ? { since: now, amount: 0 } : count;
  };
  return {
    read,
    add(key, amount) {
      const count = read(key);
      counts.set(key, { since: count.since, amount: Math.max(0, count.amount + amount) });
    },
    forget: (key) => counts.delete(key),
  };
}

/** Whether one more may be written for this key: what strangers cause must stay cheap, whatever they send. */
export type WriteLimit = (key: string | number) => boolean;

/** Limits the writes for one key, and for all together, in each window of time (ms). */
export function createWriteLimit(
  clock: Clock,
  max: { readonly window: number; readonly ofKey: number; readonly ofAll: number },
): WriteLimit {
  let began = 0;
  let all = 0;
  let ofKeys = new Map<string | number, number>();
  return (key) => {
    if (clock.now() - began >= max.window) {
      began = clock.now();
      all = 0;
      ofKeys = new Map();
    }
    const written = ofKeys.get(key) ?? 0;
    if (all >= max.ofAll || written >= max.ofKey) return false;
    all += 1;
    ofKeys.set(key, written + 1);
    return true;
  };
}
