import type { Filter, WithId } from 'mongodb';
import type { Store } from '../store.ts';
import type { Connection } from './connection.ts';
import type { SourceDocument } from './documents.ts';
import { leaseNote } from './note-lease.ts';
import type { Removals } from './removals.ts';
import type { later } from './server-time.ts';
import { type Table, tablesOf } from './table.ts';

/** When what nothing refers to is removed, in ms; an upload is accepted within ten minutes, or written again. */
const ORPHAN_AGE = 24 * 60 * 60_000;
/** Instances take turns: at most one sweep in this time, in ms. */
const PAUSE = 30 * 60_000;
const AT_ONCE = 500;

/** Binds the sweep of one database: what uploads left that were never accepted, and removals that were cut off. */
export function createSweep(connection: Connection, removals: Removals): Store['sweep'] {
  const { builds } = tablesOf(connection);
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
    const isOld = old('openedAt', connection.serverTime());
    const empty = await builds.remove({ listed: { $exists: false }, ...isOld });
    if (unfinished !== undefined) throw unfinished.error;
    return { uploads, reportParts, sources, builds: empty };
  };
}

async function takeTurn(connection: Connection): Promise<boolean> {
  const { notes } = tablesOf(connection);
  await notes.update({ _id: 'sweep' }, { $setOnInsert: { at: new Date(0) } }, { upsert: true });
  return leaseNote(connection, 'sweep', PAUSE);
}

/** Uploads that no build names. Those in use are marked, and not looked at again. */
async function sweepUploads(connection: Connection): Promise<number> {
  const { jobs, builds } = tablesOf(connection);
  return sweepAll(connection, jobs, { time: 'writtenAt', projection: { jobId: 1 } }, async (found) => {
    const ids = found.map(({ jobId }) => jobId);
    const naming = await builds.list({ 'jobs.id': { $in: ids } }, { projection: { 'jobs.document': 1 } });
    const named = new Set(naming.flatMap((build) => (build.jobs ?? []).map(({ document }) => document)));
    return ({ _id }) => named.has(_id);
  });
}

/** Parts of reports that no upload and no build refers to. */
async function sweepParts(connection: Connection): Promise<number> {
  const { parts, builds, jobs } = tablesOf(connection);
  return sweepAll(connection, parts, { time: 'writtenAt', projection: { owner: 1 } }, async (found) => {
    const owners = (kind: 'job' | 'build') =>
      found.filter(({ owner }) => owner.kind === kind).map(({ owner }) => owner.id);
    const [ofBuilds, ofJobs] = await Promise.all([
      builds.list({ _id: { $in: owners('build') } }, { projection: { report: 1 } }),
      jobs.list({ jobId: { $in: owners('job') } }, { projection: { report: 1 } }),
    ]);
    const inUse = new Set([...ofBuilds, ...ofJobs].map(({ report }) => report?.id));
    return ({ _id }) => inUse.has(_id.split('/', 1)[0]);
  });
}

/** Sources whose upload was never accepted. */
async function sweepSources(connection: Connection): Promise<number> {
  const { sources } = tablesOf(connection);
  const old = { time: 'seenAt', projection: { jobs: 1 } } as const;
  return sweepAll(connection, sources, old, (found) => findAccepted(connection, found));
}

/** Which sources an accepted job brought. */
export async function findAccepted(
  connection: Connection,
  found: readonly Pick<SourceDocument, 'jobs'>[],
): Promise<(source: Pick<SourceDocument, 'jobs'>) => boolean> {
  const brought = [...new Set(found.flatMap((source) => source.jobs))];
  const { builds } = tablesOf(connection);
  const naming = await builds.list({ 'jobs.id': { $in: brought } }, { projection: { 'jobs.id': 1 } });
  const accepted = new Set(naming.flatMap((build) => (build.jobs ?? []).map(({ id }) => id)));
  return ({ jobs }) => jobs.some((id) => accepted.has(id));
}

interface Sweepable {
  readonly _id: string;
  readonly kept?: true;
}

/** Looks at everything old once: what is in use is marked, the rest goes. Answers how many went. */
async function sweepAll<T extends Sweepable>(
  { serverTime }: Connection,
  table: Table<T>,
  { time, projection }: { readonly time: 'writtenAt' | 'seenAt'; readonly projection: object },
  findUse: (found: readonly WithId<T>[]) => Promise<(one: WithId<T>) => boolean>,
): Promise<number> {
  const isOld = { kept: { $exists: false }, ...old(time, serverTime()) } as Filter<T>;
  const named = (some: readonly WithId<T>[]) => ({ _id: { $in: some.map(({ _id }) => _id) } });
  let count = 0;
  for (;;) {
    const found = await table.list(isOld, { projection, sort: { [time]: 1 }, limit: AT_ONCE });
    const isUsed = await findUse(found);
    await table.updateAll(named(found.filter(isUsed)) as Filter<T>, [{ $set: { kept: true } }]);
    // Only while it is still old: one that was written again is needed.
    const orphans = named(found.filter((one) => !isUsed(one)));
    count += await table.remove({ ...orphans, ...isOld } as Filter<T>);
    if (found.length < AT_ONCE) return count;
  }
}

function old(field: string, now: Parameters<typeof later>[0]): object {
  return { [field]: { $gt: new Date(0) }, $expr: { $lt: [`$${field}`, { $subtract: [now, ORPHAN_AGE] }] } };
}
