import { Failure } from '../../core/failure.ts';
import { walk } from './archive-reads.ts';
import { createReportParts } from './bytes.ts';
import type { Connection } from './connection.ts';
import { createCounters } from './counters.ts';
import { createDeliveryRows } from './delivery-rows.ts';
import { createPendingEffects } from './pending-effects.ts';
import { createRemovals } from './removals.ts';
import { later } from './server-time.ts';
import { findAccepted } from './sweep.ts';
import { tablesOf } from './table.ts';

/**
 * Brings what processes have left half done to its end, so that what is read afterward is everything that counts.
 * Throws a Failure while a server works on the database.
 */
export async function prepareArchive(connection: Connection): Promise<void> {
  await refuseWhereLeased(connection);
  await settleArchive(connection);
  await refuseDuringImport(connection);
  await keepAcceptedSources(connection);
}

/** The same for announcements and removals, also while servers run: any process may do it. */
export async function settleArchive(connection: Connection): Promise<void> {
  const deliveries = createDeliveryRows(connection, createCounters(connection.collections));
  const pendingEffects = createPendingEffects(connection, { deliveries, reports: createReportParts(connection) });
  await pendingEffects.settleEverything();
  await createRemovals(connection, { deliveries, pendingEffects }).finish();
}

/** Whether nothing is left to be settled at the moment of a snapshot. */
export async function isSettled(snapshot: Connection): Promise<boolean> {
  const { builds, repos } = tablesOf(snapshot);
  const options = { projection: { _id: 1 } };
  const removed = await repos.list({ 'removal.removedAt': { $exists: true } }, options);
  // What is announced for a removed repo is ended before its builds go.
  const ofRemoved = { repoId: { $in: removed.map(({ _id }) => _id) } };
  const left = (await builds.one({ owedSince: { $exists: true } }, options)) ?? (await builds.one(ofRemoved, options));
  return left === undefined;
}

/** What an import has written belongs to no repo yet. */
async function refuseDuringImport(connection: Connection): Promise<void> {
  const found = await tablesOf(connection).repos.one({
    'removal.removedAt': { $exists: true },
    'removal.importing': { $exists: true },
  });
  if (found !== undefined)
    throw new Failure(
      'unavailable',
      'A repo is being imported into this database, or was until less than ten minutes ago. ' +
        'Try again ten minutes after it ends.',
    );
}

/** An idle server has no lease: that one is found out at the end, when both sides are compared. */
async function refuseWhereLeased(connection: Connection): Promise<void> {
  const { builds, deliveries } = tablesOf(connection);
  const now = later(connection.serverTime(), 0);
  const isLeased = { leaseUntil: { $gt: new Date(0) }, $expr: { $gt: ['$leaseUntil', now] } };
  const until = ((await builds.one(isLeased)) ?? (await deliveries.one(isLeased)))?.leaseUntil;
  if (until === undefined) return;
  throw new Failure(
    'unavailable',
    `A server is using the database to be copied, at least until ${until.toISOString()}. ` +
      'Stop every server that uses it, wait until then, and run this again.',
  );
}

/** Sources whose job was accepted right before its process stopped. */
async function keepAcceptedSources(connection: Connection): Promise<void> {
  const { collections, run } = connection;
  const { sources } = tablesOf(connection);
  const left = collections.sources.find({ kept: { $exists: false } }, { projection: { jobs: 1 }, sort: { _id: 1 } });
  for await (const source of walk(run, left)) {
    const isAccepted = await findAccepted(connection, [source]);
    if (isAccepted(source)) await sources.update({ _id: source._id }, { $set: { kept: true, jobs: [] } });
  }
}
