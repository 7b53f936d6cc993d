import { dayOf, secondsLeftOf } from '../../core/builds/job-limits.ts';
import { Failure } from '../../core/failure.ts';
import { type Counts, counted } from '../../core/sentences.ts';
import { createCounts, createMinuteRate } from '../../platform/limiter.ts';
import type { Services } from '../../services/services.ts';

const SEND_OWN_TOKEN =
  'Nothing was stored. To count for the repo instead, send its token at the beginning of the job or in the ' +
  'Authorization header.';

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
export function createLimitAddress({
  config,
  clock,
  timers,
}: Pick<Services, 'config' | 'clock' | 'timers'>): LimitAddress {
  const limits: AddressLimits = config.addressLimits;
  const rate = createMinuteRate({ perMinute: limits.jobsPerMinute, timers });
  const sent = createCounts({ now: clock.now, isOver: (since, now) => dayOf(since) !== dayOf(now) });
  return async ({ address, bytes }) => {
    const { amount: today } = sent.read(address);
    if (limits.bytesPerDay > 0 && today + bytes > limits.bytesPerDay)
      throw overBytes({ today, bytes, limit: limits.bytesPerDay, retryAfter: secondsLeftOf(clock.now()) });
    const over = await rate.take(address);
    if (over !== undefined) throw overJobs(over, limits.jobsPerMinute);
    sent.add(address, bytes);
    return () => {
      rate.giveBack(address);
      sent.add(address, -bytes);
    };
  };
}

function overJobs({ count, retryAfter }: { count: number; retryAfter: number }, limit: number): Failure {
  return new Failure(
    'over-limit',
    `This IP address sent ${counted(count, 'job')} within a minute with tokens that are not known here; the limit is ` +
      `${limit} (MAX_ADDRESS_JOBS_PER_MINUTE). ${SEND_OWN_TOKEN} Send it again in ${retryAfter} s.`,
    { retryAfter },
  );
}

function overBytes(seen: { today: number; bytes: number; limit: number; retryAfter: number }): Failure {
  return new Failure('over-limit', addressOverBytes(seen), { retryAfter: seen.retryAfter });
}

function addressOverBytes({
  today,
  bytes,
  limit,
  retryAfter,
}: Counts<'today' | 'bytes' | 'limit' | 'retryAfter'>): string {
  return (
    `This IP address sent ${counted(today, 'byte')} today (UTC) with tokens that are not known here, ` +
    `and this upload has ${bytes}; the limit is ${limit} a day (MAX_ADDRESS_BYTES_PER_DAY). ` +
    `${SEND_OWN_TOKEN} Send it again in ${retryAfter} s.`
  );
}
