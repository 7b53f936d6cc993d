import { totalPercent } from '../coverage/percent.ts';
import type { GitHost, HostRuns, RunTrigger } from '../repo/git-host.ts';
import type { Build } from './build.ts';
import { isCloseRequested } from './close-due.ts';
import { readGitRef } from './git-ref.ts';
import type { JobFacts } from './job.ts';
import { RECENT_BUILDS } from './missing-flags.ts';

/** A run of a workflow that ended, as its provider reports it. */
export interface EndedRun {
  readonly id: string;
  /** From 1 on; running again counts it up. */
  readonly attempt: number;
  /** For all runs of one workflow the same. */
  readonly workflowId: string;
  readonly conclusion: NonNullable<Build['runConclusion']>;
  /** The host's own word for what started it. */
  readonly event: string;
  readonly headCommit: string;
  readonly headBranch: string | undefined;
  /** Whether its head is in another repo. */
  readonly fromFork: boolean;
  /** The open pull requests of this repo whose head it is. */
  readonly pullRequests: readonly {
    readonly number: number;
    readonly baseBranch: string;
    readonly headCommit: string;
  }[];
  /** Its page. */
  readonly url: string | undefined;
}

type RunName = Pick<EndedRun, 'id' | 'attempt'>;

/**
 * The numbers that clients give to what came from an attempt of a run: its id, or a build of its own for each attempt.
 */
export function numbersOfRun({ id, attempt }: RunName): readonly string[] {
  return [id, `${id}-${attempt}`];
}

/**
 * Whether a build came from a run: clients send the run's id as the build's number, or its page. Other services count
 * on their own.
 */
export function isOfRun(
  build: Pick<Build, 'serviceName' | 'serviceNumber' | 'buildUrl'>,
  run: RunName,
  runs: HostRuns,
): boolean {
  if (!runs.isServiceName(build.serviceName)) return false;
  const { serviceNumber = '', buildUrl = '' } = build;
  if (numbersOfRun(run).includes(serviceNumber)) return true;
  // One that is numbered by attempt belongs to that attempt alone.
  const prefix = `${run.id}-`;
  const isOfOther = serviceNumber.startsWith(prefix) && /^[0-9]+$/.test(serviceNumber.slice(prefix.length));
  return !isOfOther && runs.isPageOf(buildUrl, run.id);
}

/** Whether a job came from a run whose id its client sends as the id of the job. */
export function isJobOfRun({ serviceJobId = '' }: Pick<JobFacts, 'serviceJobId'>, run: RunName): boolean {
  return numbersOfRun(run).includes(serviceJobId);
}

/**
 * The highest attempt of its run that a build knows of: by how the run ended, or by a job. What an
 * earlier attempt says is out of date.
 */
export function knownAttempt({ attempt, runAttempt = 1 }: Pick<Build, 'attempt' | 'runAttempt'>): number {
  return Math.max(attempt, runAttempt, 1);
}

/**
 * Whether the end of its run changes a build. An open one is closed by it (rule 11). A closed one is judged otherwise
 * (rule 13) where flags are missing and the run did not succeed, or where another attempt ended otherwise.
 *
 * A build without jobs was opened because its run ended, so that nothing changes. A higher attempt is always stored:
 * an event of a lower one that comes late is known by it.
 */
export function isChangedByRunEnd(
  build: Build,
  { conclusion, attempt }: Pick<EndedRun, 'conclusion' | 'attempt'>,
): boolean {
  if (build.jobs === 0 || attempt < knownAttempt(build)) return false;
  if (attempt > knownAttempt(build)) return true;
  if (build.state === 'open') return !isCloseRequested(build) || build.runConclusion !== conclusion;
  if (build.runConclusion !== undefined) return build.runConclusion !== conclusion;
  const wasCutShort = conclusion === 'failure' || conclusion === 'cancelled';
  const changesDeadline = conclusion === 'success' && build.result?.closedBy === 'deadline';
  return (wasCutShort || changesDeadline) && (build.result?.flags ?? []).some((flag) => flag.kind === 'missing');
}

