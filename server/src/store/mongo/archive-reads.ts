import { Failure } from '../../domain/failure.ts';
import {
  type ArchiveEntry,
  type ArchiveKind,
  type ArchiveRecords,
  CHECK_COUNTER,
  idOfKey,
  restOfKey,
} from '../archive.ts';
import { createReportParts, joinBytes, type ReportParts } from './bytes.ts';
import type { Connection } from './connection.ts';
import type { BuildDocument, JobDocument, JobEntry, StoredBytes } from './documents.ts';
import { PRESENT } from './repo-rows.ts';
import { createSources } from './sources.ts';
import { chunksOf, walk } from './walk.ts';

/** How the entries of each kind behind a key are read; only what was accepted, of repos that were not removed. */
export type ArchiveReads = {
  readonly [K in ArchiveKind]: (after: string | undefined) => AsyncIterable<ArchiveEntry<K>>;
};

/** Reports that are read at once may have so many parts of 8 MiB together. */
const PARTS_AT_ONCE = 8;
const JOBS_AT_ONCE = 100;
const BY_ID = { sort: { _id: 1 } } as const;

/** Binds the reads of one database. */
export function createArchiveReads(connection: Connection): ArchiveReads {
  const { collections, run } = connection;
  const { counters, personalTokens, deliveries } = collections;
  const behind = (after: string | undefined) => ({ _id: { $gt: idOfKey(after) } });
  return {
    counter: (after = '') =>
      mapped(walk(run, counters.find({ _id: { $gt: after, $ne: CHECK_COUNTER } }, BY_ID)), ({ _id, value }) => ({
        record: { name: _id, value },
      })),
    repo: (after) => readRepos(connection, after),
    'personal-token': (after) =>
      mapped(walk(run, personalTokens.find(behind(after), BY_ID)), ({ record }) => ({ record })),
    build: (after) => readBuilds(connection, after),
    job: (after) => readJobs(connection, after),
    source: (after) => readSources(connection, after),
    fact: (after) => readFacts(connection, after),
    delivery: (after) => mapped(walk(run, deliveries.find(behind(after), BY_ID)), ({ record }) => ({ record })),
  };
}

async function* mapped<T, U>(items: AsyncIterable<T>, change: (item: T) => U): AsyncGenerator<U> {
  for await (const item of items) yield change(item);
}

function readRepos(connection: Connection, after: string | undefined): AsyncIterable<ArchiveEntry<'repo'>> {
  const found = connection.collections.repos.find({ ...PRESENT, _id: { $gt: idOfKey(after) } }, BY_ID);
  return mapped(walk(connection.run, found), ({ record, lastSequence, tokens }) => ({
    record: { repo: record, lastSequence, tokens: [...tokens].sort((a, b) => a.id - b.id) },
  }));
}

/** Not those whose first job never came. */
async function* readBuilds(connection: Connection, after: string | undefined): AsyncGenerator<ArchiveEntry<'build'>> {
  const reports = createReportParts(connection);
  const projection = { record: 1, notBefore: 1, report: 1 };
  const found = connection.collections.builds.find(
    { _id: { $gt: idOfKey(after) }, record: { $exists: true } },
    { ...BY_ID, projection },
  );
  const entries = mapped(walk(connection.run, found), ({ record, notBefore, report }) => ({
    record: { build: record as ArchiveRecords['build']['build'], notBefore: notBefore?.getTime() },
    stored: report,
  }));
  yield* withBytes(reports, entries, ({ build }) => `The report of build ${build.id}`);
}

async function* readJobs(connection: Connection, after: string | undefined): AsyncGenerator<ArchiveEntry<'job'>> {
  const reports = createReportParts(connection);
  const [afterBuild, afterNumber] = [idOfKey(after), Number(restOfKey(after))];
  const found = connection.collections.builds.find(
    { _id: { $gte: afterBuild }, record: { $exists: true } },
    { ...BY_ID, projection: { jobs: 1 } },
  );
  const places = placesOf(
    walk(connection.run, found),
    (buildId, number) => buildId > afterBuild || number > afterNumber,
  );
  yield* withBytes(reports, jobsAt(connection, places), ({ id }) => `The report of job ${id}`);
}

