import type { Document, Filter } from 'mongodb';
import type { Job } from '../../core/builds/job.ts';
import type { ArchiveEntry, ArchiveKind } from '../archive.ts';
import { groupOf, meetingOf } from '../commands/accept-job.ts';
import { nameKey } from '../repo-steps.ts';
import { createDeclaredWrites, type DeclaredKind } from '../tables/copied.ts';
import { BY_ID } from './accepts.ts';
import { keysOf } from './build-rows.ts';
import { createReportParts, nameBytes } from './bytes.ts';
import { chunksOf } from './chunks.ts';
import type { Connection } from './connection.ts';
import { createTables, drive } from './declared-table.ts';
import { placeOf, stateOf } from './delivery-rows.ts';
import type { PartDocument } from './documents.ts';
import { entryOf } from './job-rows.ts';
import { toEntry } from './repo-tokens.ts';
import { assign, claimable, toDate } from './server-time.ts';
import { documentsOf } from './sources.ts';
import { type Table, tablesOf } from './table.ts';

/** How entries of each kind are written, with all that they are found by: as the adapter itself writes them. */
export type ArchiveWrites = { readonly [K in ArchiveKind]: (entries: readonly ArchiveEntry<K>[]) => Promise<void> };

/** Writes that wait for a majority at the same time. */
const AT_ONCE = 50;
const EMPTY = new Uint8Array();

/** Binds the writes of one database. Names follow from the entries, so that writing one again changes nothing. */
export function createArchiveWrites(connection: Connection): ArchiveWrites {
  const { serverTime } = connection;
  const { counters, repos, builds, jobs, sources, deliveries } = tablesOf(connection);
  const reports = createReportParts(connection);
  const writeReport = async (bytes: Uint8Array, repoId: number, owner: PartDocument['owner']) => {
    const stored = nameBytes(bytes, `copied-${owner.kind}-${owner.id}`);
    await reports.write(bytes, { repoId, owner }, stored);
    return stored;
  };
  const writeJob = each<'job'>(async ({ record: { id, buildId: _, number: __, ...record }, bytes = EMPTY }) => {
    const report = await writeReport(bytes, record.repoId, { kind: 'job', id });
    const fields = assign({ jobId: id, repoId: record.repoId, report, record });
    await put(jobs, { _id: documentOf(id) }, fields, { $set: { writtenAt: serverTime() } });
  });
  return {
    ...createDeclaredWrites(createTables(connection), (insert) =>
      each<DeclaredKind>(async (entry) => void (await drive(insert(entry)))),
    ),
    counter: each(({ record: { name, value } }) => put(counters, { _id: name }, assign({ value }))),
    repo: each(({ record: { repo, lastSequence, tokens } }) => {
      const found = { service: repo.service, nameKey: nameKey(repo.name), lastSequence };
      const entries = tokens.map(({ id, ...token }) => toEntry(id, token));
      return put(repos, { _id: repo.id }, assign({ ...found, tokens: entries, record: repo }));
    }),
    build: each(async ({ record: { build, notBefore }, bytes }) => {
      const { id, repoId, sequence, createdAt } = build;
      const report = bytes && (await writeReport(bytes, repoId, { kind: 'build', id }));
      const place = { repoId, sequence, openedAt: new Date(createdAt), notBefore: toDate(notBefore) };
      const fields = assign({ ...keysOf(build), ...place, report, record: build });
      await put(builds, { _id: id, repoId }, fields, claimable('dueAt'));
    }),
    async job(entries) {
      await writeJob(entries);
      const ofBuilds = Map.groupBy(entries, ({ record }) => record.buildId);
      for (const [_id, some] of ofBuilds) {
        const named = some.map(({ record }) => record);
        await put(builds, { _id, repoId: named[0]?.repoId ?? 0 }, ...entryStages(named));
      }
    },
    source: each(async ({ record: { repoId, digest }, bytes = EMPTY }) => {
      for (const { _id, ...fields } of documentsOf(repoId, { digest, bytes }))
        await put(sources, { _id }, assign({ ...fields, jobs: [], kept: true }), { $set: { seenAt: serverTime() } });
    }),
    // Nothing is pending any more, so that no order comes that was taken before: any stamp will do.
    delivery: each(({ record }) => {
      const fields = { ...placeOf(record.repoId, record.target), ...stateOf(record, { version: 0 }), stamp: 0 };
      return put(deliveries, { _id: record.id, repoId: record.repoId }, assign(fields), claimable('nextAttemptAt'));
    }),
  };
}

function each<K extends ArchiveKind>(write: (entry: ArchiveEntry<K>) => Promise<void>) {
  return async (entries: readonly ArchiveEntry<K>[]): Promise<void> => {
    for (const some of chunksOf(entries, AT_ONCE)) await Promise.all(some.map(write));
  };
}

/** `place` has the shard key, without which a sharded cluster makes no document. */
async function put<T extends Document>(table: Table<T>, place: Filter<T>, ...stages: object[]): Promise<void> {
  await table.update(place, stages, { upsert: true, ...BY_ID });
}

/**
 * The build names its jobs: these from the place of the first of them on. The first job of all opened the build (rule
 * 9); its sequence is a slot that no other of the group has.
 */
function entryStages(jobs: readonly Job[]): object[] {
  const entries = jobs.map((job) => entryOf(job, { jobId: job.id, document: documentOf(job.id) }));
  const [first] = jobs;
  const before = first === undefined ? 0 : first.number - 1;
  const earlier = before === 0 ? [] : { $slice: [{ $ifNull: ['$jobs', []] }, before] };
  const named = { $set: { jobs: { $concatArrays: [earlier, { $literal: entries }] } } };
  const [group, meeting] = first === undefined || before > 0 ? [] : [groupOf(first.facts), meetingOf(first.facts)];
  return [
    named,
    ...(group === undefined ? [] : [assign({ group }), { $set: { slot: '$sequence' } }]),
    ...(meeting === undefined ? [] : [assign({ meeting }), { $set: { meetingSlot: '$sequence' } }]),
  ];
}

function documentOf(jobId: number): string {
  return `copied-${jobId}`;
}
