import { acceptJob, MAX_JOBS, openBuild, refuseFullBuild, repeatJob, uploadKey } from '../../core/builds/accept-job.ts';
import type { Build } from '../../core/builds/build.ts';
import { countsByAttempt } from '../../core/builds/expected-jobs.ts';
import { findBuild } from '../../core/builds/find-build.ts';
import type { Job, JobFacts } from '../../core/builds/job.ts';
import { dayOf, findRefusal, refuseBuild } from '../../core/builds/job-limits.ts';
import { refuseOver, weightOf } from '../../core/builds/unverified-quotas.ts';
import { Failure } from '../../core/failure.ts';
import type { AcceptedJob, AcceptJob, JobStore } from '../store.ts';
import type { Enqueue } from './keyed-queue.ts';
import type { BuildPlace, CommandPrimitives, Written } from './primitives.ts';
import { CONFLICT, retryOnConflict } from './retry-on-conflict.ts';

/** How long an upload waits for those of its build that came before, in ms. */
const QUEUE_LIMIT = 10_000;

/** Bytes of an upload that takes long to stage. */
const LARGE = 1_048_576;

/** Stages the upload, invisible to readers; then one write makes it a job of a build. */
export function createAcceptJob<Upload, Report>(
  store: CommandPrimitives<Upload, Report>,
  enqueue: Enqueue,
): JobStore['accept'] {
  return async (upload) => {
    const { repoId, facts } = upload;
    const sentToday = await store.sentBytes(repoId, dayOf(upload.at), upload.limits.bytesPerDay);
    if (sentToday === undefined) return undefined;
    const { refusal, giveBack } = await admit(store, upload, sentToday);
    if (refusal !== undefined && !(await isRepeat(store, upload))) throw refusal;
    // At once with the look for its build; a large one keeps no other from that build's turn.
    const staging = store.stageUpload(upload);
    if (upload.bytes > LARGE) await staging;
    const until = performance.now() + QUEUE_LIMIT;
    const acceptInTurn = (): Promise<AcceptedJob | undefined> =>
      retryOnConflict(() => {
        // The uploads before it may each have waited for a database that is down: this one does not wait for them all.
        if (performance.now() > until)
          throw new Failure(
            'unavailable',
            'The uploads of this build have waited too long for the database. ' +
              'Nothing was stored; try again in a moment.',
          );
        return tryToAccept(store, upload, staging);
      });
    const group = groupOf(facts);
    const accepting = group === undefined ? acceptInTurn() : enqueue(`${repoId} ${group}`, acceptInTurn);
    // It fails with the staging, whose error comes first.
    accepting.catch(() => undefined);
    const staged = await staging;
    const accepted = await accepting.catch(async (error: unknown) => {
      if (!(error instanceof Failure)) throw error;
      const found = error.code === 'unavailable' && (await store.findAccepted(staged));
      if (found) return found;
      if (error.code !== 'unavailable') await Promise.all([store.finishUpload(staged, undefined), giveBack()]);
      throw error;
    });
    await store.finishUpload(staged, accepted);
    if (accepted === undefined || accepted.repeated) await giveBack();
    return accepted;
  };
}

/** Quotas are taken before anything is stored, so that uploads that come at once, on any server, never exceed them. */
async function admit<Upload, Report>(
  store: CommandPrimitives<Upload, Report>,
  upload: AcceptJob,
  sentToday: number,
): Promise<{ readonly refusal?: Failure | undefined; readonly giveBack: () => Promise<void> }> {
  const { limits, at } = upload;
  const { quotas = [] } = limits;
  const giveNothing = async (): Promise<void> => undefined;
  const refusal = findRefusal(upload, sentToday);
  if (refusal !== undefined || quotas.length === 0) return { refusal, giveBack: giveNothing };
  const share = { quotas, bytes: weightOf(upload), day: dayOf(at) };
  const over = await store.takeQuotas(share);
  if (over === undefined) return { giveBack: () => store.giveBackQuotas(share).catch(() => undefined) };
  return { refusal: refuseOver(over.quota, { ...over, bytes: share.bytes, at }), giveBack: giveNothing };
}

