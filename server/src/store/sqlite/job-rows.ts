import { uploadKey } from '../../domain/builds/accept-job.ts';
import type { Job } from '../../domain/builds/job.ts';
import type { ReportBytes } from '../../ports/report-bytes.ts';
import type { StoredSource } from '../../ports/store.ts';
import type { Connection } from './connection.ts';
import { readRecord, writeRecord } from './records.ts';

/** What accepting a job writes of the job itself. Only inside a write. */
export interface JobRows {
  /** The same upload in the same build (rule 10). */
  findByKey(buildId: number, key: string): Job | undefined;
  insert(job: Job, report: ReportBytes): void;
  update(job: Job): void;
  /** Each content once per repo. */
  addSources(repoId: number, sources: readonly StoredSource[]): void;
}

const INSERT = `
  INSERT INTO jobs (id, build_id, repo_id, number, upload_key, service_name, service_job_id, record)
  VALUES (:id, :buildId, :repoId, :number, :uploadKey, :serviceName, :serviceJobId, :record)`;

/** Binds the job records of one connection. */
export function createJobRows({ prepare }: Connection): JobRows {
  const byKey = prepare('SELECT record FROM jobs WHERE build_id = ? AND upload_key = ?');
  const insert = prepare(INSERT);
  const update = prepare('UPDATE jobs SET record = ? WHERE id = ?');
  const addReport = prepare('INSERT INTO job_reports (job_id, report) VALUES (?, ?)');
  const addSource = prepare('INSERT INTO sources (repo_id, digest, bytes) VALUES (?, ?, ?) ON CONFLICT DO NOTHING');

  return {
    findByKey: (buildId, key) => readRecord<Job>(byKey.get(buildId, key)),
    insert(job, report) {
      const { id, buildId, repoId, number, facts } = job;
      const { serviceName, serviceJobId = null } = facts;
      const key = uploadKey(facts, job.contentDigest);
      insert.run({ id, buildId, repoId, number, uploadKey: key, serviceName, serviceJobId, record: writeRecord(job) });
      addReport.run(id, report);
    },
    update: (job) => void update.run(writeRecord(job), job.id),
    addSources(repoId, sources) {
      for (const { digest, bytes } of sources) addSource.run(repoId, digest, bytes);
    },
  };
}
