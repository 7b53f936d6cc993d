import { createHash, randomUUID } from 'node:crypto';
import { uploadKey } from '../../domain/builds/accept-job.ts';
import type { Job } from '../../domain/builds/job.ts';
import { Failure } from '../../domain/failure.ts';
import type { AcceptJob } from '../../ports/store.ts';
import { nameBytes, type ReportParts } from './bytes.ts';
import type { Connection } from './connection.ts';
import type { JobDocument, JobEntry, StoredBytes } from './documents.ts';
import { assign } from './server-time.ts';

/** An upload that is written and may be accepted until `acceptBy`, by the server's clock. */
export interface WrittenUpload {
  readonly jobId: number;
  readonly document: string;
  readonly report: StoredBytes;
  readonly acceptBy: Date;
}

/** Jobs are documents of their own: written before they are accepted, and counted only where a build names them. */
export interface JobRows {
  /** Writes an upload with its report; again: as if it were just written. */
  write(upload: AcceptJob, jobId: number, earlier?: WrittenUpload): Promise<WrittenUpload>;
  /** Takes back an upload that was not accepted. */
  remove(written: WrittenUpload): Promise<void>;
  /** The job that the build's entry with that key names (rule 10), with its place in the list. */
  findByKey(buildId: number, key: string): Promise<{ readonly job: Job; readonly index: number } | undefined>;
  /** A document for the changed job, with the same report. */
  revise(job: Job): Promise<string>;
  find(jobId: number): Promise<Job | undefined>;
  ofBuild(buildId: number): Promise<readonly Job[]>;
  /** Where the reports of accepted jobs are. */
  reportsOf(jobIds: readonly number[]): Promise<ReadonlyMap<number, StoredBytes>>;
}

/** An accepting write later than this is refused and the upload written again: the sweep takes what is much older. */
const ACCEPT_LIMIT = 10 * 60_000;

/** Binds the jobs of one database. */
export function createJobRows(connection: Connection, reports: ReportParts): JobRows {
  const { collections, run, serverTime } = connection;
  const { jobs } = collections;
  const finding = createFinding(connection);
  const put = async (_id: string, fields: Omit<JobDocument, '_id' | 'writtenAt'>): Promise<Date> => {
    const stages = [assign({ ...fields }), { $set: { writtenAt: serverTime() } }];
    const written = await run(() =>
      jobs.findOneAndUpdate({ _id }, stages, { upsert: true, returnDocument: 'after', projection: { writtenAt: 1 } }),
    );
    return written?.writtenAt ?? new Date(0);
  };
  return {
    async write(upload, jobId, earlier) {
      const { repoId } = upload;
      const report = earlier?.report ?? nameBytes(upload.report);
      const document = earlier?.document ?? randomUUID();
      const [writtenAt] = await Promise.all([
        put(document, { jobId, repoId, report, record: recordOf(upload) }),
        reports.write(upload.report, { repoId, owner: { kind: 'job', id: jobId } }, report),
      ]);
      return { jobId, document, report, acceptBy: new Date(writtenAt.getTime() + ACCEPT_LIMIT) };
    },
    async remove({ document, report }) {
      await run(() => jobs.deleteOne({ _id: document }));
      await reports.remove(report);
    },
    ...finding,
    async revise(job) {
      const { id, buildId, number, ...record } = job;
      const stored = (await finding.reportsOf([id])).get(id);
      if (stored === undefined) throw new Error(`job ${number} of build ${buildId} has no report`);
      const document = randomUUID();
      await put(document, { jobId: id, repoId: job.repoId, report: stored, record });
      return document;
    },
  };
}

/** The entry by which a build names a job. */
export function entryOf(
  { facts, contentDigest }: Pick<AcceptJob, 'facts' | 'contentDigest'>,
  { jobId, document }: Pick<WrittenUpload, 'jobId' | 'document'>,
): JobEntry {
  const { serviceName, serviceJobId } = facts;
  const entry = { id: jobId, document, key: keyOf(uploadKey(facts, contentDigest)), serviceName };
  return serviceJobId === undefined ? entry : { ...entry, serviceJobId };
}

/** Texts of uploads may be long; entries stay small. */
export function keyOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

function recordOf({ repoId, facts, totals, files, contentDigest, warnings, at }: AcceptJob): JobDocument['record'] {
  return { repoId, facts, totals, files, contentDigest, warnings, createdAt: at };
}

type Finding = Pick<JobRows, 'findByKey' | 'find' | 'ofBuild' | 'reportsOf'>;

function createFinding({ collections, run }: Connection): Finding {
  const { builds, jobs } = collections;
  const readJobs = async (
    buildId: number,
    entries: readonly (JobEntry & { readonly index: number })[],
  ): Promise<readonly Job[]> => {
    const ids = entries.map(({ document }) => document);
    const found = await run(() => jobs.find({ _id: { $in: ids } }, { projection: { record: 1 } }).toArray());
    const records = new Map(found.map(({ _id, record }) => [_id, record]));
    return entries.map(({ id, index, document }) => {
      const record = records.get(document);
      if (record === undefined)
        throw new Failure('not-found', `Job ${index + 1} of build ${buildId} is not stored (any more).`);
      return { ...record, id, buildId, number: index + 1 };
    });
  };
  const entriesOf = async (
    filter: object,
  ): Promise<{ buildId: number; entries: readonly (JobEntry & { index: number })[] }> => {
    const build = await run(() => builds.findOne(filter, { projection: { jobs: 1 } }));
    return { buildId: build?._id ?? 0, entries: (build?.jobs ?? []).map((entry, index) => ({ ...entry, index })) };
  };
  return {
    async findByKey(buildId, key) {
      const { entries } = await entriesOf({ _id: buildId });
      const entry = entries.find((one) => one.key === key);
      const [job] = entry === undefined ? [] : await readJobs(buildId, [entry]);
      return entry && job && { job, index: entry.index };
    },
    async find(jobId) {
      const { buildId, entries } = await entriesOf({ 'jobs.id': jobId });
      return (
        await readJobs(
          buildId,
          entries.filter(({ id }) => id === jobId),
        )
      )[0];
    },
    async ofBuild(buildId) {
      const { entries } = await entriesOf({ _id: buildId });
      return readJobs(buildId, entries);
    },
    async reportsOf(jobIds) {
      const naming = await run(() =>
        builds.find({ 'jobs.id': { $in: [...jobIds] } }, { projection: { jobs: 1 } }).toArray(),
      );
      const wanted = new Set(jobIds);
      const entries = naming.flatMap((build) => build.jobs ?? []).filter(({ id }) => wanted.has(id));
      const ids = entries.map(({ document }) => document);
      const found = await run(() =>
        jobs.find({ _id: { $in: ids } }, { projection: { jobId: 1, report: 1 } }).toArray(),
      );
      return new Map(found.map(({ jobId, report }) => [jobId, report]));
    },
  };
}
