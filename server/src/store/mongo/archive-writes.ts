import type { Collection } from 'mongodb';
import type { Job } from '../../domain/builds/job.ts';
import type { ArchiveEntry, ArchiveKind } from '../archive.ts';
import { groupOf } from '../commands/accept-job.ts';
import { keysOf } from './build-rows.ts';
import { BYTES_LIMIT, nameBytes, partWrites } from './bytes.ts';
import type { Connection } from './connection.ts';
import { placeOf, stateOf } from './delivery-rows.ts';
import type { PartDocument, StoredBytes } from './documents.ts';
import { entryOf } from './job-rows.ts';
import { nameKey } from './repo-store.ts';
import { toEntry } from './repo-tokens.ts';
import { assign, claimable, toDate } from './server-time.ts';
import { documentsOf } from './sources.ts';
import { chunksOf } from './walk.ts';

/**
 * How entries of each kind are written, with all that they are found by: as the adapter itself writes them. Every
 * document has a name that follows from its entry, so that writing one again changes nothing.
 */
export type ArchiveWrites = { readonly [K in ArchiveKind]: (entries: readonly ArchiveEntry<K>[]) => Promise<void> };

/** What one command brings: a majority has to have it in time. */
const BYTES_AT_ONCE = 16 * 1_048_576;

interface Written<Id> {
  readonly _id: Id;
  /** Stages of an update. */
  readonly stages: object[];
  /** Bytes, about, where they are many. */
  readonly size?: number;
}

type Put = <T extends { readonly _id: number | string }>(
  collection: Collection<T>,
  written: readonly Written<T['_id']>[],
) => Promise<void>;

/** Binds the writes of one database. */
export function createArchiveWrites(connection: Connection): ArchiveWrites {
  const { collections, serverTime } = connection;
  const put = createPut(connection);
  return {
    counter: (entries) =>
      put(
        collections.counters,
        entries.map(({ record: { name, value } }) => ({ _id: name, stages: [assign({ value })] })),
      ),
    repo: (entries) => put(collections.repos, entries.map(repoWrite)),
    'personal-token': (entries) =>
      put(
        collections.personalTokens,
        entries.map(({ record }) => ({ _id: record.id, stages: [assign({ hash: record.hash, record })] })),
      ),
    async build(entries) {
      await put(
        collections.parts,
        entries.flatMap(({ record: { build }, bytes }) =>
          partsOf(bytes, { repoId: build.repoId, owner: { kind: 'build', id: build.id } }, serverTime),
        ),
      );
      await put(collections.builds, entries.map(buildWrite));
    },
    job: (entries) => writeJobs(connection, put, entries),
    source: (entries) =>
      put(
        collections.sources,
        entries.flatMap((entry) => sourceWrites(entry, serverTime)),
      ),
    fact: (entries) => put(collections.facts, entries.map(factWrite)),
    delivery: (entries) => put(collections.deliveries, entries.map(deliveryWrite)),
  };
}

function createPut({ run }: Connection): Put {
  return async (collection, written) => {
    for await (const some of chunksOf(written, BYTES_AT_ONCE, ({ size }) => size ?? 1)) {
      const operations = some.map(({ _id, stages }) => ({
        updateOne: { filter: { _id }, update: stages, upsert: true },
      }));
      await run(() => collection.bulkWrite(operations as unknown as never, { ordered: false }), BYTES_LIMIT);
    }
  };
}

function repoWrite({ record: { repo, lastSequence, tokens } }: ArchiveEntry<'repo'>): Written<number> {
  const entries = tokens.map(({ id, ...token }) => toEntry(id, token));
  const found = { service: repo.service, nameKey: nameKey(repo.name) };
  return { _id: repo.id, stages: [assign({ ...found, lastSequence, tokens: entries, record: repo })] };
}

/** Its jobs come later: `group` and `slot` with the first. */
function buildWrite({ record: { build, notBefore }, bytes }: ArchiveEntry<'build'>): Written<number> {
  const { id, repoId, sequence, createdAt } = build;
  const place = { repoId, sequence, openedAt: new Date(createdAt), notBefore: toDate(notBefore) };
  const report = bytes && nameOf('build', id, bytes);
  return { _id: id, stages: [assign({ ...keysOf(build), ...place, report, record: build }), claimable('dueAt')] };
}

async function writeJobs(
  { collections, serverTime }: Connection,
  put: Put,
  entries: readonly ArchiveEntry<'job'>[],
): Promise<void> {
  await put(
    collections.parts,
    entries.flatMap(({ record: { id, repoId }, bytes = EMPTY }) =>
      partsOf(bytes, { repoId, owner: { kind: 'job', id } }, serverTime),
    ),
  );
  const documents = entries.map(({ record: { id: jobId, buildId: _, number: __, ...record }, bytes = EMPTY }) => {
    const fields = { jobId, repoId: record.repoId, report: nameOf('job', jobId, bytes), record };
    return { _id: documentOf(jobId), stages: [assign(fields), { $set: { writtenAt: serverTime() } }] };
  });
  await put(collections.jobs, documents);
  const ofBuilds = Map.groupBy(
    entries.map(({ record }) => record),
    ({ buildId }) => buildId,
  );
  await put(
    collections.builds,
    [...ofBuilds].map(([_id, jobs]) => ({ _id, stages: entryStages(jobs) })),
  );
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
  const group = first === undefined || before > 0 ? undefined : groupOf(first.facts);
  return group === undefined ? [named] : [named, assign({ group }), { $set: { slot: '$sequence' } }];
}

function sourceWrites(
  { record: { repoId, digest }, bytes = EMPTY }: ArchiveEntry<'source'>,
  serverTime: Connection['serverTime'],
): readonly Written<string>[] {
  return documentsOf(repoId, { digest, bytes }).map(({ _id, ...fields }) => ({
    _id,
    size: fields.bytes.position,
    stages: [assign({ ...fields, jobs: [], kept: true }), { $set: { seenAt: serverTime() } }],
  }));
}

function factWrite({ record: { repoId, key, at, value } }: ArchiveEntry<'fact'>): Written<string> {
  return { _id: `${repoId}/${key}`, stages: [assign({ repoId, at, value })] };
}

/** Nothing is owed any more, so that no order comes that was heard before: any stamp will do. */
function deliveryWrite({ record }: ArchiveEntry<'delivery'>): Written<number> {
  const fields = { ...placeOf(record.repoId, record.target), ...stateOf(record, { version: 0 }), stamp: 0 };
  return { _id: record.id, stages: [assign(fields), claimable('nextAttemptAt')] };
}

function partsOf(
  bytes: Uint8Array | undefined,
  place: Pick<PartDocument, 'repoId' | 'owner'>,
  serverTime: Connection['serverTime'],
): readonly Written<string>[] {
  if (bytes === undefined) return [];
  const stored = nameOf(place.owner.kind, place.owner.id, bytes);
  return partWrites(bytes, { ...place, stored }, serverTime).map(({ filter, update }) => ({
    _id: filter._id,
    stages: update,
    size: Math.ceil(bytes.length / stored.parts),
  }));
}

function nameOf(kind: PartDocument['owner']['kind'], id: number, bytes: Uint8Array): StoredBytes {
  return nameBytes(bytes, `copied-${kind}-${id}`);
}

function documentOf(jobId: number): string {
  return `copied-${jobId}`;
}

const EMPTY = new Uint8Array();
