import { acceptJob, openBuild, refuseFullBuild, repeatJob, uploadKey } from '../../domain/builds/accept-job.ts';
import type { Build } from '../../domain/builds/build.ts';
import { findBuild } from '../../domain/builds/find-build.ts';
import { Failure } from '../../domain/failure.ts';
import type { AcceptedJob, AcceptJob, JobStore } from '../../ports/store.ts';
import { CONFLICT, untilUncontended } from './attempts.ts';
import type { BuildRows } from './build-rows.ts';
import type { ReportParts } from './bytes.ts';
import { type Candidates, createCandidates } from './candidates.ts';
import type { Connection } from './connection.ts';
import type { NextId } from './counters.ts';
import { createJobRows, entryOf, type JobRows, keyOf, type WrittenUpload } from './job-rows.ts';
import { groupOf, type Openings } from './openings.ts';
import type { RepoRows } from './repo-rows.ts';
import { createSources, type Sources } from './sources.ts';
import type { TakeTurns } from './turns.ts';

interface Deps {
  readonly repos: RepoRows;
  readonly builds: BuildRows;
  readonly reports: ReportParts;
  readonly openings: Openings;
  readonly takeTurns: TakeTurns;
  readonly nextId: NextId;
}

interface Accepting extends Deps, Pick<Connection, 'run'> {
  readonly jobs: JobRows;
  readonly sources: Sources;
  readonly candidates: Candidates;
}

/** Jobs with their reports and sources, in MongoDB. */
export function createJobStore(connection: Connection, deps: Deps): JobStore {
  const { reports } = deps;
  const jobs = createJobRows(connection, reports);
  const sources = createSources(connection);
  const accepting: Accepting = {
    ...deps,
    run: connection.run,
    jobs,
    sources,
    candidates: createCandidates(connection),
  };
  return {
    accept: (upload) => accept(accepting, upload),
    find: (jobId) => jobs.find(jobId),
    ofBuild: (buildId) => jobs.ofBuild(buildId),
    async reports(jobIds) {
      const stored = await jobs.reportsOf(jobIds);
      return Promise.all(
        jobIds.map(async (jobId) => {
          const report = stored.get(jobId);
          const what = `The report of job ${jobId}`;
          if (report === undefined) throw new Failure('not-found', `${what} is not stored (any more).`);
          return reports.read(report, what);
        }),
      );
    },
    source: (repoId, digest) => sources.find(repoId, digest),
  };
}

/** First the upload's own documents, which nobody sees; then the one write that makes it a job of a build. */
async function accept(accepting: Accepting, upload: AcceptJob): Promise<AcceptedJob | undefined> {
  const { repos, jobs, sources, takeTurns, nextId, run } = accepting;
  const { repoId, facts } = upload;
  if ((await repos.find(repoId)) === undefined) return undefined;
  const jobId = await run(() => nextId('job'));
  const [first, brought] = await Promise.all([jobs.write(upload, jobId), sources.bring(repoId, upload.sources, jobId)]);
  const tries: Tries = { written: first, last: undefined };
  const until = performance.now() + ACCEPT_LIMIT;
  const accepted = await takeTurns(`${repoId} ${groupOf(facts) ?? jobId}`, () =>
    untilUncontended(() => {
      // Those before may have waited for a database that is away: nobody waits for all of them.
      if (performance.now() > until) throw new Failure('unavailable', QUEUE_TOO_LONG);
      return tryToAccept(accepting, upload, tries);
    }),
  ).catch((error: unknown) => lookBack(accepting, jobId, error));
  // What is left undone here is swept, or made good by the sweep.
  if (accepted !== undefined) await sources.keep(brought).catch(() => undefined);
  if (accepted?.repeated !== false) await jobs.remove(tries.written).catch(() => undefined);
  return accepted;
}

