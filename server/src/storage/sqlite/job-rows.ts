import { uploadKey } from '../../core/builds/accept-job.ts';
import type { Job } from '../../core/builds/job.ts';
import { Failure } from '../../core/failure.ts';
import { TEXT_AGE_STEP } from '../../core/repo/retention.ts';
import type { Timestamp } from '../../core/time.ts';
import type { ReportBytes, StoredSource } from '../../reports/report-bytes.ts';
import { jobReportMissing } from '../sentences.ts';
import type { JobStore } from '../store.ts';
import type { Connection } from './connection.ts';
import { selectRecord, selectRecords, writeRecord } from './records.ts';

/** Jobs with their reports and sources. What writes does so only inside a write. */
export interface JobRows extends Omit<JobStore, 'accept'> {
  /** The same upload in the same build (rule 10). */
  findByKey(buildId: number, key: string): Promise<Job | undefined>;
  has(buildId: number, key: string): boolean;
  insert(job: Job, report: ReportBytes): void;
  update(job: Job): void;
  /** Each content once per repo. `at`: an upload names them now. */
  addSources(repoId: number, sources: readonly StoredSource[], at?: Timestamp): void;
}

const INSERT = `
  INSERT INTO jobs (id, build_id, repo_id, number, upload_key, service_name, service_job_id, record)
  VALUES (:id, :buildId, :repoId, :number, :uploadKey, :serviceName, :serviceJobId, :record)`;

/** Binds the job records of one connection. */
export function createJobRows(connection: Connection): JobRows {
  const { prepare, read } = connection;
  const insert = prepare(INSERT);
  const has = prepare('SELECT 1 FROM jobs WHERE build_id = ? AND upload_key = ?');
  const update = prepare('UPDATE jobs SET record = ? WHERE id = ?');
  const report = prepare('SELECT report FROM job_reports WHERE job_id = ?');
  const addReport = prepare('INSERT INTO job_reports (job_id, report) VALUES (?, ?)');
  const source = prepare('SELECT bytes FROM sources WHERE repo_id = ? AND digest = ?');
  const addSource = prepare('INSERT INTO sources (repo_id, digest, bytes) VALUES (?, ?, ?) ON CONFLICT DO NOTHING');
  // Beside the texts: to change a row would write its whole text again.
  const noteAge = prepare(`
    INSERT INTO source_ages (repo_id, digest, named_at) VALUES (:repoId, :digest, :at)
    ON CONFLICT DO UPDATE SET named_at = excluded.named_at WHERE named_at < :stale`);

  // Numbers count from 1, without a gap.
  const page = selectRecords<Job>(
    connection,
    'SELECT record FROM jobs WHERE build_id = ? AND number > ? ORDER BY number LIMIT ?',
  );

  const readReport = (jobId: number): ReportBytes => {
    const bytes = report.get(jobId)?.report as ReportBytes | undefined;
    if (bytes === undefined) throw new Failure('not-found', jobReportMissing(jobId));
    return bytes;
  };
  return {
    find: selectRecord<Job>(connection, 'SELECT record FROM jobs WHERE id = ?'),
    findByKey: selectRecord<Job>(connection, 'SELECT record FROM jobs WHERE build_id = ? AND upload_key = ?'),
    ofBuild: selectRecords<Job>(connection, 'SELECT record FROM jobs WHERE build_id = ? ORDER BY number'),
    list: ({ buildId, offset, limit }) => page(buildId, offset, limit),
    reports: async (jobIds) => read(() => jobIds.map(readReport)),
    source: async (repoId, digest) =>
      read(() => {
        const bytes = source.get(repoId, digest)?.bytes as Uint8Array | undefined;
        return bytes && { digest, bytes };
      }),
    has: (buildId, key) => has.get(buildId, key) !== undefined,
    insert(job, bytes) {
      const { id, buildId, repoId, number, facts } = job;
      const { serviceName, serviceJobId = null } = facts;
      const key = uploadKey(facts, job.contentDigest);
      insert.run({ id, buildId, repoId, number, uploadKey: key, serviceName, serviceJobId, record: writeRecord(job) });
      addReport.run(id, bytes);
    },
    update: (job) => void update.run(writeRecord(job), job.id),
    addSources(repoId, sources, at) {
      for (const { digest, bytes } of sources) {
        addSource.run(repoId, digest, bytes);
        if (at !== undefined) noteAge.run({ repoId, digest, at, stale: at - TEXT_AGE_STEP });
      }
    },
  };
}
