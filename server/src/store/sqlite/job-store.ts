import { acceptJob, openBuild, refuseFullBuild, repeatJob, uploadKey } from '../../domain/builds/accept-job.ts';
import type { Build } from '../../domain/builds/build.ts';
import { findBuild } from '../../domain/builds/find-build.ts';
import type { Job } from '../../domain/builds/job.ts';
import { Failure } from '../../domain/failure.ts';
import type { ReportBytes } from '../../ports/report-bytes.ts';
import type { AcceptedJob, AcceptJob, JobStore } from '../../ports/store.ts';
import type { BuildRows } from './build-rows.ts';
import { type Candidates, createCandidates } from './candidates.ts';
import type { Connection } from './connection.ts';
import type { NextId } from './counters.ts';
import { createJobRows, type JobRows } from './job-rows.ts';
import { readRecord, readRecords } from './records.ts';
import type { RepoRows } from './repo-rows.ts';

interface Rows {
  readonly repos: RepoRows;
  readonly builds: BuildRows;
}

interface Accepting extends Rows {
  readonly jobs: JobRows;
  readonly candidates: Candidates;
  readonly nextId: NextId;
}

/** Jobs with their reports and sources, in SQLite. */
export function createJobStore(connection: Connection, rows: Rows, nextId: NextId): JobStore {
  const { prepare, read, write } = connection;
  const find = prepare('SELECT record FROM jobs WHERE id = ?');
  const ofBuild = prepare('SELECT record FROM jobs WHERE build_id = ? ORDER BY number');
  const report = prepare('SELECT report FROM job_reports WHERE job_id = ?');
  const source = prepare('SELECT bytes FROM sources WHERE repo_id = ? AND digest = ?');
  const accepting = { ...rows, jobs: createJobRows(connection), candidates: createCandidates(connection), nextId };

  const readReport = (jobId: number): ReportBytes => {
    const bytes = report.get(jobId)?.report as ReportBytes | undefined;
    if (bytes === undefined) throw new Failure('not-found', `The report of job ${jobId} is not stored (any more).`);
    return bytes;
  };
  return {
    accept: async (upload) => write(() => acceptUpload(accepting, upload)),
    find: async (jobId) => read(() => readRecord<Job>(find.get(jobId))),
    ofBuild: async (buildId) => read(() => readRecords<Job>(ofBuild.all(buildId))),
    reports: async (jobIds) => read(() => jobIds.map(readReport)),
    source: async (repoId, digest) =>
      read(() => {
        const bytes = source.get(repoId, digest)?.bytes as Uint8Array | undefined;
        return bytes && { digest, bytes };
      }),
  };
}

function acceptUpload(accepting: Accepting, upload: AcceptJob): AcceptedJob | undefined {
  const { repos, builds, jobs, candidates } = accepting;
  const { repoId, facts, at, periods } = upload;
  if (repos.find(repoId) === undefined) return undefined;
  const joined = findBuild(facts, candidates.toJoin(repoId, facts), { now: at, quiet: periods.quiet });
  const earlier = joined && jobs.findByKey(joined.id, uploadKey(facts, upload.contentDigest));
  if (joined !== undefined && earlier !== undefined) {
    const repeated = repeatJob(joined, earlier, facts, { at, periods });
    if (repeated.build !== joined) builds.update(joined, repeated.build);
    if (repeated.job !== earlier) jobs.update(repeated.job);
    jobs.addSources(repoId, upload.sources);
    return { ...repeated, repeated: true };
  }
  const build = applyJob(accepting, upload, joined);
  const job = toJob(upload, { id: accepting.nextId('job'), buildId: build.id, number: build.jobs });
  jobs.insert(job, upload.report);
  jobs.addSources(repoId, upload.sources);
  return { build, job, repeated: false };
}

/** The build with the job taken in: the one it joins, or its own (rule 9). */
function applyJob({ repos, builds, nextId }: Accepting, upload: AcceptJob, joined: Build | undefined): Build {
  const { repoId, facts, at, periods } = upload;
  if (joined !== undefined) {
    refuseFullBuild(joined);
    const build = acceptJob(joined, facts, { at, periods });
    builds.update(joined, build);
    return build;
  }
  const opened = openBuild(facts, { id: nextId('build'), repoId, sequence: repos.nextSequence(repoId), at });
  const build = acceptJob(opened, facts, { at, periods });
  builds.insert(build);
  return build;
}

function toJob(upload: AcceptJob, place: { id: number; buildId: number; number: number }): Job {
  const { repoId, facts, totals, files, contentDigest, warnings, at } = upload;
  return { ...place, repoId, facts, totals, files, contentDigest, warnings, createdAt: at };
}
