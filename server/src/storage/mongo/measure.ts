import type { Document } from 'mongodb';
import type { RepoService } from '../../core/repo/repo.ts';
import type { Store } from '../store.ts';
import { MAX_COUNTED, type OutboxMeasure } from '../store-measure.ts';
import type { Connection } from './connection.ts';
import { notAfter } from './server-time.ts';

/** Binds the measure of one database. What is due is so by the database's clock. */
export function createMeasure(connection: Connection): Store['measure'] {
  const { collections, run, serverTime } = connection;
  const { builds, deliveries } = collections;
  const limit = { limit: MAX_COUNTED };
  return async () => {
    const isDue = notAfter('claimableAt', serverTime());
    const failed = { $expr: { $and: [{ $gt: ['$notBefore', serverTime()] }, { $lte: ['$dueAt', serverTime()] }] } };
    const putOff = { claimableAt: { $exists: true }, notBefore: { $gt: new Date(0) }, ...failed };
    const oldest = { sort: { claimableAt: 1 }, projection: { claimableAt: 1 } } as const;
    const [due, later, aside, first, waiting, givenUp, { storageSize, indexSize }] = await Promise.all([
      run(() => builds.countDocuments(isDue, limit)),
      run(() => builds.countDocuments(putOff, limit)),
      run(() => builds.countDocuments({ 'record.attempts.setAside': true }, limit)),
      run(() => builds.findOne(isDue, oldest)),
      run(() => deliveries.aggregate(WAITING).toArray()),
      run(() => deliveries.aggregate(GIVEN_UP).toArray()),
      run(() => connection.readSize()),
    ]);
    return {
      builds: { due, 'put-off': later, 'set-aside': aside },
      oldestDueAt: first?.claimableAt?.getTime(),
      outbox: toOutbox(waiting, givenUp),
      bytes: storageSize + indexSize,
      freeDisk: undefined,
    };
  };
}

const ofService = (filter: object, counted: object): Document[] => [
  { $match: filter },
  { $limit: MAX_COUNTED },
  { $group: { _id: '$record.service', ...counted } },
];
const WAITING = ofService(
  { claimableAt: { $exists: true } },
  { count: { $sum: 1 }, oldest: { $min: { $ifNull: ['$record.unsentSince', '$record.nextAttemptAt'] } } },
);
const GIVEN_UP = ofService({ parked: true }, { count: { $sum: 1 } });

function toOutbox(waiting: readonly Document[], givenUp: readonly Document[]): readonly OutboxMeasure[] {
  const services = new Set<RepoService>([...waiting, ...givenUp].map(({ _id }) => _id));
  return [...services].map((service) => {
    const waits = waiting.find(({ _id }) => _id === service);
    const gaveUp = givenUp.find(({ _id }) => _id === service);
    return { service, waiting: waits?.count ?? 0, givenUp: gaveUp?.count ?? 0, oldestAt: waits?.oldest };
  });
}
