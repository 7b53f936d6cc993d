import type { Delivery } from '../../domain/announce/delivery.ts';
import type { OutboxStore } from '../../ports/store.ts';
import { arrive, giveUp, retryLater, startAttempt, tryAnew } from '../delivery-steps.ts';
import type { Connection } from './connection.ts';
import type { DeliveryRows } from './delivery-rows.ts';
import { readRecords } from './records.ts';

/** What is to be announced, in SQLite. */
export function createOutboxStore(connection: Connection, deliveries: DeliveryRows): OutboxStore {
  const { prepare, read, write } = connection;
  const parked = prepare('SELECT record FROM deliveries WHERE parked = 1 ORDER BY id');
  const parkedOfRepo = prepare('SELECT record FROM deliveries WHERE parked = 1 AND repo_id = ? ORDER BY id');

  return {
    ...createLeases(connection, deliveries),
    ...createEndings(connection, deliveries),
    unpark: async (at, repoId) =>
      write(() => {
        const rows = repoId === undefined ? parked.all() : parkedOfRepo.all(repoId);
        for (const record of readRecords<Delivery>(rows)) deliveries.update(tryAnew(record, at));
      }),
    ofBuild: async (build) => read(() => deliveries.ofBuild(build)),
  };
}

/** How long a call of a process that died may be on its way, in ms. */
const SETTLING = 10_000;

/** How a worker comes to a record. */
function createLeases(
  { prepare, read, write }: Connection,
  deliveries: DeliveryRows,
): Pick<OutboxStore, 'claim' | 'voidLeases' | 'nextDueAt'> {
  const due = prepare('SELECT record FROM deliveries WHERE claimable_at <= ? ORDER BY claimable_at, id LIMIT ?');
  const next = prepare(
    'SELECT claimable_at FROM deliveries WHERE claimable_at IS NOT NULL ORDER BY claimable_at LIMIT 1',
  );
  const freeBuilds = prepare('UPDATE builds SET lease_until = NULL WHERE lease_until IS NOT NULL');
  const bringForward = prepare(
    'UPDATE builds SET not_before = NULL WHERE claimable_at IS NOT NULL AND not_before IS NOT NULL',
  );
  const leased = prepare('SELECT record FROM deliveries WHERE lease_until IS NOT NULL');
  const freeDeliveries = prepare('UPDATE deliveries SET lease_until = NULL WHERE lease_until IS NOT NULL');

  return {
    claim: async ({ at, lease, limit }) =>
      write(() =>
        readRecords<Delivery>(due.all(at, limit)).map((record) => {
          const taken = startAttempt(record);
          deliveries.update(taken);
          deliveries.lease(record.id, at + lease);
          return { ...taken, uncertain: record.uncertain };
        }),
      ),
    voidLeases: async () =>
      write(() => {
        freeBuilds.run();
        // What failed before may have failed for want of a setting.
        bringForward.run();
        // A call of the process that is gone may still arrive (rule 27): nothing is sent after it at once.
        for (const record of readRecords<Delivery>(leased.all())) {
          deliveries.update({ ...record, nextAttemptAt: Math.max(record.nextAttemptAt, Date.now() + SETTLING) });
        }
        freeDeliveries.run();
      }),
    nextDueAt: async () => read(() => next.get()?.claimable_at as number | undefined),
  };
}

/** How a worker leaves a record. */
function createEndings(
  { write }: Connection,
  deliveries: DeliveryRows,
): Pick<OutboxStore, 'delivered' | 'retry' | 'park'> {
  /** Writes what a worker found out, which ends its lease; undefined: the record goes. */
  const settle = (id: number, next: Delivery | undefined): void => {
    if (next === undefined) {
      deliveries.remove(id);
    } else {
      deliveries.update(next);
      deliveries.lease(id, undefined);
    }
  };

  return {
    delivered: async (arrival) =>
      write(() => {
        const record = deliveries.find(arrival.id);
        if (record === undefined) return undefined;
        const arrived = arrive(record, arrival);
        if (arrived !== record) settle(record.id, arrived);
        return arrived;
      }),
    retry: async (retry) =>
      write(() => {
        const record = deliveries.find(retry.id);
        if (record !== undefined) settle(record.id, retryLater(record, retry));
      }),
    park: async (parking) =>
      write(() => {
        const record = deliveries.find(parking.id);
        if (record !== undefined) settle(record.id, giveUp(record, parking));
      }),
  };
}
