import type { Store } from '../../ports/store.ts';
import type { Connection } from './connection.ts';
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
    await removals.finish();
    // Sources first: they ask whether the jobs that brought them were accepted.
    const sources = await sweepSources(connection);
    const uploads = await sweepUploads(connection);
    const reportParts = await sweepParts(connection);
    const isOld = old('openedAt', serverTime());
    const empty = await run(() => collections.builds.deleteMany({ listed: { $exists: false }, ...isOld }));
    return { uploads, reportParts, sources, builds: empty.deletedCount };
  };
}

async function takeTurn({ collections: { notes }, run, serverTime }: Connection): Promise<boolean> {
  await run(() => notes.updateOne({ _id: 'sweep' }, { $setOnInsert: { at: new Date(0) } }, { upsert: true }));
  const now = serverTime();
  const free = { $or: [{ leaseUntil: { $exists: false } }, notAfter('leaseUntil', now)] };
  const taken = await run(() => notes.updateOne({ _id: 'sweep', ...free }, [{ $set: { leaseUntil: later(now, PAUSE) } }]));
  return taken.modifiedCount === 1;
}

async function sweepUploads({ collections, run, serverTime }: Connection): Promise<number> {
  const { jobs, builds } = collections;
  const isOld = old('writtenAt', serverTime());
  return inBatches(async (after: string) => {
    const found = await run(() =>
      jobs
        .find({ _id: { $gt: after }, ...isOld }, { projection: { jobId: 1 }, sort: { _id: 1 } })
        .limit(AT_ONCE)
        .toArray(),
    );
    const naming = await run(() =>
      builds.find({ 'jobs.id': { $in: found.map(({ jobId }) => jobId) } }, { projection: { 'jobs.document': 1 } }).toArray(),
    );
    const named = new Set(naming.flatMap((build) => (build.jobs ?? []).map(({ document }) => document)));
    const orphans = found.map(({ _id }) => _id).filter((id) => !named.has(id));
    return { last: lastOf(found), count: await remove(run, jobs, orphans, isOld) };
  });
}

async function sweepParts({ collections, run, serverTime }: Connection): Promise<number> {
  const { parts, builds, jobs } = collections;
  const isOld = old('writtenAt', serverTime());
  return inBatches(async (after: string) => {
    const found = await run(() =>
      parts
        .find({ _id: { $gt: after }, ...isOld }, { projection: { owner: 1 }, sort: { _id: 1 } })
        .limit(AT_ONCE)
        .toArray(),
    );
    const owners = (kind: 'job' | 'build') => found.filter(({ owner }) => owner.kind === kind).map(({ owner }) => owner.id);
    const [ofBuilds, ofJobs] = await run(() =>
      Promise.all([
        builds.find({ _id: { $in: owners('build') } }, { projection: { report: 1 } }).toArray(),
        jobs.find({ jobId: { $in: owners('job') } }, { projection: { report: 1 } }).toArray(),
      ]),
    );
    const inUse = new Set([...ofBuilds, ...ofJobs].map(({ report }) => report?.id));
    const orphans = found.map(({ _id }) => _id).filter((id) => !inUse.has(id.split('/', 1)[0]));
    return { last: lastOf(found), count: await remove(run, parts, orphans, isOld) };
  });
}

async function sweepSources({ collections, run, serverTime }: Connection): Promise<number> {
  const { sources, builds } = collections;
  const isOld = { kept: { $exists: false }, ...old('seenAt', serverTime()) };
  return inBatches(async (after: string) => {
    const found = await run(() =>
      sources
        .find({ _id: { $gt: after }, ...isOld }, { projection: { jobs: 1 }, sort: { _id: 1 } })
        .limit(AT_ONCE)
        .toArray(),
    );
    const brought = [...new Set(found.flatMap((source) => source.jobs))];
    const naming = await run(() => builds.find({ 'jobs.id': { $in: brought } }, { projection: { 'jobs.id': 1 } }).toArray());
    const accepted = new Set(naming.flatMap((build) => (build.jobs ?? []).map(({ id }) => id)));
    const isInUse = (jobs: readonly number[]): boolean => jobs.some((id) => accepted.has(id));
    const inUse = found.filter((source) => isInUse(source.jobs)).map(({ _id }) => _id);
    // Its accept was cut off right before this.
    await run(() => sources.updateMany({ _id: { $in: inUse } }, { $set: { kept: true, jobs: [] } }));
    const orphans = found.filter((source) => !isInUse(source.jobs)).map(({ _id }) => _id);
    return { last: lastOf(found), count: await remove(run, sources, orphans, isOld) };
  });
}

interface Deletable {
  deleteMany(filter: object): Promise<{ readonly deletedCount: number }>;
}

/** Only while it is still old: whoever wrote it again needs it. */
async function remove(run: Connection['run'], from: Deletable, ids: readonly string[], isOld: object): Promise<number> {
  if (ids.length === 0) return 0;
  return (await run(() => from.deleteMany({ _id: { $in: ids }, ...isOld }))).deletedCount;
}

async function inBatches(
  sweepBatch: (after: string) => Promise<{ readonly last: string | undefined; readonly count: number }>,
): Promise<number> {
  let count = 0;
  let after: string | undefined = '';
  while (after !== undefined) {
    const batch = await sweepBatch(after);
    count += batch.count;
    after = batch.last;
  }
  return count;
}

function lastOf(found: readonly { readonly _id: string }[]): string | undefined {
  return found.length < AT_ONCE ? undefined : found.at(-1)?._id;
}

function old(field: string, now: Parameters<typeof later>[0]): object {
  return { [field]: { $gt: new Date(0) }, $expr: { $lt: [`$${field}`, { $subtract: [now, ORPHAN_AGE] }] } };
}
