import { createHash, randomUUID } from 'node:crypto';
import { MAX_JOBS, uploadKey } from '../../core/builds/accept-job.ts';
import type { Job } from '../../core/builds/job.ts';
import { Failure } from '../../core/failure.ts';
import { RecentMap } from '../../core/recent-map.ts';
import { toUploaded } from '../commands/accept-job.ts';
import { notStored as notStoredText, reportOfJob } from '../sentences.ts';
import type { AcceptJob, JobStore } from '../store.ts';
import { JOB_BYTES, type UploadDocuments } from './accepts.ts';
import { nameBytes, type ReportParts } from './bytes.ts';
import { type Connection, TIME_LIMIT } from './connection.ts';
import type { JobDocument, JobEntry, StoredBytes } from './documents.ts';
import { createGroupedInserts, type GroupedInsert } from './grouped-inserts.ts';
import { assign } from './server-time.ts';
import { tablesOf } from './table.ts';

/** An upload that, once it is written, may be accepted until `acceptBy`, by the server's clock. */
export interface NamedUpload {
  readonly jobId: number;
  readonly document: string;
  readonly report: StoredBytes;
  readonly acceptBy: Date;
}

/** Jobs are documents of their own: written before they are accepted, and counted only where a build names them. */
export interface JobRows extends Pick<JobStore, 'find' | 'ofBuild' | 'list' | 'reports'> {
  /** An upload that is not written yet. */
  prepare(upload: AcceptJob, jobId: number): NamedUpload & { readonly unwritten: UploadDocuments };
  write(unwritten: UploadDocuments): Promise<void>;
  /** Writes it whether it was written before or not: then it is as if just written, by the server's clock. */
  writeAgain(upload: AcceptJob, named: NamedUpload): Promise<NamedUpload>;
  /** Notes where its report is, which never changes: it is merged soon. Called once a build names the upload. */
  accepted(named: NamedUpload): void;
  /** Takes back an upload that was not accepted. */
  remove(named: NamedUpload): Promise<void>;
  /** The job of the build's entry with that upload key (rule 10). */
  findByKey(buildId: number, key: string): Promise<Job | undefined>;
  /** Where the reports of accepted jobs are. */
  reportsOf(jobIds: readonly number[]): Promise<ReadonlyMap<number, StoredBytes>>;
  /** A document for the changed job, with the same report. */
  revise(job: Job): Promise<string>;
}

/** An accepting write later than this is refused and the upload written again: the sweep takes what is much older. */
const ACCEPT_LIMIT = 10 * 60_000;

/** Reports are merged ahead within minutes, and on the server that took them; in ms. */
const REMEMBERED = { max: 5_000, lasts: 10 * 60_000 };

type Finding = Pick<JobRows, 'findByKey' | 'find' | 'ofBuild' | 'list' | 'reportsOf'>;

/** Binds the jobs of one database. */
export function createJobRows(connection: Connection, parts: ReportParts): JobRows {
  const finding = createFinding(connection);
  const { reportsOf, accepted } = rememberReports(finding);
  const insert = createGroupedInserts(connection, connection.collections.jobs, {
    weigh: () => JOB_BYTES,
    limit: TIME_LIMIT,
  });
  return {
    ...finding,
    ...createUploads(connection, { parts, insert }),
    reportsOf,
    accepted,
    async reports(jobIds) {
      const stored = await reportsOf(jobIds);
      return parts.readAll(
        jobIds.map((jobId) => {
          const report = stored.get(jobId);
          if (report === undefined) throw notStored(reportOfJob(jobId));
          return { stored: report, what: reportOfJob(jobId) };
        }),
      );
    },
    async revise(job) {
      const { id, buildId, number, ...record } = job;
      const stored = (await reportsOf([id])).get(id);
      if (stored === undefined) throw new Error(`job ${number} of build ${buildId} has no report`);
      const document = randomUUID();
      const writtenAt = connection.guessTime();
      await insert({ _id: document, jobId: id, repoId: job.repoId, report: stored, record, writtenAt });
      return document;
    },
  };
}

/** Uploads that no build names yet. */
function createUploads(
  connection: Connection,
  { parts, insert }: { readonly parts: ReportParts; readonly insert: GroupedInsert<JobDocument> },
): Pick<JobRows, 'prepare' | 'write' | 'writeAgain' | 'remove'> {
  const { jobs } = tablesOf(connection);
  return {
    prepare(upload, jobId) {
      const { repoId } = upload;
      const report = nameBytes(upload.report);
      // A time that is guessed too early is refused and written again; what is guessed too late is only swept later.
      const writtenAt = connection.guessTime();
      const job = { _id: randomUUID(), jobId, repoId, report, writtenAt, record: toUploaded(upload) };
      return {
        jobId,
        document: job._id,
        report,
        acceptBy: acceptBy(writtenAt),
        unwritten: { job, parts: parts.documentsOf(upload.report, placeOf(upload, jobId), report) },
      };
    },
    async write({ job, parts: documents }) {
      await Promise.all([insert(job), parts.add(documents)]);
    },
    async writeAgain(upload, { jobId, document, report }) {
      const { repoId } = upload;
      const stages = [
        assign({ jobId, repoId, report, record: toUploaded(upload) }),
        { $set: { writtenAt: connection.serverTime() } },
      ];
      const options = { upsert: true, projection: { writtenAt: 1 } } as const;
      const [written] = await Promise.all([
        jobs.change({ _id: document }, stages, options),
        parts.write(upload.report, placeOf(upload, jobId), report),
      ]);
      return { jobId, document, report, acceptBy: acceptBy(written?.writtenAt ?? new Date(0)) };
    },
    async remove({ document, report }) {
      await jobs.remove({ _id: document });
      await parts.remove(report);
    },
  };
}

