import type { WorkflowRun } from '../../domain/repo/workflow-run.ts';
import type { Provider } from '../../ports/provider.ts';
import type { RunConclusion, RunFacts } from '../../ports/provider-facts.ts';
import { isNumericId, splitRepoName } from './addresses.ts';
import { fieldsOf, idOf, textOf } from './answers.ts';
import type { GithubCall } from './bounded-calls.ts';
import { timeOf } from './facts.ts';
import { OPERATIONS } from './operations.ts';
import { askDefinitely, type CallsOf, definiteAnswer, type Fields, request } from './requests.ts';

/** So that a page is small enough to be remembered, and is read in a few ms: a run takes some 15 KB. */
const PER_PAGE = 50;
/** Of those under way. */
const MAX_PAGES = 10;

/** Runs of workflows at GitHub, as our own token sees them. One request; a list takes two, or one for each fifty. */
export function createRuns(callsOf: CallsOf): Pick<Provider, 'readRun' | 'listRuns'> {
  return {
    listRuns: ({ repo }) => definiteAnswer(callsOf(repo)((call) => listRuns(call, repo))),
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

/**
 * GitHub takes one status at a time, and what it filters it finds in an index that may lag behind: so those that began
 * or ended lately come from the list without a filter.
 */
async function listRuns(call: GithubCall, repo: string): Promise<readonly RunFacts[]> {
  const newest = await listPage(call, { repo, page: 1 });
  const found = [...newest.runs];
  for (let page = 1; newest.total > newest.count && page <= MAX_PAGES; page += 1) {
    const { runs, count } = await listPage(call, { repo, page, status: 'in_progress' });
    found.push(...runs);
    if (count < PER_PAGE) break;
  }
  return found;
}

function listPage(
  call: GithubCall,
  { repo, ...asked }: { readonly repo: string; readonly page: number; readonly status?: 'in_progress' },
) {
  const list = { ...splitRepoName(repo), ...asked, per_page: PER_PAGE, exclude_pull_requests: true };
  return request(call, OPERATIONS.listRuns, {
    send: (rest, options) => rest.actions.listWorkflowRunsForRepo({ ...list, request: options }),
    read: ({ workflow_runs: listed, total_count: total }) => {
      if (!Array.isArray(listed)) return undefined;
      const runs = listed.map((run) => toRunFacts(fieldsOf(run))).filter((run) => run !== undefined);
      return { runs, count: listed.length, total: idOf(total) ?? 0 };
    },
  });
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
    headRepoName: textOf(fieldsOf(run.head_repository).full_name),
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