async function tryToAccept<Upload, Report>(
  store: CommandPrimitives<Upload, Report>,
  upload: AcceptJob,
  staging: Promise<Upload>,
): Promise<AcceptedJob | undefined | typeof CONFLICT> {
  const { facts, at, periods, warnings } = upload;
  const remembered = store.rememberBuild?.(upload.repoId, facts);
  const [joined, staged] = await Promise.all([remembered ?? findJoined(store, upload), staging]);
  if (joined === undefined) return tryToOpen(store, upload, staged);
  const jobsOf = (build: Build) => (countsByAttempt({ build, facts }) ? store.jobsOf(build.id) : []);
  const when = { at, periods, warnings, stored: await jobsOf(joined) };
  // Repeats are rare: the write itself refuses them, and only then it is looked for the earlier job.
  const isFull = joined.jobs >= MAX_JOBS;
  const written = isFull ? undefined : await store.update(joined, acceptJob(joined, facts, when), { job: staged });
  if (written !== undefined) return toAccepted(written);
  const earlier = await store.findJob(joined.id, uploadKey(facts, upload.contentDigest));
  if (earlier === undefined) {
    refuseFullBuild(joined);
    return CONFLICT;
  }
  // Rule 10: the same upload again. What is remembered may be old, and repeats may be answered without a write.
  const found = remembered === undefined ? joined : await store.findBuild(joined.id);
  if (found === undefined) return CONFLICT;
  const { build, job } = repeatJob(found, earlier, facts, { ...when, stored: await jobsOf(found) });
  const revisedJob = job === earlier ? undefined : job;
  if (build !== found && (await store.update(found, build, { revisedJob })) === undefined) return CONFLICT;
  return { build, job, repeated: true };
}

/** Most jobs join a build: only the others pay for what opens one, and for a second look at what they could join. */
async function tryToOpen<Upload, Report>(
  store: CommandPrimitives<Upload, Report>,
  upload: AcceptJob,
  staged: Upload,
): Promise<AcceptedJob | undefined | typeof CONFLICT> {
  const { repoId, facts, at, periods, warnings } = upload;
  const opening = await store.prepareOpening(repoId, facts);
  if ((await findJoined(store, upload)) !== undefined) return CONFLICT;
  if (!(await store.hasRepo(repoId))) return undefined;
  await refuseOneMoreBuild(store, upload);
  const toBuild = (place: BuildPlace) =>
    acceptJob(openBuild(facts, { ...place, at }), facts, { at, periods, warnings });
  return toAccepted(await opening.begin(toBuild, { job: staged }));
}

/** Rule 9: the build that a job joins. */
async function findJoined<Upload, Report>(
  { candidates }: Pick<CommandPrimitives<Upload, Report>, 'candidates'>,
  { repoId, facts, at, periods }: AcceptJob,
): Promise<Build | undefined> {
  return findBuild(facts, await candidates.toJoin(repoId, facts), { now: at, quiet: periods.quiet });
}

/** Rule 10: a job that was accepted is answered so, whatever its repo's limits are by now. */
async function isRepeat<Upload, Report>(store: CommandPrimitives<Upload, Report>, upload: AcceptJob): Promise<boolean> {
  const joined = await findJoined(store, upload);
  const key = uploadKey(upload.facts, upload.contentDigest);
  return joined !== undefined && (await store.findJob(joined.id, key)) !== undefined;
}

async function refuseOneMoreBuild<Upload, Report>(
  { candidates }: CommandPrimitives<Upload, Report>,
  { repoId, facts, limits }: AcceptJob,
): Promise<void> {
  const { openBuilds } = limits;
  if (openBuilds > 0 && facts.parallel) refuseBuild(limits, await candidates.countOpenParallel(repoId, openBuilds));
}

function toAccepted(written: Written | undefined): AcceptedJob | typeof CONFLICT {
  return written?.job === undefined ? CONFLICT : { build: written.build, job: written.job, repeated: false };
}

/**
 * A key that all jobs share that could join one build by rule 9, so that only one of them opens it. Undefined for a job
 * that always opens its own.
 */
export function groupOf({ serviceName, serviceNumber, serviceJobId, parallel }: JobFacts): string | undefined {
  if (serviceNumber !== undefined) return JSON.stringify(['number', serviceNumber]);
  if (serviceJobId !== undefined) return JSON.stringify(['job', serviceName, serviceJobId]);
  return parallel ? JSON.stringify(['service', serviceName]) : undefined;
}

/** Whether a group is that of a service_number: two such jobs of different numbers never share a build. */
export function isOfNumber(group: string | undefined): boolean {
  return group?.startsWith('["number",') === true;
}

/** The same for jobs that could meet in a build of their commit; undefined for a job that meets none. */
export function meetingOf({ parallel, commit, testedCommit }: JobFacts): string | undefined {
  return parallel ? (testedCommit ?? commit) : undefined;
}

/** The record of an accepted upload. */
export function toJob(upload: AcceptJob, place: Pick<Job, 'id' | 'buildId' | 'number'>): Job {
  return { ...place, ...toUploaded(upload) };
}

/** The record of an upload before it has its place in a build. */
export function toUploaded(upload: AcceptJob): Omit<Job, 'id' | 'buildId' | 'number'> {
  const { repoId, facts, totals, files, contentDigest, warnings, at } = upload;
  return { repoId, facts, totals, files, contentDigest, warnings, createdAt: at };
}
