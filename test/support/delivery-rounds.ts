import type { Deliver } from '../../server/src/announcing/deliverer.ts';
import { DELIVERY_LEASE } from '../../server/src/announcing/lease.ts';
import type { OutboxStore } from '../../server/src/storage/store.ts';

/** A clock that the test moves. */
export interface HandClock {
  now(): number;
  set(at: number): void;
}

export function createHandClock(start: number): HandClock {
  let now = start;
  return {
    now: () => now,
    set(at) {
      now = Math.max(now, at);
    },
  };
}

export interface Rounds {
  readonly outbox: Pick<OutboxStore, 'claim' | 'nextDueAt'>;
  readonly deliver: Deliver;
  readonly clock: HandClock;
}

/** Delivers what is due now, several at once. Answers how many records were claimed. */
export async function deliverDue({ outbox, deliver, clock }: Rounds, limit = 4): Promise<number> {
  const at = clock.now();
  const claimed = await outbox.claim({ at, lease: DELIVERY_LEASE, limit });
  await Promise.all(claimed.map((record) => deliver(record, at + DELIVERY_LEASE)));
  return claimed.length;
}

/**
 * Delivers until nothing is wanted any more, moving the clock to whatever is due next. Answers the number of rounds.
 */
export async function deliverAll(rounds: Rounds, max = 500): Promise<number> {
  for (let round = 1; round <= max; round += 1) {
    if ((await deliverDue(rounds)) > 0) continue;
    const next = await rounds.outbox.nextDueAt();
    if (next === undefined) return round;
    rounds.clock.set(next);
  }
  throw new Error(`Something is still wanted after ${max} rounds`);
}
