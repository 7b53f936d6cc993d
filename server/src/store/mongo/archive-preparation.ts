import { Failure } from '../../domain/failure.ts';
import { createReportParts } from './bytes.ts';
import type { Connection } from './connection.ts';
import { createCounters } from './counters.ts';
import { createDeliveryRows } from './delivery-rows.ts';
import { createPendingEffects } from './pending-effects.ts';
import { createRemovals } from './removals.ts';
import { later } from './server-time.ts';
import { findAccepted } from './sweep.ts';
import { chunksOf, walk } from './walk.ts';

const AT_ONCE = 500;

/**
 * Brings what processes have left half done to its end, so that what is read afterwards is everything that counts.
 * Throws a Failure while a server works on the database.
 */
export async function prepareArchive(connection: Connection): Promise<void> {
  await refuseWhereLeased(connection);
  const deliveries = createDeliveryRows(connection, createCounters(connection.collections));
  const pendingEffects = createPendingEffects(connection, { deliveries, reports: createReportParts(connection) });
  await pendingEffects.settleEverything();
  await createRemovals(connection, { deliveries, pendingEffects }).finish();
  await keepAcceptedSources(connection);
}

/** An idle server has no lease: that one is found out at the end, when both sides are compared. */
async function refuseWhereLeased({ collections: { builds, deliveries }, run, serverTime }: Connection): Promise<void> {
  const isLeased = { leaseUntil: { $gt: new Date(0) }, $expr: { $gt: ['$leaseUntil', later(serverTime(), 0)] } };
  const projection = { projection: { leaseUntil: 1 } };
  const [build, delivery] = await run(() =>
    Promise.all([builds.findOne(isLeased, projection), deliveries.findOne(isLeased, projection)]),
  );
  const until = (build ?? delivery)?.leaseUntil;
  if (until === undefined) return;
  throw new Failure(
    'unavailable',
    `A server is at work on the database to be copied (until ${until.toISOString()}, unless it goes on): stop ` +
      'every server on it, wait until then, and run this again.',
  );
}

/** Sources whose job was accepted right before its process stopped. */
async function keepAcceptedSources(connection: Connection): Promise<void> {
  const { collections, run } = connection;
  const { sources } = collections;
  const unkept = sources.find({ kept: { $exists: false } }, { projection: { jobs: 1 }, sort: { _id: 1 } });
  for await (const found of chunksOf(walk(run, unkept), AT_ONCE)) {
    const isAccepted = await findAccepted(connection, found);
    const kept = found.filter(isAccepted).map(({ _id }) => _id);
    await run(() => sources.updateMany({ _id: { $in: kept } }, { $set: { kept: true, jobs: [] } }));
  }
}
