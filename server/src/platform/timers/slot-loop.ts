import type { Timestamp } from '../../core/time.ts';
import { createWorkLoop, type Round, type WorkLoop, type WorkLoopOptions } from './work-loop.ts';

export interface SlotLoopOptions<Item> extends Omit<WorkLoopOptions, 'run'> {
  /** How many items are worked on at once. */
  readonly slots: number;
  /** Leases what is due, at most `limit` items; the lease keeps an item out of a second slot. */
  readonly claim: (limit: number) => Promise<readonly Item[]>;
  /** Works on one item. It handles its own failures: what it throws is a bug, and is logged. */
  readonly work: (item: Item) => Promise<void>;
  readonly nextDueAt: () => Promise<Timestamp | undefined>;
}

/**
 * A work loop in which each item takes a slot and frees it when it ends, so that a slow one holds up no other. `stop`
 * ends after `stopWithin` at the latest; what is cut off then continues after its lease.
 */
export function createSlotLoop<Item>(options: SlotLoopOptions<Item>): WorkLoop {
  const { slots: count, claim, work, nextDueAt, name, logger, timers, stopWithin = 4_000 } = options;
  const slots = new Set<Promise<void>>();

  const run = async (): Promise<Round> => {
    const free = count - slots.size;
    // A slot that becomes free nudges the loop.
    if (free <= 0) return { nextAt: undefined, didWork: false };
    const claimed = await claim(free);
    for (const item of claimed) occupy(item);
    if (claimed.length === free) return { nextAt: undefined, didWork: false };
    return { nextAt: await nextDueAt(), didWork: claimed.length > 0 };
  };

  const occupy = (item: Item): void => {
    const slot = work(item)
      .catch((error: unknown) =>
        logger.error({ loop: name, err: error }, 'unexpected failure; it goes on after its lease'),
      )
      .then(() => {
        slots.delete(slot);
        loop.nudge();
      });
    slots.add(slot);
  };

  const loop = createWorkLoop({ ...options, run });
  return {
    start: loop.start,
    nudge: loop.nudge,
    stop: async () => {
      await loop.stop();
      if (slots.size > 0) await Promise.race([Promise.all(slots), timers.sleep(stopWithin)]);
    },
  };
}
