import { totalPercent } from '../coverage/percent.ts';
import type { Build } from './build.ts';
import { readGitRef } from './git-ref.ts';
import type { JobFacts } from './job.ts';
import { RECENT_BUILDS } from './missing-flags.ts';

/** A run of a workflow that ended, as its provider tells. */
export interface EndedRun {
  readonly id: string;
  /** Of all runs of one workflow the same. */
  readonly workflowId: string;
  readonly conclusion: NonNullable<Build['runConclusion']>;
  /** `push`, `pull_request`, `merge_group`, ... */
  readonly event: string;
  readonly headCommit: string;
  readonly headBranch: string | undefined;
  /** Whether its head is in another repo. */
  readonly fromFork: boolean;
  /** The open pull requests of this repo whose head it is. */
  readonly pullRequests: readonly { readonly number: number; readonly baseBranch: string; readonly headCommit: string }[];
  /** Its page. */
  readonly url: string | undefined;
}

/** Whether a build came from a run: clients send the run's id as the build's number, or its page. Other services count on their own. */
export function isOfRun(build: Pick<Build, 'serviceName' | 'serviceNumber' | 'buildUrl'>, run: Pick<EndedRun, 'id'>): boolean {
  if (!/^github/i.test(build.serviceName)) return false;
  return build.serviceNumber === run.id || new RegExp(`/actions/runs/${run.id}(?![0-9])`).test(build.buildUrl ?? '');
}

/**
 * Whether a build has to hear how its run ended: an open one is closed by it (rule 11). A closed one only where it is judged otherwise by it
 * (rule 13): it lacks flags and the run did not succeed, or the run was run again and ended otherwise. One without jobs was opened because the run
 * ended: whether coverage was due decides about it, not how the run ended.
 */
export function hearsRunEnd(build: Build, conclusion: EndedRun['conclusion']): boolean {
  if (build.jobs === 0) return false;
  if (build.state === 'open') return build.closeDue === undefined || build.runConclusion !== conclusion;
  if (build.runConclusion !== undefined) return build.runConclusion !== conclusion;
  const wasCutShort = conclusion === 'failure' || conclusion === 'cancelled';
  const changesDeadline = conclusion === 'success' && build.result?.closedBy === 'deadline';
  return (wasCutShort || changesDeadline) && (build.result?.flags ?? []).some((flag) => flag.kind === 'missing');
}

/**
 * What a build without jobs would state, opened for a run that brought no coverage; undefined where no check waits for one: a run that is
 * neither a push's nor a pull request's nor a merge queue's, and a fork's, of which no job is taken either.
 */
export function statedByRun(run: EndedRun, serviceName: string): JobFacts | undefined {
  const place = run.fromFork ? undefined : placeOf(run);
  if (place === undefined) return undefined;
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

type Place = Pick<JobFacts, 'branch' | 'pullRequest' | 'baseBranch' | 'baseCommit' | 'mergeQueue'>;

function placeOf({ event, headBranch, headCommit, pullRequests }: EndedRun): Place | undefined {
  const ref = readGitRef(headBranch && `refs/heads/${headBranch}`, undefined);
  if (event === 'pull_request') {
    const pull = pullRequests.find((one) => one.headCommit === headCommit) ?? pullRequests[0];
    return pull && { ...ON_BRANCH, branch: ref.branch, pullRequest: pull.number, baseBranch: pull.baseBranch };
  }
  if (event !== 'push' && event !== 'merge_group') return undefined;
  if (ref.queue === undefined)
    return event === 'push' && ref.branch !== undefined ? { ...ON_BRANCH, branch: ref.branch } : undefined;
  return { branch: ref.branch, pullRequest: ref.pullRequest, ...ref.queue, mergeQueue: true };
}

/** The branches whose last builds tell whether coverage is expected, best first. */
export function branchesToExpectBy(
  { branch, baseBranch }: Pick<JobFacts, 'branch' | 'baseBranch'>,
  defaultBranches: readonly string[],
): readonly string[] {
  if (baseBranch !== undefined) return [baseBranch];
  return [...new Set([...(branch === undefined ? [] : [branch]), ...defaultBranches])];
}

/**
 * Whether a branch's last closed builds, newest first, still bring coverage, as rule 13 asks it of a flag: who stops measuring hears
 * of it a few times, not for ever.
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
