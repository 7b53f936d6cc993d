import type { Timestamp } from '../core/time.ts';
import type { Clock } from '../platform/clock.ts';
import { CALL_TIME_LIMIT } from '../ports/provider.ts';

/** How long a claimed record belongs to who claimed it, in ms: longer than any call (rule 27). */
export const DELIVERY_LEASE = 60_000;

/** What is left of a lease for storing the outcome, in ms. */
const STORING_TIME = 5_000;

/** Thrown instead of a call that could outlast the lease: another worker might then be at the same record. */
export class LeaseTooShort extends Error {
  constructor() {
    super('The lease of the delivery is too short for another call.');
    this.name = 'LeaseTooShort';
  }
}

/** Makes one call of the provider; throws LeaseTooShort instead of starting one that the lease does not cover. */
export type LeasedCall = <T>(call: () => Promise<T>) => Promise<T>;

/** The calls of one delivery, and when the last of them began (undefined: none did). */
export interface LeasedCalls {
  readonly call: LeasedCall;
  lastBegan(): Timestamp | undefined;
}

/** Bounds the calls of one delivery by its lease. */
export function withinLease(clock: Clock, leaseEnd: Timestamp): LeasedCalls {
  let began: Timestamp | undefined;
  return {
    call: async (call) => {
      const now = clock.now();
      if (now + CALL_TIME_LIMIT + STORING_TIME > leaseEnd) throw new LeaseTooShort();
      began = now;
      return call();
    },
    lastBegan: () => began,
  };
}
