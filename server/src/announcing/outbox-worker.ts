import type { Delivery } from '../core/announce/delivery.ts';
import type { Timestamp } from '../core/time.ts';
import { createSlotLoop, type WorkLoop } from '../platform/timers/work-loop.ts';
import type { Services } from '../services/services.ts';
import type { Deliver } from './deliverer.ts';
import { DELIVERY_LEASE } from './lease.ts';

interface Announcing extends Pick<Services, 'outbox' | 'clock' | 'timers' | 'logger'> {
  readonly deliver: Deliver;
  /** How many records are delivered at once. Default 4. */
  readonly concurrency?: number;
  /** Milliseconds that `stop` waits for deliveries in progress. Default 4,000. */
  readonly stopWithin?: number;
  /** Longest sleep in ms, after which it looks whether another instance left work. Default 60,000. */
  readonly maxIdle?: number;
}

/**
 * Delivers what is due: `nudge` it when something was written, so that it goes out at once. A delivery cut off by
 * `stop` is read back after its lease (rule 27).
 */
export function createOutboxWorker(services: Announcing): WorkLoop {
  const { outbox, deliver, clock, concurrency = 4, ...settings } = services;
  return createSlotLoop<{ readonly record: Delivery; readonly leaseEnd: Timestamp }>({
    ...settings,
    name: 'outbox',
    clock,
    slots: concurrency,
    claim: async (limit) => {
      const at = clock.now();
      const records = await outbox.claim({ at, lease: DELIVERY_LEASE, limit });
      return records.map((record) => ({ record, leaseEnd: at + DELIVERY_LEASE }));
    },
    work: async ({ record, leaseEnd }) => void (await deliver(record, leaseEnd)),
    nextDueAt: outbox.nextDueAt,
  });
}
