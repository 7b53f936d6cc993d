import type { GitHost } from '../repo/git-host.ts';
import type { RunClaims } from '../repo/run-claims.ts';
import { type GitRef, readGitRef } from './git-ref.ts';
import type { JobFacts } from './job.ts';

/** An upload as it speaks of itself. */
export interface StatedJob {
  readonly facts: JobFacts;
  readonly repoName: string | undefined;
  /** Whether it says which attempt it is: without a word of it `serviceAttempt` is 1. */
  readonly statesAttempt: boolean;
}

/** A field that says something else than the ID token beside it. */
export interface ClaimDifference {
  readonly field: string;
  readonly sent: string;
  readonly claimed: string;
}

type HostWords = Pick<GitHost, 'refs' | 'runs'>;
type Row = readonly [field: string, sent: string | undefined, claimed: readonly (string | undefined)[]];

/** Whether the run is about a pull request: what it checks out may be another commit than its head. */
export function isOfPullRequest({ event }: Pick<RunClaims, 'event'>, { runs }: Pick<HostWords, 'runs'>): boolean {
  return ['pull-request', 'review', 'pull-request-base'].includes(runs.triggerOf(event));
}

/** The first field of an upload that differs from the claims; a pull request's head is for its host to confirm. */
export function findDifference(job: StatedJob, claims: RunClaims, host: HostWords): ClaimDifference | undefined {
  const { facts, repoName, statesAttempt } = job;
  const ref = refOf(claims, host);
  // A token may say of a queue's run that it is of the pull request: only its host tells them apart.
  const mayBeQueued = facts.mergeQueue && isOfPullRequest(claims, host);
  return firstDifference([
    ['repo_name', repoName?.toLowerCase(), [claims.repo.name.toLowerCase()]],
    [
      'commit_sha',
      isOfPullRequest(claims, host) || isBeginning(facts.commit, claims) ? undefined : facts.commit,
      [claims.commit],
    ],
    ['service_tested_sha', facts.testedCommit, [claims.commit]],
    ['service_number', facts.serviceNumber, numbersOf(claims)],
    ['service_run_id', facts.serviceRun, [claims.run]],
    ['service_attempt', statesAttempt ? String(facts.serviceAttempt) : undefined, [String(claims.attempt)]],
    ['service_event_type', facts.serviceEventType, [claims.event]],
    ['service_branch', facts.branch, ref.branch === undefined || mayBeQueued ? [] : [ref.branch]],
    ['service_pull_request', textOf(facts.pullRequest), ref.pullRequest === undefined ? [] : [textOf(ref.pullRequest)]],
  ]);
}

/** The same of a close, which names a build by its number alone. */
export function findCloseDifference(buildNumber: string | undefined, claims: RunClaims): ClaimDifference | undefined {
  return firstDifference([['build_num', buildNumber, numbersOf(claims)]]);
}

/** What an upload says once its ID token has spoken; `head`: the commit that the run is for. */
export function factsOfClaims(
  facts: JobFacts,
  { claims, head, host }: { readonly claims: RunClaims; readonly head: string; readonly host: HostWords },
): Partial<JobFacts> {
  const ref = refOf(claims, host);
  const commit = facts.commit === claims.commit ? claims.commit : head;
  // A pull request's job that states its head alone may have tested just that.
  const tested = facts.commit === undefined ? claims.commit : facts.testedCommit;
  return {
    commit,
    testedCommit: tested === commit ? undefined : tested,
    serviceNumber: facts.serviceNumber ?? (host.runs.isRunId(claims.run) ? undefined : claims.number) ?? claims.run,
    serviceAttempt: claims.attempt,
    serviceEventType: claims.event,
    branch: ref.branch ?? facts.branch,
    tag: ref.tag,
    mergeQueue: ref.queue !== undefined,
    pullRequest: ref.pullRequest ?? facts.pullRequest,
    baseBranch: ref.queue?.baseBranch ?? facts.baseBranch,
    baseCommit: ref.queue?.baseCommit ?? facts.baseCommit,
  };
}

/** What an upload may call the run by; none: whatever it says. */
function numbersOf({ run, number, hidesNumber }: RunClaims): readonly (string | undefined)[] {
  return hidesNumber ? [] : [run, number];
}

/** Clients may send part of a sha. */
function isBeginning(commit: string | undefined, claims: RunClaims): boolean {
  return commit !== undefined && commit.length >= 7 && claims.commit.startsWith(commit);
}

/** Undefined says nothing, and without a claim there is nothing to differ from. */
function firstDifference(rows: readonly Row[]): ClaimDifference | undefined {
  const found = rows.find(([, sent, claimed]) => sent !== undefined && claimed.length > 0 && !claimed.includes(sent));
  const [field, sent, claimed = []] = found ?? [];
  return field === undefined || sent === undefined ? undefined : { field, sent, claimed: claimed[0] ?? '' };
}

function refOf(claims: RunClaims, host: Pick<HostWords, 'refs'>): GitRef {
  const named = readGitRef(claims.ref, undefined, [host]);
  const ref = claims.pullRequest === undefined ? named : { ...named, pullRequest: claims.pullRequest };
  return claims.headBranch === undefined ? ref : { ...ref, branch: claims.headBranch, tag: false };
}

function textOf(number: number | undefined): string | undefined {
  return number === undefined ? undefined : String(number);
}
