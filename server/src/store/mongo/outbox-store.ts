import { randomUUID } from 'node:crypto';
import type { Delivery } from '../../domain/announce/delivery.ts';
import type { OutboxStore } from '../../ports/store.ts';
import { arrive, giveUp, retryLater, startAttempt } from '../delivery-steps.ts';
import type { Connection } from './connection.ts';
import { type DeliveryRows, stateOf } from './delivery-rows.ts';
import type { DeliveryDocument } from './documents.ts';
import type { Owing } from './owing.ts';
import { assign, claimable, later, notAfter } from './server-time.ts';
import type { TakeTurns } from './turns.ts';

interface Deps {
  readonly deliveries: DeliveryRows;
  readonly owing: Owing;
  readonly takeTurns: TakeTurns;
}

/** What is to be announced, in MongoDB. */
export function createOutboxStore(connection: Connection, deps: Deps): OutboxStore {
  const { deliveries } = deps;
  const claims: Claims = new Map();
  return {
    ...createLeases(connection, deps, claims),
    async delivered(arrival) {
      const claim = claims.get(arrival.id);
      claims.delete(arrival.id);
      return deliveries.settle(
        arrival.id,
        (record, isOurs) => {
          const arrived = arrive(record, arrival);
          // Whoever has it now is calling: the outcome of that is not known yet.
          return isOurs || arrived === undefined || arrived === record
            ? arrived
            : { ...arrived, uncertain: record.uncertain };
        },
        claim,
      );
    },
    async retry(retry) {
      const claim = claims.get(retry.id);
      claims.delete(retry.id);
      await deliveries.settle(retry.id, (record, isOurs) => (isOurs ? retryLater(record, retry) : record), claim);
    },
    async park(parking) {
      const claim = claims.get(parking.id);
      claims.delete(parking.id);
      await deliveries.settle(parking.id, (record, isOurs) => (isOurs ? giveUp(record, parking) : record), claim);
    },
    unpark: deliveries.unpark,
    ofBuild: (build) => deliveries.ofBuild(build),
  };
}

/** Which claim this process has on a record: one whose lease ran out may be another's by now. */
type Claims = Map<number, string>;

/** How a worker comes to a record. */
function createLeases(
  connection: Connection,
  { owing, takeTurns }: Deps,
  claims: Claims,
): Pick<OutboxStore, 'claim' | 'voidLeases' | 'nextDueAt'> {
  const { collections, run } = connection;
  const { builds, deliveries } = collections;
  return {
    claim: ({ lease, limit }) =>
      // One after another, so that claims of one process do not take records from under each other.
      takeTurns('outbox', async () => {
        await owing.settleAll();
        const claimed: Delivery[] = [];
        while (claimed.length < limit) {
          const due = await findDue(connection, limit - claimed.length);
          if (due.length === 0) break;
          try {
            claimed.push(...(await lock(connection, due, { lease, claims })));
          } catch (error) {
            // What was claimed before is not left to run out.
            if (claimed.length === 0) throw error;
            break;
          }
        }
        return claimed;
      }),
    async voidLeases() {
      const leased = { leaseUntil: { $exists: true } };
      await run(() => deliveries.updateMany(leased, [{ $unset: 'leaseUntil' }, claimable('nextAttemptAt')]));
      await run(() => builds.updateMany(leased, [{ $unset: 'leaseUntil' }, claimable('dueAt')]));
      // What failed before may have failed for want of a setting.
      await run(() =>
        builds.updateMany({ claimableAt: { $exists: true }, notBefore: { $exists: true } }, [
          { $unset: 'notBefore' },
          claimable('dueAt'),
        ]),
      );
    },
    async nextDueAt() {
      const [next] = await run(() =>
        deliveries
          .find(
            { claimableAt: { $exists: true } },
            { projection: { claimableAt: 1 }, sort: { claimableAt: 1, _id: 1 } },
          )
          .limit(1)
          .toArray(),
      );
      const times = [next?.claimableAt?.getTime(), await owing.oldest()].filter((time) => time !== undefined);
      return times.length === 0 ? undefined : Math.min(...times);
    },
  };
}

async function findDue(
  { collections, run, serverTime }: Connection,
  limit: number,
): Promise<readonly DeliveryDocument[]> {
  return run(() =>
    collections.deliveries
      .find(notAfter('claimableAt', serverTime()), { sort: { claimableAt: 1, _id: 1 } })
      .limit(limit)
      .toArray(),
  );
}

/** Takes those that nobody else has taken since they were read; the lease begins by the server's clock. */
async function lock(
  connection: Connection,
  due: readonly DeliveryDocument[],
  { lease, claims }: { readonly lease: number; readonly claims: Claims },
): Promise<readonly Delivery[]> {
  const { collections, run, serverTime } = connection;
  const { deliveries } = collections;
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
  const { modifiedCount } = await run(() => deliveries.bulkWrite(updates, { ordered: false }));
  const mine = modifiedCount === due.length ? undefined : await readMine(connection, due, claim);
  const taken = mine === undefined ? due : due.filter(({ _id }) => mine.has(_id));
  for (const { _id } of taken) claims.set(_id, claim);
  return taken.map(({ record }) => ({ ...startAttempt(record), uncertain: record.uncertain }));
}

async function readMine(
  { collections, run }: Connection,
  due: readonly DeliveryDocument[],
  claim: string,
): Promise<ReadonlySet<number>> {
  const ids = due.map(({ _id }) => _id);
  const mine = await run(() =>
    collections.deliveries.find({ _id: { $in: ids }, claim }, { projection: { _id: 1 } }).toArray(),
  );
  return new Set(mine.map(({ _id }) => _id));
}