/** How long an upload waits for its turn, in ms. */
const ACCEPT_LIMIT = 10_000;
const QUEUE_TOO_LONG =
  'The uploads of this build have waited too long for MongoDB. Nothing was stored; try again in a moment.';

/** A write whose answer was lost may have been done all the same: then the job is there. */
async function lookBack({ jobs, builds }: Accepting, jobId: number, error: unknown): Promise<AcceptedJob> {
  if (!(error instanceof Failure) || error.code !== 'unavailable') throw error;
  const job = await jobs.find(jobId).catch(() => undefined);
  const build = job && (await builds.find(job.buildId).catch(() => undefined));
  if (job === undefined || build === undefined) throw error;
  return { build, job, repeated: false };
}

interface Tries {
  written: WrittenUpload;
  /** The build and its revision that the last attempt wrote in vain. */
  last: string | undefined;
}

async function tryToAccept(
  accepting: Accepting,
  upload: AcceptJob,
  tries: Tries,
): Promise<AcceptedJob | undefined | typeof CONFLICT> {
  const { repos, jobs, openings, candidates } = accepting;
  const { repoId, facts, at, periods } = upload;
  const group = groupOf(facts);
  // Before the builds are read: one that is opened after this takes the next slot, and ours is refused.
  const top = group === undefined ? undefined : await openings.findTop(repoId, group);
  const joined = findBuild(facts, await candidates.toJoin(repoId, facts), { now: at, quiet: periods.quiet });
  if (joined !== undefined) {
    const earlier = await jobs.findByKey(joined.id, keyOf(uploadKey(facts, upload.contentDigest)));
    if (earlier !== undefined) return repeat(accepting, upload, { joined, ...earlier });
    refuseFullBuild(joined);
    return applyJob(accepting, upload, { tries, joined });
  }
  if ((await repos.find(repoId)) === undefined) return undefined;
  const place = await openings.take({ repoId, group, top });
  return place === undefined
    ? CONFLICT
    : applyJob(accepting, upload, { tries, opened: openBuild(facts, { ...place, repoId, at }) });
}

/** Rule 10: the same upload again. */
async function repeat(
  { jobs, builds }: Accepting,
  { facts, at, periods }: AcceptJob,
  { joined, job, index }: { readonly joined: Build; readonly job: AcceptedJob['job']; readonly index: number },
): Promise<AcceptedJob | typeof CONFLICT> {
  const changed = repeatJob(joined, job, facts, { at, periods });
  if (changed.build === joined) return { ...changed, repeated: true };
  const more = changed.job === job ? {} : { revised: { index, document: await jobs.revise(changed.job) } };
  if (!(await builds.update(joined, changed.build, more))) return CONFLICT;
  return { ...changed, repeated: true };
}

/** The accepting write: the job appears in the build it joins, or in its own (rule 9). */
async function applyJob(
  { builds, jobs }: Accepting,
  upload: AcceptJob,
  { tries, joined, opened }: { readonly tries: Tries; readonly joined?: Build; readonly opened?: Build },
): Promise<AcceptedJob | typeof CONFLICT> {
  const { facts, at, periods } = upload;
  const before = joined ?? (opened as Build);
  const attempt = `${before.id} ${before.revision}`;
  // Refused, though nobody had changed the build: the upload lay too long, and may be swept any moment.
  if (tries.last === attempt) tries.written = await jobs.write(upload, tries.written.jobId, tries.written);
  tries.last = attempt;
  const build = acceptJob(before, facts, { at, periods });
  const { written } = tries;
  const change = { job: entryOf(upload, written), notAfter: written.acceptBy };
  const done = joined === undefined ? await builds.begin(build, change) : await builds.update(joined, build, change);
  if (!done) return CONFLICT;
  const { repoId, totals, files, contentDigest, warnings } = upload;
  const place = { id: written.jobId, buildId: build.id, number: build.jobs };
  return {
    build,
    job: { ...place, repoId, facts, totals, files, contentDigest, warnings, createdAt: at },
    repeated: false,
  };
}
