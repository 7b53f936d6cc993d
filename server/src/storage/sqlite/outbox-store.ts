import type { Delivery } from '../../core/announce/delivery.ts';
import { createOutboxCommands } from '../commands/outbox-commands.ts';
import { FIRST_DELIVERIES, startAttempt, startOver } from '../delivery-steps.ts';
import type { OutboxStore } from '../store.ts';
import type { Connection } from './connection.ts';
import type { DeliveryRows } from './delivery-rows.ts';
import { readRecord, readRecords, selectRecords } from './records.ts';
import { createTurns } from './turns.ts';

/** How long a call of a process that died may be on its way, in ms. */
const SETTLING = 10_000;

/** What is to be announced, in SQLite. */
export function createOutboxStore(connection: Connection, deliveries: DeliveryRows): OutboxStore {
  const { prepare, read, write } = connection;
  const takeTurns = createTurns(prepare, 'deliveries');
  const next = prepare(
    'SELECT claimable_at FROM deliveries WHERE claimable_at IS NOT NULL ORDER BY claimable_at LIMIT 1',
  );
  const parked = prepare('SELECT record FROM deliveries WHERE parked = 1 ORDER BY id');
  const givenUpOfRepo = prepare('SELECT record FROM deliveries WHERE parked = 1 AND repo_id = ? ORDER BY id');
  const listGivenUp = selectRecords<Delivery>(
    connection,
    'SELECT record FROM deliveries WHERE parked = 1 ORDER BY id DESC LIMIT ?',
  );
  return {
    ...createOutboxCommands(async (id, change) =>
      write(() => {
        const record = deliveries.find(id);
        const changed = record && change(record, true);
        if (record === undefined || changed === record) return record;
        if (changed === undefined) deliveries.remove(id);
        else deliveries.updateAndLease(changed, undefined);
        return changed;
      }),
    ),
    claim: async ({ at, lease, limit }) =>
      write(() => {
        const rows = takeTurns({ at, limit }, (row) => {
          const record = readRecord<Delivery>(row);
          if (record !== undefined) deliveries.updateAndLease(startAttempt(record), at + lease);
        });
        return readRecords<Delivery>(rows).map((record) => ({
          ...startAttempt(record),
          uncertain: record.uncertain,
        }));
      }),
    voidLeases: createVoiding(connection, deliveries),
    resume: async (at, repoId) =>
      write(() => {
        const rows = repoId === undefined ? parked.all() : givenUpOfRepo.all(repoId);
        for (const record of readRecords<Delivery>(rows)) deliveries.update(startOver(record, at));
      }),
    listGivenUp,
    ofBuild: async (build, part = FIRST_DELIVERIES) => read(() => deliveries.ofBuild(build, part)),
    nextDueAt: async () => read(() => next.get()?.claimable_at as number | undefined),
  };
}

function createVoiding({ prepare, write }: Connection, deliveries: DeliveryRows): OutboxStore['voidLeases'] {
  const freeBuilds = prepare('UPDATE builds SET lease_until = NULL WHERE lease_until IS NOT NULL');
  const bringForward = prepare(
    'UPDATE builds SET not_before = NULL WHERE claimable_at IS NOT NULL AND not_before IS NOT NULL',
  );
  const leased = prepare('SELECT record FROM deliveries WHERE lease_until IS NOT NULL');
  return async () =>
    write(() => {
      freeBuilds.run();
      // What failed before may have failed for want of a setting.
      bringForward.run();
      // A call of the process that is gone may still arrive (rule 27): nothing is sent after it at once.
      for (const record of readRecords<Delivery>(leased.all())) {
        const nextAttemptAt = Math.max(record.nextAttemptAt, Date.now() + SETTLING);
        deliveries.updateAndLease({ ...record, nextAttemptAt }, undefined);
      }
    });
}
