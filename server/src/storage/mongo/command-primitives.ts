import type { Build } from '../../core/builds/build.ts';
import type { Job } from '../../core/builds/job.ts';
import { dayOf } from '../../core/builds/job-limits.ts';
import { toJob } from '../commands/accept-job.ts';
import type { BuildEffects, CommandPrimitives, Written } from '../commands/primitives.ts';
import type { AcceptJob } from '../store.ts';
import { packNext } from '../tables/flip-ledgers.ts';
import { bytesOf, type UploadDocuments } from './accepts.ts';
import type { BuildChange, BuildRows } from './build-rows.ts';
import { nameBytes, type ReportParts } from './bytes.ts';
import { createCandidates } from './candidates.ts';
import type { Connection } from './connection.ts';
import type { NextId } from './counters.ts';
import type { PendingEffect, StoredBytes } from './documents.ts';
import { LARGE } from './grouped-writes.ts';
import { entryOf, type JobRows, type NamedUpload } from './job-rows.ts';
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
  named: NamedUpload;
  /** Its documents, until they are written: with the first attempt, where one command can (accepts.ts). */
  unwritten: UploadDocuments | undefined;
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
      await reports.add(reports.documentsOf(report, { repoId, owner: { kind: 'build', id } }, stored));
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
      const { unwritten, ...named } = jobs.prepare(upload, jobId);
      // A large one keeps no other from its build's turn.
      const isWrittenLater = connection.bulkWrites.isUsable() && bytesOf(unwritten) <= LARGE;
      const [brought] = await Promise.all([
        sources.bring(repoId, upload.sources, jobId),
        isWrittenLater ? undefined : jobs.write(unwritten),
      ]);
      return {
        upload,
        sources: brought,
        named,
        unwritten: isWrittenLater ? unwritten : undefined,
        lastAttempt: undefined,
      };
    },
    // A write without an answer may have been done anyway: then the job is there.
    async findAccepted({ named }) {
      const job = await jobs.find(named.jobId).catch(() => undefined);
      const build = job && (await builds.find(job.buildId).catch(() => undefined));
      return job && build && { build, job, repeated: false };
    },
    // What is left undone here, the sweep does; bytes that are not counted then, nobody misses.
    async finishUpload(staged, accepted) {
      const { repoId, at, bytes, limits } = staged.upload;
      const isNew = accepted?.job.id === staged.named.jobId;
      if (isNew) await sent.add({ repoId, day: dayOf(at), bytes }, limits.bytesPerDay);
      if (accepted !== undefined) await sources.keep(staged.sources).catch(() => undefined);
      if (!isNew) await jobs.remove(staged.named).catch(() => undefined);
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
      job: staged && entryOf(staged.upload, staged.named),
      unwritten: staged?.unwritten,
      revised: revisedJob && { index: revisedJob.number - 1, document: await jobs.revise(revisedJob) },
      report,
      pendingEffect,
      broughtForward: bringForward,
      notAfter: staged?.named.acceptBy,
    });
    // Whether it was accepted or not: the documents come first.
    if (staged !== undefined) staged.unwritten = undefined;
    if (!isWritten) return undefined;
    recent.wrote(build);
    if (staged !== undefined) jobs.accepted(staged.named);
    // It may fail: the next worker does it then.
    if (pendingEffect !== undefined) await pendingEffects.settle(build.id).catch(() => undefined);
    return { build, job: staged && jobOf(staged, build) };
  };
}

/** A second refusal at the same revision: the upload is too old, and may be swept any moment. */
async function renew(jobs: JobRows, staged: StagedUpload, { id, revision }: Build): Promise<void> {
  const attempt = `${id} ${revision}`;
  if (staged.lastAttempt === attempt) staged.named = await jobs.writeAgain(staged.upload, staged.named);
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

function jobOf({ upload, named }: StagedUpload, build: Build): Job {
  return toJob(upload, { id: named.jobId, buildId: build.id, number: build.jobs });
}
