import type { Collection, Filter, UpdateFilter, WithId } from 'mongodb';
import type { Store } from '../../ports/store.ts';
import type { Connection } from './connection.ts';
import type { SourceDocument } from './documents.ts';
import type { Removals } from './removals.ts';
import { later, notAfter } from './server-time.ts';

/** What nothing refers to is taken after so long; nothing is accepted that was written more than ten minutes before. */
const ORPHAN_AGE = 24 * 60 * 60_000;
/** Instances take turns: one sweep in so long. */
const PAUSE = 30 * 60_000;
const AT_ONCE = 500;

/** Binds the sweep of one database: what uploads left that were never accepted, and removals that were cut off. */
export function createSweep(connection: Connection, removals: Removals): Store['sweep'] {
  const { collections, run, serverTime } = connection;
  return async () => {
    if (!(await takeTurn(connection))) return undefined;
    // A removal that cannot be finished does not keep the rest from being swept.
    const unfinished = await removals.finish().then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    // Sources first: they ask whether the jobs that brought them were accepted.
    const sources = await sweepSources(connection);
    const uploads = await sweepUploads(connection);
    const reportParts = await sweepParts(connection);
    const isOld = old('openedAt', serverTime());
    const empty = await run(() => collections.builds.deleteMany({ listed: { $exists: false }, ...isOld }));
    if (unfinished !== undefined) throw unfinished.error;
    return { uploads, reportParts, sources, builds: empty.deletedCount };
  };
}

async function takeTurn({ collections: { notes }, run, serverTime }: Connection): Promise<boolean> {
  await run(() => notes.updateOne({ _id: 'sweep' }, { $setOnInsert: { at: new Date(0) } }, { upsert: true }));
  const now = serverTime();
  const free = { $or: [{ leaseUntil: { $exists: false } }, notAfter('leaseUntil', now)] };
  const taken = await run(() =>
    notes.updateOne({ _id: 'sweep', ...free }, [{ $set: { leaseUntil: later(now, PAUSE) } }]),
  );
  return taken.modifiedCount === 1;
}

/** Uploads that no build names. Those in use are marked, and not looked at again. */
async function sweepUploads(connection: Connection): Promise<number> {
  const { jobs, builds } = connection.collections;
  return sweepAll(connection, jobs, 'writtenAt', { jobId: 1 }, async (found) => {
    const naming = await builds
      .find({ 'jobs.id': { $in: found.map(({ jobId }) => jobId) } }, { projection: { 'jobs.document': 1 } })
      .toArray();
    const named = new Set(naming.flatMap((build) => (build.jobs ?? []).map(({ document }) => document)));
    return ({ _id }) => named.has(_id);
  });
}

/** Parts of reports that no upload and no build refers to. */
async function sweepParts(connection: Connection): Promise<number> {
  const { parts, builds, jobs } = connection.collections;
  return sweepAll(connection, parts, 'writtenAt', { owner: 1 }, async (found) => {
    const owners = (kind: 'job' | 'build') =>
      found.filter(({ owner }) => owner.kind === kind).map(({ owner }) => owner.id);
    const [ofBuilds, ofJobs] = await Promise.all([
      builds.find({ _id: { $in: owners('build') } }, { projection: { report: 1 } }).toArray(),
      jobs.find({ jobId: { $in: owners('job') } }, { projection: { report: 1 } }).toArray(),
    ]);
    const inUse = new Set([...ofBuilds, ...ofJobs].map(({ report }) => report?.id));
    return ({ _id }) => inUse.has(_id.split('/', 1)[0]);
  });
}

/** Sources whose upload was never accepted. */
async function sweepSources(connection: Connection): Promise<number> {
  const { sources, builds } = connection.collections;
  return sweepAll(connection, sources, 'seenAt', { jobs: 1 }, (found) => findAccepted(builds, found));
}

/** Which sources an accepted job brought. */
export async function findAccepted(
  builds: Connection['collections']['builds'],
  found: readonly Pick<SourceDocument, 'jobs'>[],
): Promise<(source: Pick<SourceDocument, 'jobs'>) => boolean> {
  const brought = [...new Set(found.flatMap((source) => source.jobs))];
  const naming = await builds.find({ 'jobs.id': { $in: brought } }, { projection: { 'jobs.id': 1 } }).toArray();
  const accepted = new Set(naming.flatMap((build) => (build.jobs ?? []).map(({ id }) => id)));
  return ({ jobs }) => jobs.some((id) => accepted.has(id));
}

interface Sweepable {
  readonly _id: string;
  readonly kept?: true;
}

/** Looks at everything old once: what is in use is marked, the rest goes. Answers how many went. */
async function sweepAll<T extends Sweepable>(
  { run, serverTime }: Connection,
  collection: Collection<T>,
  time: 'writtenAt' | 'seenAt',
  projection: object,
  findUse: (found: readonly WithId<T>[]) => Promise<(one: WithId<T>) => boolean>,
): Promise<number> {
  const isOld = { kept: { $exists: false }, ...old(time, serverTime()) } as Filter<T>;
  let count = 0;
  for (;;) {
    const found = await run(() =>
      collection
        .find(isOld, { projection, sort: { [time]: 1 } })
        .limit(AT_ONCE)
        .toArray(),
    );
    if (found.length === 0) return count;
    const isUsed = await run(() => findUse(found as readonly WithId<T>[]));
    const used = (found as readonly WithId<T>[]).filter(isUsed).map(({ _id }) => _id);
    const orphans = (found as readonly WithId<T>[]).filter((one) => !isUsed(one)).map(({ _id }) => _id);
    const mark = { $set: { kept: true } } as unknown as UpdateFilter<T>;
    await run(() => collection.updateMany({ _id: { $in: used } } as Filter<T>, mark));
    // Only while it is still old: whoever wrote it again needs it.
    const removed = await run(() => collection.deleteMany({ _id: { $in: orphans }, ...isOld } as Filter<T>));
    count += removed.deletedCount;
    if (found.length < AT_ONCE) return count;
  }
}

function old(field: string, now: Parameters<typeof later>[0]): object {
  return { [field]: { $gt: new Date(0) }, $expr: { $lt: [`$${field}`, { $subtract: [now, ORPHAN_AGE] }] } };
}
