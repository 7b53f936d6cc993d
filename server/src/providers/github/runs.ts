import type { WorkflowRun } from '../../domain/repo/workflow-run.ts';
import type { Provider } from '../../ports/provider.ts';
import type { RunConclusion, RunFacts } from '../../ports/provider-facts.ts';
import { isNumericId, splitRepoName } from './addresses.ts';
import { fieldsOf, idOf, textOf } from './answers.ts';
import { timeOf } from './facts.ts';
import { OPERATIONS } from './operations.ts';
import { askDefinitely, type CallsOf, type Fields } from './requests.ts';

/** Runs of workflows at GitHub, as our own token sees them. One request. */
export function createRuns(callsOf: CallsOf): Pick<Provider, 'readRun'> {
  return {
    readRun: async ({ repo, run }) => {
      if (!isNumericId(run)) return undefined;
      return askDefinitely(callsOf(repo), OPERATIONS.readRun, {
        send: (rest, options) =>
          rest.actions.getWorkflowRun({ ...splitRepoName(repo), run_id: Number(run), request: options }),
        read: toRunFacts,
      });
    },
  };
}

/** A run as GitHub describes it; undefined when the answer is not GitHub's. */
export function toWorkflowRun(run: Fields): WorkflowRun | undefined {
  const id = idOf(run.id);
  const repoId = idOf(fieldsOf(run.repository).id);
  const headRepoId = idOf(fieldsOf(run.head_repository).id);
  const headCommit = textOf(run.head_sha);
  const number = idOf(run.run_number);
  if (id === undefined || repoId === undefined || headCommit === undefined) return undefined;
  return {
    id: String(id),
    number: number === undefined ? undefined : String(number),
    repoId: String(repoId),
    headRepoId: headRepoId === undefined ? undefined : String(headRepoId),
    headCommit,
    event: textOf(run.event) ?? '',
    actor: textOf(fieldsOf(run.actor).login),
    ended: run.status === 'completed',
  };
}

export function toRunFacts(run: Fields): RunFacts | undefined {
  const described = toWorkflowRun(run);
  if (described === undefined) return undefined;
  const pullRequests: unknown[] = Array.isArray(run.pull_requests) ? run.pull_requests : [];
  return {
    ...described,
    attempt: idOf(run.run_attempt) ?? 1,
    headBranch: textOf(run.head_branch),
    // GitHub tells no other time of its end; what changes it later is seldom.
    endedAt: described.ended ? timeOf(run.updated_at) : undefined,
    awaitsApproval: [run.status, run.conclusion].includes('action_required'),
    conclusion: described.ended ? conclusionOf(run.conclusion) : undefined,
    pullRequests: pullRequests
      .filter((pullRequest) => isIn(described.repoId, pullRequest))
      .map((pullRequest) => idOf(fieldsOf(pullRequest).number))
      .filter((number) => number !== undefined),
  };
}

/** A branch may also be the head of a pull request in a fork's own repo. */
function isIn(repoId: string, pullRequest: unknown): boolean {
  return String(fieldsOf(fieldsOf(fieldsOf(pullRequest).base).repo).id) === repoId;
}

/** GitHub also ends runs as timed_out, action_required and startup_failure, and as stale when it gave up on them. */
export function conclusionOf(word: unknown): RunConclusion {
  switch (word) {
    case 'success':
    case 'neutral':
      return 'success';
    case 'skipped':
      return 'skipped';
    case 'cancelled':
    case 'stale':
      return 'cancelled';
    default:
      return 'failure';
  }
}
