import { uploadKey } from '../../core/builds/accept-job.ts';
import type { Build } from '../../core/builds/build.ts';
import type { Job } from '../../core/builds/job.ts';
import { dayOf } from '../../core/builds/job-limits.ts';
import type { ReportBytes } from '../../reports/report-bytes.ts';
import { toJob } from '../commands/accept-job.ts';
import type { BuildEffects, CommandPrimitives, Written } from '../commands/primitives.ts';
import { isRetriedBy, startOver } from '../delivery-steps.ts';
import type { AcceptJob } from '../store.ts';
import { FLIP_LEDGERS, packNext, writeNext } from '../tables/flip-ledgers.ts';
import type { BuildRows } from './build-rows.ts';
import { createCandidates } from './candidates.ts';
import type { Connection } from './connection.ts';
import type { NextId } from './counters.ts';
import type { DeliveryRows } from './delivery-rows.ts';
import type { JobRows } from './job-rows.ts';
import { createQuotaRows } from './quota-rows.ts';
import type { RepoRows } from './repo-rows.ts';
import { createTable, finish } from './table.ts';
import type { AuditRows } from './units.ts';

interface Rows {
  readonly repos: RepoRows;
  readonly builds: BuildRows;
  readonly jobs: JobRows;
  readonly deliveries: DeliveryRows;
  readonly audits: AuditRows;
  readonly nextId: NextId;
}

/** Nothing is staged: a write with all its effects is one transaction. */
export function createCommandPrimitives(connection: Connection, rows: Rows): CommandPrimitives<AcceptJob, ReportBytes> {
  const { prepare, read, write } = connection;
  const { repos, builds, jobs, audits, nextId } = rows;
  const bringForward = prepare('UPDATE builds SET not_before = NULL WHERE id = ?');
  const carryOut = createEffects(connection, rows);
  return {
    candidates: createCandidates(connection),
    ...createQuotaRows(connection),
    hasRepo: async (repoId) => read(() => repos.lastSequence(repoId) !== undefined),
    sentBytes: async (repoId, day) =>
      read(() => (repos.lastSequence(repoId) === undefined ? undefined : repos.sentBytes(repoId, day))),
    findBuild: async (buildId) => read(() => builds.find(buildId)),
    findJob: jobs.findByKey,
    jobsOf: jobs.ofBuild,
    update: async (before, after, effects = {}) =>
      audits.write(effects.audit, () => {
        const { job } = effects;
        if (job !== undefined && jobs.has(before.id, uploadKey(job.facts, job.contentDigest))) return undefined;
        if (!builds.update(before, after)) return undefined;
        if (effects.bringForward) bringForward.run(after.id);
        return carryOut(after, effects);
      }),
    async prepareOpening(repoId) {
      const last = read(() => repos.lastSequence(repoId)) ?? 0;
      return {
        begin: async (toBuild, effects = {}) =>
          write(() => {
            const sequence = repos.nextSequence(repoId, last);
            if (sequence === undefined) return undefined;
            const build = toBuild({ id: nextId('build'), repoId, sequence });
            builds.insert(build);
            return carryOut(build, effects);
          }),
      };
    },
    bringForward: async (buildId) => write(() => void bringForward.run(buildId)),
    stageUpload: async (upload) => upload,
    findAccepted: async () => undefined,
    async finishUpload({ repoId, sources, at }, accepted) {
      if (accepted?.repeated && sources.length > 0) write(() => jobs.addSources(repoId, sources, at));
    },
    stageReport: async (_, report) => report,
    discardReport: async () => undefined,
  };
}

/** What a write of a build does beside its record. Only inside that write. */
function createEffects(connection: Connection, { repos, jobs, deliveries, nextId }: Rows) {
  const { prepare } = connection;
  const ledgers = createTable(connection, FLIP_LEDGERS);
  const putReport = prepare('INSERT OR REPLACE INTO build_reports (build_id, report) VALUES (?, ?)');
  const addJob = (build: Build, upload: AcceptJob): Job => {
    const job = toJob(upload, { id: nextId('job'), buildId: build.id, number: build.jobs });
    jobs.insert(job, upload.report);
    jobs.addSources(upload.repoId, upload.sources, upload.at);
    repos.addSent(upload.repoId, dayOf(upload.at), upload.bytes);
    return job;
  };
  return (build: Build, effects: BuildEffects<AcceptJob, ReportBytes>): Written => {
    const { job, revisedJob, report, ledger, announce, retryAnnouncements: at } = effects;
    if (report !== undefined) putReport.run(build.id, report);
    if (revisedJob !== undefined) jobs.update(revisedJob);
    if (ledger !== undefined) finish(writeNext(ledgers, packNext(build.repoId, ledger)));
    const repo = announce && repos.find(build.repoId);
    if (repo !== undefined && announce !== undefined) deliveries.announce(repo, announce);
    const announced = at === undefined ? [] : deliveries.ofBuild(build);
    for (const record of announced) if (isRetriedBy(record, build)) deliveries.update(startOver(record, at ?? 0));
    return { build, job: job && addJob(build, job) };
  };
}
