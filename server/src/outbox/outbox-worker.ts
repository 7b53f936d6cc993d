import type { Delivery } from '../domain/announce/delivery.ts';
import type { Timestamp } from '../domain/build/job.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { OutboxStore } from '../ports/store.ts';
import { createWorkLoop, type Round, type WorkLoop } from '../workers/work-loop.ts';
import type { Deliver } from './deliverer.ts';
import { DELIVERY_LEASE } from './lease.ts';

export interface OutboxWorkerDeps {
  readonly outbox: Pick<OutboxStore, 'claim' | 'nextDueAt'>;
  readonly deliver: Deliver;
  readonly clock: Clock;
  readonly logger: Logger;
  /** How many records are delivered at once. Default 4. */
  readonly concurrency?: number;
  /** Milliseconds that `stop` waits for deliveries under way. Default 4,000. */
  readonly stopWithin?: number;
  /** Longest sleep in ms, after which it looks whether another instance left work. Default 60,000. */
  readonly maxIdle?: number;
}

/**
 * Delivers what is due: `nudge` it when something was written, so that it goes out at once. Each delivery takes a lane and
 * frees it when it ends, so that a slow one holds up no other. A record is never in two lanes: its lease keeps it away.
 * `stop` ends after `stopWithin` at the latest; a delivery cut off then is read back after its lease (rule 27).
 */
export function createOutboxWorker(deps: OutboxWorkerDeps): WorkLoop {
  const { outbox, deliver, clock, logger, concurrency = 4, stopWithin = 4_000, maxIdle = 60_000 } = deps;
  const lanes = new Set<Promise<void>>();

  const run = async (): Promise<Round> => {
    const free = concurrency - lanes.size;
    // A lane that becomes free nudges the loop.
    if (free <= 0) return { nextAt: undefined, didWork: false };
    const at = clock.now();
    const claimed = await outbox.claim({ at, lease: DELIVERY_LEASE, limit: free });
    for (const record of claimed) occupy(record, at + DELIVERY_LEASE);
    if (claimed.length === free) return { nextAt: undefined, didWork: false };
    return { nextAt: await outbox.nextDueAt(), didWork: claimed.length > 0 };
  };

  const occupy = (record: Delivery, leaseEnd: Timestamp): void => {
    const lane = deliver(record, leaseEnd)
      .then(undefined, (error: unknown) => {
        logger.error({ delivery: record.id, err: error }, 'the outcome of a delivery could not be stored; it will be read back');
      })
      .then(() => {
        lanes.delete(lane);
        loop.nudge();
      });
    lanes.add(lane);
  };

  const loop = createWorkLoop({ name: 'outbox', run, clock, logger, maxIdle });
  return {
    start: loop.start,
    nudge: loop.nudge,
    stop: async () => {
      await loop.stop();
      await endsWithin(Promise.all(lanes), stopWithin);
    },
  };
}

async function endsWithin(work: Promise<unknown>, ms: number): Promise<void> {
  const over = Promise.withResolvers<void>();
  const timer = setTimeout(over.resolve, ms);
  await Promise.race([work, over.promise]);
  clearTimeout(timer);
}
