import { dayOf, secondsLeftOf } from '../../core/builds/job-limits.ts';
import { Failure } from '../../core/failure.ts';
import * as say from '../../messages/uploads.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Timers } from '../../platform/timers.ts';
import { createMinuteRate } from './minute-rate.ts';

/** Addresses that are remembered in a day; of more the one that came longest ago is forgotten. */
const MOST_ADDRESSES = 10_000;

/** What one address may send while nobody knows its tokens; 0: any number. */
export interface AddressLimits {
  readonly jobsPerMinute: number;
  readonly bytesPerDay: number;
}

/**
 * Counts an upload of an unknown caller, and waits for its time. Throws a Failure `over-limit`. What it answers takes
 * the upload off again: its caller is known by now.
 */
export type LimitAddress = (upload: { readonly address: string; readonly bytes: number }) => Promise<() => void>;

/** By this process's own counts. */
export function createLimitAddress(deps: {
  readonly limits: AddressLimits;
  readonly clock: Clock;
  readonly timers: Pick<Timers, 'elapsed' | 'sleep'>;
}): LimitAddress {
  const { limits, clock, timers } = deps;
  const rate = createMinuteRate({ perMinute: limits.jobsPerMinute, timers });
  const sent = createDayCount();
  return async ({ address, bytes }) => {
    const now = clock.now();
    const today = sent.read(address, dayOf(now));
    if (limits.bytesPerDay > 0 && today + bytes > limits.bytesPerDay)
      throw overBytes({ today, bytes, limit: limits.bytesPerDay, retryAfter: secondsLeftOf(now) });
    const over = await rate.take(address);
    if (over !== undefined) throw overJobs(over, limits.jobsPerMinute);
    sent.add(address, bytes);
    return () => {
      rate.giveBack(address);
      sent.add(address, -bytes);
    };
  };
}

/** Bytes of one day by address. */
function createDayCount() {
  let day = 0;
  const counts = new Map<string, number>();
  return {
    read(address: string, today: number): number {
      if (today !== day) counts.clear();
      day = today;
      return counts.get(address) ?? 0;
    },
    add(address: string, bytes: number): void {
      const count = Math.max(0, (counts.get(address) ?? 0) + bytes);
      counts.delete(address);
      counts.set(address, count);
      const [oldest] = counts.keys();
      if (counts.size > MOST_ADDRESSES && oldest !== undefined) counts.delete(oldest);
    },
  };
}

function overJobs({ count, retryAfter }: { count: number; retryAfter: number }, limit: number): Failure {
  return new Failure('over-limit', say.addressOverJobs({ jobs: count, limit, retryAfter }), { retryAfter });
}

function overBytes(seen: { today: number; bytes: number; limit: number; retryAfter: number }): Failure {
  return new Failure('over-limit', say.addressOverBytes(seen), { retryAfter: seen.retryAfter });
}