/**
 * What a build without jobs would state, opened for a run that brought no coverage; undefined if no check waits for
 * one: a run that is neither a push's nor a pull request's nor a merge queue's, and a fork's, which opens none but by a
 * job (rule 29).
 */
export function statedByRun(run: EndedRun, serviceName: string, host: RunHost): JobFacts | undefined {
  if (run.fromFork || !['push', 'pull-request', 'merge-queue'].includes(host.runs.triggerOf(run.event)))
    return undefined;
  // A pull request that has another head by now waits for the run of that one.
  const pull = run.pullRequests.find((one) => one.headCommit === run.headCommit);
  const place = placeOfRun({ ...run, pull }, host);
  if (!isSomewhere(host.runs.triggerOf(run.event), place)) return undefined;
  return {
    ...NOTHING_STATED,
    serviceName,
    serviceNumber: run.id,
    serviceEventType: run.event,
    commit: run.headCommit,
    buildUrl: run.url,
    ...place,
  };
}

function isSomewhere(trigger: RunTrigger, { branch, pullRequest, mergeQueue }: Place): boolean {
  if (trigger === 'pull-request') return pullRequest !== undefined;
  return mergeQueue || (trigger === 'push' && branch !== undefined);
}

type RunHost = Pick<GitHost, 'runs' | 'refs'>;
type Place = Pick<JobFacts, 'branch' | 'pullRequest' | 'baseBranch' | 'baseCommit' | 'mergeQueue'>;

/**
 * Where a run belongs. Only one of a pull request's events, or of a merge queue, belongs to a pull request: a push to a
 * branch that happens to be the head of one is the branch's own.
 */
export function placeOfRun(
  run: {
    readonly event: string;
    readonly headBranch: string | undefined;
    readonly pull: { readonly number: number; readonly baseBranch?: string } | undefined;
  },
  host: RunHost,
): Place {
  const { event, headBranch, pull } = run;
  const ref = readGitRef(headBranch && `refs/heads/${headBranch}`, undefined, [host]);
  if (OF_PULL_REQUEST.has(host.runs.triggerOf(event)))
    return { ...ON_BRANCH, branch: ref.branch, pullRequest: pull?.number, baseBranch: pull?.baseBranch };
  if (ref.queue === undefined) return { ...ON_BRANCH, branch: ref.branch };
  return { ...ON_BRANCH, branch: ref.branch, pullRequest: ref.pullRequest, ...ref.queue, mergeQueue: true };
}

const OF_PULL_REQUEST: ReadonlySet<RunTrigger> = new Set(['pull-request', 'review', 'pull-request-base']);

/** The branches whose last builds show whether coverage is expected, best first. */
export function branchesToExpectBy(
  { branch, baseBranch }: Pick<JobFacts, 'branch' | 'baseBranch'>,
  defaultBranches: readonly string[],
): readonly string[] {
  if (baseBranch !== undefined) return [baseBranch];
  return [...new Set([...(branch === undefined ? [] : [branch]), ...defaultBranches])];
}

/**
 * Whether a branch's last closed builds, newest first, still bring coverage, as rule 13 asks it of a flag: a repo that
 * stops measuring is warned a few times, not forever.
 */
export function stillReports(recent: readonly Build[]): boolean {
  return recent
    .slice(0, RECENT_BUILDS)
    .some(({ jobs, result }) => jobs > 0 && result !== undefined && totalPercent(result.totals) !== undefined);
}

const ON_BRANCH = { pullRequest: undefined, baseBranch: undefined, baseCommit: undefined, mergeQueue: false } as const;

const NOTHING_STATED = {
  serviceJobId: undefined,
  serviceJobNumber: undefined,
  serviceAttempt: 1,
  flag: undefined,
  parallel: true,
  testedCommit: undefined,
  tag: false,
  compareRef: undefined,
  compareCommit: undefined,
  message: undefined,
  authors: { authorName: undefined, authorEmail: undefined, committerName: undefined, committerEmail: undefined },
  jobUrl: undefined,
  runAt: undefined,
  // The provider itself says that this run is the repo's own.
  trust: 'provider',
} as const satisfies Partial<JobFacts>;
