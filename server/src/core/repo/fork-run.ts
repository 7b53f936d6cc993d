import type { GitHost } from './git-host.ts';
import { isRunOf, type TrustProblem, type VouchedRun, type WorkflowRun } from './workflow-run.ts';

const SEND_TOKEN = "Send the repo's own token, or a token of the run, as repo_token.";

/** How long after its end a run may still send something, in ms: what was sent before may still be in progress. */
const ENDED_LATELY = 10 * 60_000;

/** A run that may vouch for what has no secret. */
export interface DescribedRun extends WorkflowRun {
  /** From 1 on; running again counts it up. */
  readonly attempt: number;
  /** Undefined for a run of no branch. */
  readonly headBranch: string | undefined;
  /** When it ended, at the latest; undefined: it is in progress, or its host does not say. */
  readonly endedAt: number | undefined;
  /** Nothing of it ran: somebody of the repo has to approve it first. */
  readonly awaitsApproval: boolean;
}

/** What a run without secrets states of its uploads, whatever they say themselves (rule 29). */
export interface ForkRun extends VouchedRun, Pick<DescribedRun, 'event' | 'attempt' | 'headBranch'> {
  /** Undefined on a close, which names none. */
  readonly pullRequest: number | undefined;
}

type Words = Pick<GitHost, 'name' | 'runs' | 'tokens'>;

/** Whether a run gets no secrets of its repo: a fork's, and one that such a bot started. */
export function hasNoSecrets(run: WorkflowRun, { runs }: Pick<GitHost, 'runs'>): boolean {
  return run.headRepoId !== run.repoId || (run.actor !== undefined && runs.botWithoutSecrets(run.actor) !== undefined);
}

/**
 * Rule 29: why a run vouches for nothing that comes without a secret. Anybody can know the id of a run, so only what
 * tests a pull request counts, and only while it runs. `repoId`: undefined if that is not known yet.
 */
export function findForkRunProblem(
  run: DescribedRun,
  { host, repoId, now }: { readonly host: Words; readonly repoId: string | undefined; readonly now: number },
): TrustProblem | undefined {
  const { id } = run;
  if (repoId !== undefined && run.repoId !== repoId)
    return {
      found: `The run ${id} belongs to another repo.`,
      remedy: `Send the id of the run that this comes from (${host.tokens.words.runId}).`,
    };
  if (!['pull-request', 'review'].includes(host.runs.triggerOf(run.event)))
    return {
      found: `The run ${id} was started by ${run.event}, and does not test a pull request.`,
      remedy: SEND_TOKEN,
    };
  if (!hasNoSecrets(run, host))
    return { found: `The run ${id} belongs to the repo itself, and gets its secrets.`, remedy: SEND_TOKEN };
  if (run.awaitsApproval)
    return {
      found: `The run ${id} is waiting for approval, so none of it has run.`,
      remedy: 'Have it approved first.',
    };
  if (run.ended && (run.endedAt === undefined || run.endedAt + ENDED_LATELY < now))
    return { found: `The run ${id} ended more than ${ENDED_LATELY / 60_000} minutes ago.`, remedy: 'Run it again.' };
  return undefined;
}

/** A pull request, as far as it tells whose runs are its own. */
export interface PullHead {
  readonly headCommit: string;
  /** The branch's name in the repo that holds it, which may be a fork. */
  readonly headBranch: string;
  /** Undefined once the repo that holds its head was deleted. */
  readonly headRepoId: string | undefined;
}

/** A pull request as lists have it. */
export interface ListedPull extends PullHead {
  readonly number: number;
  readonly state: 'open' | 'closed';
}

/** Whether a run tests the pull request. Its head may have moved on, but not to another repo or branch. */
export function isRunOfPull(run: DescribedRun, pull: PullHead): boolean {
  if (run.headRepoId !== pull.headRepoId) return false;
  return run.headRepoId === undefined ? isRunOf(run, [pull.headCommit]) : run.headBranch === pull.headBranch;
}
