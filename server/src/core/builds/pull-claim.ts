import { quoteValue } from '../failure.ts';
import { type DescribedRun, isRunOfPull, type PullHead } from '../repo/fork-run.ts';
import type { GitHost } from '../repo/git-host.ts';
import { isRunOf } from '../repo/workflow-run.ts';
import type { Build } from './build.ts';
import { isOfPullRequest } from './claimed-facts.ts';

type Runs = Pick<GitHost, 'name' | 'runs'>;

/** A build that counts without the pull request that its upload named. */
export interface RefutedPull {
  readonly branch: string | undefined;
  /** What the build's readers are told. */
  readonly sentence: string;
}

/** Whether a build's upload names a pull request that its host has a word on (rule 29). */
export function claimsPull({ trust, pullRequest, mergeQueue }: Build): boolean {
  return trust !== 'run' && pullRequest !== undefined && !mergeQueue;
}

/** Whether a build may be of a commit that is not its fork's alone (rule 29). */
export function mayCopyHead({ trust, facts }: Build): boolean {
  return trust === 'run' && facts?.pull?.fromFork === true;
}

/** Whether a build's token speaks for a run that is of no pull request: then nobody but the upload names one. */
export function isMereClaim({ trust, vouchedRun, eventType: event }: Build, host: Runs): boolean {
  const speaks = trust === 'provider' && vouchedRun !== undefined;
  return speaks && event !== undefined && !isOfPullRequest({ event }, host);
}

/** Whether a run is one of the pull request's own. Its head may have moved on since. */
export function isPullsOwnRun(run: DescribedRun, pull: PullHead, host: Runs): boolean {
  return isOfPullRequest(run, host) && isRunOfPull(run, pull);
}

/** `pull`, `run`: undefined if the host shows none. */
export function refutePull(
  build: Build,
  {
    host,
    pull,
    run,
  }: { readonly host: Runs; readonly pull?: PullHead | undefined; readonly run?: DescribedRun | undefined },
): RefutedPull {
  const { pullRequest = 0, branch, eventType } = build;
  const event = run?.event ?? eventType;
  const seen =
    pull === undefined
      ? `The upload names pull request ${pullRequest}, but ${host.name} does not show this server such a pull request.`
      : `The upload names pull request ${pullRequest}, but ${host.name} says that its head is ` +
        `${pull.headCommit.slice(0, 7)}, which was not tested here.`;
  const sentence = `${seen} ${countsWithoutPull(event === undefined ? 'something else' : quoteValue(event))}`;
  return { branch: mayBeOnBranch(build, run) ? branch : undefined, sentence };
}

/** A branch that came beside a wrong pull request counts where the run is of it: a fork's `main` is not ours. */
function mayBeOnBranch({ trust, vouchedRun, branch, commit = '' }: Build, run: DescribedRun | undefined): boolean {
  if (trust === 'provider' && vouchedRun !== undefined) return true;
  return run !== undefined && run.headRepoId === run.repoId && run.headBranch === branch && isRunOf(run, [commit]);
}

/** `event`: quoted, by the host's own word. */
function countsWithoutPull(event: string): string {
  return (
    `Its run was started by ${event}, so the build counts without the pull request. ` +
    'Upload from a run of the pull request, or for its head.'
  );
}
