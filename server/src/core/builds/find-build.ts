import type { Timestamp } from '../time.ts';
import type { Build } from './build.ts';
import type { JobFacts } from './job.ts';
import { hasClaimedNumber, isOfRun, tokenTrust } from './run-origin.ts';

/** The builds of the repo that a job could join, each list newest (highest sequence) first. */
export interface JoinCandidates {
  /** Builds with the job's service_number; empty if it has none. */
  readonly sameNumber: readonly Build[];
  /** For a job without a number: builds that hold a job of its (service_name, service_job_id). */
  readonly sameJobId: readonly Build[];
  /** For a job without number and job id: builds of its service_name that have no service_number. */
  readonly numberless: readonly Build[];
  /** For a parallel job: open parallel builds of its commit. */
  readonly openOfCommit: readonly Build[];
}

type Joining = Pick<
  JobFacts,
  | 'serviceName'
  | 'serviceNumber'
  | 'serviceJobId'
  | 'pullRequest'
  | 'commit'
  | 'testedCommit'
  | 'branch'
  | 'parallel'
  | 'trust'
  | 'vouchedRun'
>;

/**
 * Rule 9: the build that a job joins; undefined: it opens its own. Rule 29: unverified runs keep to themselves, and a
 * vouched run to its own builds.
 */
export function findBuild(
  job: Joining,
  candidates: JoinCandidates,
  time: { readonly now: Timestamp; readonly quiet: number },
): Build | undefined {
  if (job.serviceNumber !== undefined) {
    const { sameNumber, openOfCommit } = candidates;
    return findOfCommit(job, sameNumber) ?? findByNumber(job, sameNumber) ?? findMeeting(job, openOfCommit);
  }
  const met = findMeeting(job, candidates.openOfCommit);
  if (met !== undefined) return met;
  if (job.serviceJobId !== undefined)
    return candidates.sameJobId.find((build) => isOpenTo(job, build, true) && sameCommit(job, build));
  if (!job.parallel) return undefined;
  return candidates.numberless
    .filter((build) => isOpenTo(job, build))
    .find((build) => build.serviceName === job.serviceName && sameCommit(job, build) && isJoinable(build, time));
}

/**
 * Clients of one run meet, in whatever order they come: some send its number, some send that as their job id, some the
 * commit alone.
 */
function findMeeting(job: Joining, openOfCommit: readonly Build[]): Build | undefined {
  if (!job.parallel || !statesCommit(job)) return undefined;
  const builds = openOfCommit.filter((build) => sameCommit(job, build) && !isOtherPullRequest(job, build));
  const { serviceNumber: number, serviceJobId: jobId, vouchedRun } = job;
  const byRun = builds.find((build) =>
    number === undefined
      ? jobId !== undefined && build.serviceNumber === jobId && isOpenTo(job, build)
      : build.serviceNumber === undefined &&
        build.serviceJobId === number &&
        isOpenTo(job, build, build.serviceJobId === vouchedRun?.id),
  );
  if (byRun !== undefined) return byRun;
  const [only, ...others] = builds.filter((build) => isOpenTo(job, build));
  if (only === undefined || others.length > 0) return undefined;
  const statesRun = number !== undefined || jobId !== undefined;
  return statesRun && (only.serviceNumber !== undefined || only.serviceJobId !== undefined) ? undefined : only;
}

function isOtherPullRequest(job: Joining, build: Build): boolean {
  return job.pullRequest !== undefined && build.pullRequest !== undefined && job.pullRequest !== build.pullRequest;
}

/** Rule 29: no job joins a build that its token does not reach, nor one whose number was only claimed. */
function isOpenTo(job: Joining, build: Build, byJobId = false): boolean {
  if ((tokenTrust(build) === 'run') !== (job.trust === 'run')) return false;
  if (job.vouchedRun !== undefined) return isOfRun(build, job.vouchedRun, { byJobId, stated: job });
  return !hasClaimedNumber(build) || sameCommit(job, build);
}

/**
 * Rule 9: of builds with the job's number, newest first, the one that it joins by its commit. If there is one, no
 * other build matters.
 */
export function findOfCommit(job: Joining, sameNumber: readonly Build[]): Build | undefined {
  return sameNumber.find((build) => isOpenTo(job, build) && statesCommit(job) && sameCommit(job, build));
}

function findByNumber(job: Joining, sameNumber: readonly Build[]): Build | undefined {
  const open = sameNumber.filter(
    (build) => isOpenTo(job, build) && build.state === 'open' && !isOtherBranch(job, build),
  );
  return (
    open.find((build) => build.serviceName === job.serviceName && build.pullRequest === job.pullRequest) ??
    open.find((build) => statesNeither(job) || statesNeither(build))
  );
}

function statesNeither(one: Pick<Joining, 'serviceName' | 'pullRequest'>): boolean {
  return one.serviceName === '' && one.pullRequest === undefined;
}

/**
 * A CI that restarts its numbers on every branch: two pushes that state other branches and other commits are not one
 * build.
 */
function isOtherBranch(job: Joining, build: Build): boolean {
  return (
    job.pullRequest === undefined &&
    build.pullRequest === undefined &&
    job.branch !== undefined &&
    build.branch !== undefined &&
    job.branch !== build.branch &&
    statesCommit(job) &&
    statesCommit(build)
  );
}

function isJoinable(build: Build, time: { readonly now: Timestamp; readonly quiet: number }): boolean {
  if (build.serviceNumber !== undefined || build.imported !== undefined) return false;
  return build.state === 'open' || (build.result !== undefined && build.result.closedAt >= time.now - time.quiet);
}

function statesCommit(one: Pick<Joining, 'commit' | 'testedCommit'>): boolean {
  return one.commit !== undefined || one.testedCommit !== undefined;
}

/** Whether one of the job's commits (head, tested) is one of the build's; also when neither states any. */
function sameCommit(job: Pick<Joining, 'commit' | 'testedCommit'>, build: Build): boolean {
  if (!statesCommit(job)) return !statesCommit(build);
  return [job.commit, job.testedCommit].some(
    (commit) => commit !== undefined && (commit === build.commit || commit === build.testedCommit),
  );
}
