import type { Build } from '../../core/builds/build.ts';
import type { Job } from '../../core/builds/job.ts';
import { dayOf } from '../../core/builds/job-limits.ts';
import { toJob } from '../commands/accept-job.ts';
import type { BuildEffects, CommandPrimitives, Written } from '../commands/primitives.ts';
import type { AcceptJob } from '../store.ts';
import { packNext } from '../tables/flip-ledgers.ts';
import type { BuildChange, BuildRows } from './build-rows.ts';
import { nameBytes, type ReportParts } from './bytes.ts';
import { createCandidates } from './candidates.ts';
import type { Connection } from './connection.ts';
import type { NextId } from './counters.ts';
import type { PendingEffect, StoredBytes } from './documents.ts';
import { entryOf, type JobRows, type WrittenUpload } from './job-rows.ts';
import { createOpenings } from './openings.ts';
import type { PendingEffects } from './pending-effects.ts';
import { createQuotaRows } from './quota-rows.ts';
import { createRecentBuilds, type RecentBuilds } from './recent-builds.ts';
import type { RepoRows } from './repo-rows.ts';
import type { SentBytes } from './sent-bytes.ts';
import type { Sources } from './sources.ts';
import type { AuditRows } from './units.ts';

interface Deps {
  readonly repos: RepoRows;
  readonly sent: SentBytes;
  readonly builds: BuildRows;
  readonly jobs: JobRows;
  readonly sources: Sources;
  readonly reports: ReportParts;
  readonly pendingEffects: PendingEffects;
  readonly audits: AuditRows;
  readonly nextId: NextId;
}

/** An upload's own documents, which are invisible until a build names it. */
interface StagedUpload {
  readonly upload: AcceptJob;
  readonly sources: readonly string[];
  written: WrittenUpload;
  /** The build and its revision that the last attempt would have written. */
  lastAttempt: string | undefined;
}

type Effects = BuildEffects<StagedUpload, StoredBytes>;

/** One write of the build's document; what it orders elsewhere is noted in it and brought there afterward. */
export function createCommandPrimitives(
  connection: Connection,
  deps: Deps,
): CommandPrimitives<StagedUpload, StoredBytes> {
  const { repos, sent, builds, jobs, reports } = deps;
  const prepareOpening = createOpenings(connection, deps);
  const recent = createRecentBuilds();
  const carryOut = createCarryOut(deps, recent);
  return {
    candidates: createCandidates(connection),
    ...createQuotaRows(connection),
    hasRepo: async (repoId) => (await repos.find(repoId)) !== undefined,
    sentBytes: sent.read,
    findBuild: builds.find,
    rememberBuild: recent.find,
    findJob: jobs.findByKey,
    jobsOf: jobs.ofBuild,
    async update(before, after, effects = {}) {
      const written = await carryOut(after, effects, (change) =>
        deps.audits.write(effects.audit, () => builds.update(before, after, change)),
      );
      if (written === undefined) recent.refused(before);
      return written;
    },
    async prepareOpening(repoId, facts) {
      const takePlace = await prepareOpening(repoId, facts);
      return {
        async begin(toBuild, effects = {}) {
          const place = await takePlace();
          if (place === undefined) return undefined;
          const build = toBuild(place);
          return carryOut(build, effects, (change) => builds.begin(build, change));
        },
      };
    },
    bringForward: builds.bringForward,
    ...createStagedUploads(connection, deps),
    async stageReport({ id, repoId }, report) {
      const stored = nameBytes(report);
      await reports.add(report, { repoId, owner: { kind: 'build', id } }, stored);
      return stored;
    },
    discardReport: (report) => reports.remove(report).catch(() => undefined),
  };
}

type StagedUploads = Pick<
  CommandPrimitives<StagedUpload, StoredBytes>,
  'stageUpload' | 'findAccepted' | 'finishUpload'
>;