/** Where a build names a job. */
interface JobPlace {
  readonly buildId: number;
  readonly number: number;
  readonly entry: JobEntry;
}

async function* placesOf(
  builds: AsyncIterable<Pick<BuildDocument, '_id' | 'jobs'>>,
  isWanted: (buildId: number, number: number) => boolean,
): AsyncGenerator<JobPlace> {
  for await (const { _id: buildId, jobs = [] } of builds) {
    for (const [index, entry] of jobs.entries()) {
      if (isWanted(buildId, index + 1)) yield { buildId, number: index + 1, entry };
    }
  }
}

async function* jobsAt({ collections: { jobs }, run }: Connection, places: AsyncIterable<JobPlace>) {
  for await (const some of chunksOf(places, JOBS_AT_ONCE)) {
    const ids = some.map(({ entry }) => entry.document);
    const found = await run(() => jobs.find({ _id: { $in: ids } }, { projection: { record: 1, report: 1 } }).toArray());
    const documents = new Map<string, Pick<JobDocument, 'record' | 'report'>>(
      found.map((document) => [document._id, document]),
    );
    for (const { buildId, number, entry } of some) {
      const document = documents.get(entry.document);
      if (document === undefined)
        throw new Failure('not-found', `Job ${entry.id} of build ${buildId} is not stored (any more).`);
      yield { record: { ...document.record, id: entry.id, buildId, number }, stored: document.report };
    }
  }
}

async function* withBytes<R>(
  reports: ReportParts,
  entries: AsyncIterable<{ readonly record: R; readonly stored: StoredBytes | undefined }>,
  nameOf: (record: R) => string,
): AsyncGenerator<{ readonly record: R; readonly bytes: Uint8Array | undefined }> {
  for await (const some of chunksOf(entries, PARTS_AT_ONCE, ({ stored }) => stored?.parts ?? 0)) {
    yield* await Promise.all(
      some.map(async ({ record, stored }) => ({
        record,
        bytes: stored && (await reports.read(stored, nameOf(record))),
      })),
    );
  }
}

/**
 * For collections whose names begin with a repo's id: repo by repo, since that sorts otherwise as text than as a
 * number.
 */
async function* rangesOf({ collections: { repos }, run }: Connection, after: string | undefined) {
  const [afterRepo, afterRest] = [idOfKey(after), restOfKey(after)];
  const present = repos.find({ ...PRESENT, _id: { $gte: afterRepo } }, { ...BY_ID, projection: { _id: 1 } });
  for await (const { _id: repoId } of walk(run, present)) {
    // "0" is the character after "/".
    yield { repoId, _id: { $gt: `${repoId}/${repoId === afterRepo ? afterRest : ''}`, $lt: `${repoId}0` } };
  }
}

async function* readSources(connection: Connection, after: string | undefined): AsyncGenerator<ArchiveEntry<'source'>> {
  const { collections, run } = connection;
  const { find } = createSources(connection);
  for await (const { repoId, _id: range } of rangesOf(connection, after)) {
    for await (const { _id, parts, bytes } of walk(run, collections.sources.find({ _id: range, kept: true }, BY_ID))) {
      const [, digest = '', part] = _id.split('/');
      if (part !== undefined) continue;
      const whole = parts === 1 ? joinBytes([bytes]) : (await find(repoId, digest))?.bytes;
      yield { record: { repoId, digest }, bytes: whole };
    }
  }
}

async function* readFacts(connection: Connection, after: string | undefined): AsyncGenerator<ArchiveEntry<'fact'>> {
  const { collections, run } = connection;
  for await (const { repoId, _id: range } of rangesOf(connection, after)) {
    for await (const { _id, at, value } of walk(run, collections.facts.find({ _id: range }, BY_ID))) {
      yield { record: { repoId, key: restOfKey(_id), at, value } };
    }
  }
}