function rememberReports(finding: Finding): Pick<JobRows, 'reportsOf' | 'accepted'> {
  const recent = new RecentMap<StoredBytes>({ ...REMEMBERED, now: () => performance.now() });
  return {
    async reportsOf(jobIds) {
      const known = jobIds.flatMap((id) => {
        const report = recent.get(String(id));
        return report === undefined ? [] : [[id, report] as const];
      });
      return known.length === jobIds.length ? new Map(known) : finding.reportsOf(jobIds);
    },
    accepted: ({ jobId, report }) => recent.set(String(jobId), report),
  };
}

function acceptBy(writtenAt: Date): Date {
  return new Date(writtenAt.getTime() + ACCEPT_LIMIT);
}

function placeOf({ repoId }: AcceptJob, jobId: number) {
  return { repoId, owner: { kind: 'job', id: jobId } } as const;
}

/** The entry by which a build names a job. */
export function entryOf(
  { facts, contentDigest }: Pick<AcceptJob, 'facts' | 'contentDigest'>,
  { jobId, document }: Pick<NamedUpload, 'jobId' | 'document'>,
): JobEntry {
  const { serviceName, serviceJobId } = facts;
  const entry = { id: jobId, document, key: keyOf(uploadKey(facts, contentDigest)), serviceName };
  return serviceJobId === undefined ? entry : { ...entry, serviceJobId };
}

/** Texts of uploads may be long; entries stay small. */
function keyOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

function createFinding(connection: Connection): Finding {
  const { builds, jobs } = tablesOf(connection);
  const read = async (buildId: number, meant: readonly NumberedEntry[]): Promise<readonly Job[]> => {
    if (meant.length === 0) return [];
    const ids = meant.map(({ entry }) => entry.document);
    const found = await jobs.list({ _id: { $in: ids } }, { projection: { record: 1 } });
    const records = new Map(found.map(({ _id, record }) => [_id, record]));
    return meant.map(({ entry: { id, document }, number }) => {
      const record = records.get(document);
      if (record === undefined) throw notStored(`Job ${number} of build ${buildId}`);
      return { ...record, id, buildId, number };
    });
  };
  /** The jobs that one build names by such entries. */
  const find = async (filter: object, isMeant: (entry: JobEntry) => boolean = () => true): Promise<readonly Job[]> => {
    const build = await builds.one(filter, { projection: { jobs: 1 } });
    if (build === undefined) return [];
    return read(
      build._id,
      numbered(build.jobs).filter(({ entry }) => isMeant(entry)),
    );
  };
  return {
    async findByKey(buildId, text) {
      const key = keyOf(text);
      return (await find({ _id: buildId }, (entry) => entry.key === key))[0];
    },
    find: async (jobId) => (await find({ 'jobs.id': jobId }, ({ id }) => id === jobId))[0],
    ofBuild: (buildId) => find({ _id: buildId }),
    async list({ buildId, offset, limit }) {
      // Beside another field that is asked for, only this part of the list is sent.
      const projection = { repoId: 1, jobs: { $slice: [Math.min(offset, MAX_JOBS), limit] } };
      const build = limit < 1 ? undefined : await builds.one({ _id: buildId }, { projection });
      return build === undefined ? [] : read(buildId, numbered(build.jobs, offset));
    },
    async reportsOf(jobIds) {
      const naming = await builds.list({ 'jobs.id': { $in: [...jobIds] } }, { projection: { jobs: 1 } });
      const meant = new Set(jobIds);
      const entries = naming.flatMap((build) => build.jobs ?? []).filter(({ id }) => meant.has(id));
      const ids = entries.map(({ document }) => document);
      const found = await jobs.list({ _id: { $in: ids } }, { projection: { jobId: 1, report: 1 } });
      return new Map(found.map(({ jobId, report }) => [jobId, report]));
    },
  };
}

interface NumberedEntry {
  readonly entry: JobEntry;
  readonly number: number;
}

/** Entries with their places in the whole list, of which `offset` come before. */
function numbered(entries: readonly JobEntry[] = [], offset = 0): readonly NumberedEntry[] {
  return entries.map((entry, index) => ({ entry, number: offset + index + 1 }));
}

function notStored(what: string): Failure {
  return new Failure('not-found', notStoredText(what));
}