function createStagedUploads(
  connection: Connection,
  { sent, builds, jobs, sources, nextId }: Pick<Deps, 'sent' | 'builds' | 'jobs' | 'sources' | 'nextId'>,
): StagedUploads {
  return {
    async stageUpload(upload) {
      const { repoId } = upload;
      const jobId = await connection.run(() => nextId('job'));
      const [written, brought] = await Promise.all([
        jobs.write(upload, jobId),
        sources.bring(repoId, upload.sources, jobId),
      ]);
      return { upload, sources: brought, written, lastAttempt: undefined };
    },
    // A write without an answer may have been done anyway: then the job is there.
    async findAccepted({ written }) {
      const job = await jobs.find(written.jobId).catch(() => undefined);
      const build = job && (await builds.find(job.buildId).catch(() => undefined));
      return job && build && { build, job, repeated: false };
    },
    // What is left undone here, the sweep does; bytes that are not counted then, nobody misses.
    async finishUpload(staged, accepted) {
      const { repoId, at, bytes, limits } = staged.upload;
      const isNew = accepted?.repeated === false;
      if (isNew) await sent.add({ repoId, day: dayOf(at), bytes }, limits.bytesPerDay);
      if (accepted !== undefined) await sources.keep(staged.sources).catch(() => undefined);
      if (!isNew) await jobs.remove(staged.written).catch(() => undefined);
    },
  };
}

type Write = (change: BuildChange) => Promise<boolean>;

function createCarryOut({ builds, jobs, pendingEffects }: Deps, recent: RecentBuilds) {
  return async (build: Build, effects: Effects, write: Write): Promise<Written | undefined> => {
    const { job: staged, revisedJob, report, bringForward } = effects;
    if (staged !== undefined) await renew(jobs, staged, build);
    const pendingEffect = findPendingEffect(build, effects, report && (await builds.findReport(build.id)));
    const isWritten = await write({
      job: staged && entryOf(staged.upload, staged.written),
      revised: revisedJob && { index: revisedJob.number - 1, document: await jobs.revise(revisedJob) },
      report,
      pendingEffect,
      broughtForward: bringForward,
      notAfter: staged?.written.acceptBy,
    });
    if (!isWritten) return undefined;
    recent.wrote(build);
    // It may fail: the next worker does it then.
    if (pendingEffect !== undefined) await pendingEffects.settle(build.id).catch(() => undefined);
    return { build, job: staged && jobOf(staged, build) };
  };
}

/** A second refusal at the same revision: the upload is too old, and may be swept any moment. */
async function renew(jobs: JobRows, staged: StagedUpload, { id, revision }: Build): Promise<void> {
  const attempt = `${id} ${revision}`;
  const { upload, written } = staged;
  if (staged.lastAttempt === attempt) staged.written = await jobs.write(upload, written.jobId, written);
  staged.lastAttempt = attempt;
}

/** What the write orders elsewhere; undefined: nothing. */
function findPendingEffect(
  { id, repoId, target, pullRequest, revision: stamp }: Build,
  { announce, retryAnnouncements, ledger }: Effects,
  unused: StoredBytes | undefined,
): PendingEffect | undefined {
  const messages = announce?.messages ?? [];
  if ([messages[0], unused, retryAnnouncements, ledger].every((effect) => effect === undefined)) return undefined;
  return {
    stamp,
    at: announce?.at ?? retryAnnouncements ?? 0,
    ...(announce !== undefined && messages.length > 0 && { announce: { messages, statusOwner: announce.statusOwner } }),
    ...(retryAnnouncements !== undefined && { retry: { id, repoId, target, pullRequest } }),
    ...(unused !== undefined && { unused }),
    ...(ledger !== undefined && { ledger: packNext(repoId, ledger) }),
  };
}

function jobOf({ upload, written }: StagedUpload, build: Build): Job {
  return toJob(upload, { id: written.jobId, buildId: build.id, number: build.jobs });
}
