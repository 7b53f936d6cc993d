import type { Delivery } from '../core/announce/delivery.ts';
import { afterLimit, DELIVERY_BACKOFF, pauseAfter } from '../core/backoff.ts';
import type { Timestamp } from '../core/time.ts';
import { ProviderFailure } from '../ports/provider.ts';
import { LeaseTooShort } from './lease.ts';

/**
 * How long a provider may still be at work on a request whose connection is gone, in ms, where it does not say. Before
 * that, a request read back or sent could be overtaken: an older verdict would replace a newer one (rule 27).
 */
const SETTLING_TIME = 10_000;

export interface FailedAttempt {
  readonly error: unknown;
  /** As it was claimed. */
  readonly record: Pick<Delivery, 'attempts' | 'uncertain'>;
  /** The provider's; undefined: the usual. */
  readonly settlingTime?: number | undefined;
  /** When the last call of the provider began; undefined: none did. */
  readonly lastCallBegan: Timestamp | undefined;
  readonly now: Timestamp;
  /** In [0, 1). */
  readonly random: number;
}

export type NextStep =
  | { readonly kind: 'give-up'; readonly reason: string }
  | {
      readonly kind: 'retry';
      readonly at: Timestamp;
      /** Whether the place must be read back before anything is sent again. */
      readonly uncertain: boolean;
      /** The error is none that a provider may throw: a mistake of ours. */
      readonly unforeseen: boolean;
    };

/**
 * What follows a failed attempt (rule 27). An unknown outcome stays unknown until an attempt succeeds.
 */
export function decideNext(failed: FailedAttempt): NextStep {
  const { error, record, lastCallBegan, now, random, settlingTime = SETTLING_TIME } = failed;
  const { uncertain } = record;
  // Each call before had ended, and nothing failed: the next lease continues from here.
  if (error instanceof LeaseTooShort) return { kind: 'retry', at: now, uncertain, unforeseen: false };
  const at = now + pauseAfter(record.attempts, DELIVERY_BACKOFF, random);
  if (!(error instanceof ProviderFailure)) return { kind: 'retry', at, uncertain: true, unforeseen: true };
  switch (error.kind) {
    case 'permanent':
      return { kind: 'give-up', reason: error.message };
    case 'limited':
      return {
        kind: 'retry',
        at: afterLimit({ now, retryAt: error.retryAt ?? at, random }),
        uncertain,
        unforeseen: false,
      };
    case 'uncertain':
      return {
        kind: 'retry',
        at: Math.max(at, (lastCallBegan ?? now) + settlingTime),
        uncertain: true,
        unforeseen: false,
      };
    case 'transient':
      return { kind: 'retry', at, uncertain, unforeseen: false };
  }
}
