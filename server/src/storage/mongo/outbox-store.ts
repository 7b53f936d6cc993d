import { randomUUID } from 'node:crypto';
import type { Delivery } from '../../core/announce/delivery.ts';
import type { Enqueue } from '../commands/keyed-queue.ts';
import { createOutboxCommands } from '../commands/outbox-commands.ts';
import { startAttempt } from '../delivery-steps.ts';
import type { OutboxStore } from '../store.ts';
import type { Connection } from './connection.ts';
import { type DeliveryRows, stateOf } from './delivery-rows.ts';
import type { DeliveryDocument } from './documents.ts';
import type { PendingEffects } from './pending-effects.ts';
import { assign, claimable, later, NEXT_CLAIMABLE, notAfter } from './server-time.ts';
import { tablesOf } from './table.ts';
import { BY_TURN, createTurns } from './turns.ts';

interface Deps {
  readonly deliveries: DeliveryRows;
  readonly pendingEffects: PendingEffects;
  readonly enqueue: Enqueue;
}

/** What is to be announced, in MongoDB. */
export function createOutboxStore(connection: Connection, deps: Deps): OutboxStore {
  const { deliveries, pendingEffects } = deps;
  const tables = tablesOf(connection);
  /** Which claim this process has on a record: one whose lease ran out may be another's by now. */
  const claims = new Map<number, string>();
  return {
    ...createOutboxCommands((id, next) => {
      const claim = claims.get(id);
      claims.delete(id);
      return deliveries.settle(id, next, claim);
    }),
    claim: createClaiming(connection, deps, claims),
    async voidLeases() {
      const leased = { leaseUntil: { $exists: true } };
      await tables.deliveries.updateAll(leased, [{ $unset: 'leaseUntil' }, claimable('nextAttemptAt')]);
      await tables.builds.updateAll(leased, [{ $unset: 'leaseUntil' }, claimable('dueAt')]);
      // What failed before may have failed for want of a setting.
      const putOff = { claimableAt: { $exists: true }, notBefore: { $exists: true } };
      await tables.builds.updateAll(putOff, [{ $unset: 'notBefore' }, claimable('dueAt')]);
    },
    resume: deliveries.resume,
    async listGivenUp(limit) {
      const found = await tables.deliveries.list({ parked: true }, { sort: { _id: -1 }, limit });
      return found.map(({ record }) => record);
    },
    ofBuild: deliveries.ofBuild,
    async nextDueAt() {
      const [next] = await tables.deliveries.list(...NEXT_CLAIMABLE);
      const times = [next?.claimableAt?.getTime(), await pendingEffects.oldest()].filter((time) => time !== undefined);
      return times.length === 0 ? undefined : Math.min(...times);
    },
  };
}

function createClaiming(
  connection: Connection,
  { pendingEffects, enqueue }: Deps,
  claims: Map<number, string>,
): OutboxStore['claim'] {
  const { serverTime } = connection;
  const { deliveries } = tablesOf(connection);
  const turns = createTurns<DeliveryDocument>(connection);
  /** Where more is due than may be taken: the first of the next repo. */
  const nextInTurn = async (): Promise<readonly DeliveryDocument[]> => {
    for (const filter of turns.next()) {
      const [found] = await deliveries.list(filter, { sort: BY_TURN, limit: 1 });
      if (found === undefined) continue;
      turns.took(found);
      return [found];
    }
    return [];
  };
  const claimSome = async (lease: number, limit: number): Promise<readonly Delivery[]> => {
    const longestFirst = { sort: { claimableAt: 1, _id: 1 }, limit: limit + 1 } as const;
    const some = await deliveries.list(notAfter('claimableAt', serverTime()), longestFirst);
    const due = some.length > limit ? await nextInTurn() : some;
    return due.length === 0 ? [] : lock(connection, due, { lease, claims });
  };
  // One after another, so that claims of one process do not take records from under each other.
  return ({ lease, limit }) =>
    enqueue('outbox', async () => {
      await pendingEffects.settleDue();
      const claimed: Delivery[] = [];
      while (claimed.length < limit) {
        const some = await claimSome(lease, limit - claimed.length).catch((error: unknown) => {
          // What was claimed before is not left to run out.
          if (claimed.length === 0) throw error;
          return [];
        });
        if (some.length === 0) break;
        claimed.push(...some);
      }
      return claimed;
    });
}

/** Takes those that no other process took since they were read; the lease begins by the server's clock. */
async function lock(
  connection: Connection,
  due: readonly DeliveryDocument[],
  { lease, claims }: { readonly lease: number; readonly claims: Map<number, string> },
): Promise<readonly Delivery[]> {
  const { collections, run, serverTime } = connection;
  const claim = randomUUID();
  const updates = due.map((document) => ({
    updateOne: {
      filter: { _id: document._id, version: document.version, ...notAfter('claimableAt', serverTime()) },
      update: [
        assign({ ...stateOf(startAttempt(document.record), document), claim }),
        { $set: { leaseUntil: later(serverTime(), lease) } },
        claimable('nextAttemptAt'),
      ],
    },
  }));
  const { modifiedCount } = await run(() => collections.deliveries.bulkWrite(updates, { ordered: false }));
  const taken = modifiedCount === due.length ? due : await readOurs(connection, due, claim);
  for (const { _id } of taken) claims.set(_id, claim);
  return taken.map(({ record }) => ({ ...startAttempt(record), uncertain: record.uncertain }));
}

async function readOurs(connection: Connection, due: readonly DeliveryDocument[], claim: string) {
  const ids = due.map(({ _id }) => _id);
  const { deliveries } = tablesOf(connection);
  const ours = await deliveries.list({ _id: { $in: ids }, claim }, { projection: { _id: 1 } });
  return due.filter(({ _id }) => ours.some((one) => one._id === _id));
}
