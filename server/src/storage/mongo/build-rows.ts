import type { Build } from '../../core/builds/build.ts';
import { dueAt } from '../../core/builds/due-tasks.ts';
import { indexBuild } from '../build-index.ts';
import { BY_ID, createAccepts, type UploadDocuments } from './accepts.ts';
import type { Connection } from './connection.ts';
import type { BuildDocument, BuildKeys, JobEntry, PendingEffect, StoredBytes } from './documents.ts';
import { append, assign, claimable, toDate } from './server-time.ts';
import { tablesOf } from './table.ts';

/** Build records with all they are found by, for the stores that write them. */
export interface BuildRows {
  find(id: number): Promise<Build | undefined>;
  /** Where the merged report of the last close is. */
  findReport(id: number): Promise<StoredBytes | undefined>;
  /** Writes a build over `before`, unless it was changed since that was read: then false, and nothing is written. */
  update(before: Build, build: Build, more: BuildChange): Promise<boolean>;
  /** Gives a build without a record its first. False: it has one by now, or is gone. */
  begin(build: Build, first: BuildChange): Promise<boolean>;
  bringForward(id: number): Promise<void>;
}

/** What one write of a build does beside its record. */
export interface BuildChange {
  /** A job that is accepted with this write. */
  readonly job?: JobEntry | undefined;
  /** That job's documents, if they are not written yet: before the build's. */
  readonly unwritten?: UploadDocuments | undefined;
  /** Another document of an accepted job: its place in the list, from 0. */
  readonly revised?: { readonly index: number; readonly document: string } | undefined;
  readonly report?: StoredBytes | undefined;
  readonly pendingEffect?: PendingEffect | undefined;
  readonly broughtForward?: boolean | undefined;
  /** Refused unless this is still to come by the server's clock: what it refers to might have been swept. */
  readonly notAfter?: Date | undefined;
}

/** Only the record, for reads of many builds. */
export const RECORD = { projection: { record: 1 } } as const;

/** Binds the build records of one database. */
export function createBuildRows(connection: Connection): BuildRows {
  const { builds } = tablesOf(connection);
  const accept = createAccepts(connection);
  const write = (condition: object, build: Build, change: BuildChange, fields: object = {}): Promise<boolean> => {
    // Rule 10: the same upload is no second job.
    const isNew = change.job && { 'jobs.key': { $ne: change.job.key } };
    const inTime = change.notAfter && { $expr: { $gt: [change.notAfter, connection.serverTime()] } };
    const stages = [assign({ ...keysOf(build), ...fields, record: build }), ...stagesOf(change), claimable('dueAt')];
    const filter = { _id: build.id, repoId: build.repoId, ...condition, ...isNew, ...inTime };
    return change.job === undefined
      ? builds.update(filter, stages, BY_ID)
      : accept({ filter, stages, document: change.job.document, unwritten: change.unwritten });
  };
  return {
    find: async (id) => (await builds.one({ _id: id }, RECORD))?.record,
    findReport: async (id) => (await builds.one({ _id: id }, { projection: { report: 1 } }))?.report,
    update: (before, build, change) => write({ 'record.revision': before.revision }, build, change),
    begin: (build, first) => write({ record: { $exists: false } }, build, first, { sequence: build.sequence }),
    async bringForward(id) {
      await builds.update({ _id: id, notBefore: { $exists: true } }, [{ $unset: 'notBefore' }, claimable('dueAt')]);
    },
  };
}

/** The records of documents; one without a record is no build yet. */
export function recordsOf(documents: readonly Pick<BuildDocument, 'record'>[]): readonly Build[] {
  return documents.map(({ record }) => record).filter((record) => record !== undefined);
}

/** What the build is found by; what does not hold is undefined, so that a write takes it away. */
export function keysOf(build: Build): { readonly [Key in keyof BuildKeys]-?: BuildKeys[Key] | undefined } {
  const { scope, closed, baseRank, commits, flags, baseId, missingBases } = indexBuild(build);
  const isNumberless = build.serviceNumber === undefined;
  return {
    listed: true,
    scope,
    closed: closed ? true : undefined,
    baseRank,
    commits: commits.length > 0 ? commits : undefined,
    flags: flags.length > 0 ? flags : undefined,
    numberless: isNumberless ? build.serviceName : undefined,
    ownNumber: isNumberless ? build.number : undefined,
    openParallel: build.state === 'open' && build.parallel ? true : undefined,
    baseId,
    wants: missingBases.length > 0 ? missingBases : undefined,
    dueAt: toDate(dueAt(build)),
  };
}

function stagesOf({ job, revised, report, pendingEffect, broughtForward }: BuildChange): readonly object[] {
  const stages: object[] = [];
  if (job !== undefined) stages.push({ $set: { jobs: append('$jobs', job) } });
  if (revised !== undefined) stages.push({ $set: { jobs: revise(revised) } });
  if (report !== undefined) stages.push(assign({ report }));
  if (pendingEffect !== undefined) {
    const owedSince = { $ifNull: ['$owedSince', new Date(pendingEffect.at)] };
    stages.push({ $set: { owed: append('$owed', pendingEffect), owedSince } });
  }
  if (broughtForward === true) stages.push({ $unset: 'notBefore' });
  return stages;
}

function revise({ index, document }: NonNullable<BuildChange['revised']>): object {
  const changed = { $mergeObjects: [{ $arrayElemAt: ['$jobs', index] }, { $literal: { document } }] };
  const before = index === 0 ? [] : { $slice: ['$jobs', index] };
  const after = { $slice: ['$jobs', index + 1, { $max: [1, { $size: '$jobs' }] }] };
  return { $concatArrays: [before, [changed], after] };
}
