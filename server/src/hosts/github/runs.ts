import type { ListedPull } from '../../core/repo/fork-run.ts';
import type { WorkflowRun } from '../../core/repo/workflow-run.ts';
import type { Provider } from '../../ports/provider.ts';
import type { RunConclusion, RunFacts } from '../../ports/provider-facts.ts';
import { type Fields, fieldsOf, idOf, isCommitSha, isNumericId, textOf } from '../answers.ts';
import { splitRepoName } from './addresses.ts';
import { unexpectedAnswer } from './call-failure.ts';
import type { CallsOf, GithubCall } from './calls.ts';
import { timeOf } from './facts.ts';
import { OPERATIONS } from './operations.ts';
import { askDefinitely, definiteAnswer, request, requestList } from './requests.ts';

/** So that a page is small enough to be remembered, and is read in a few ms: a run takes some 15 KB. */
const PER_PAGE = 50;
/** Among those in progress. */
const MAX_PAGES = 10;

type Runs = Pick<Provider, 'readRun' | 'listRuns' | 'listRunsOfCommit' | 'findPullRequestsOfRun'>;

/**
 * Runs of workflows at GitHub, as our own token sees them. One request; a list takes two, or one for each fifty, and
 * the pull requests of one two.
 */
export function createRuns(callsOf: CallsOf): Runs {
  const askForRun = <T>(repo: string, run: string, read: (answer: Fields) => T | undefined) =>
    askDefinitely(callsOf(repo), OPERATIONS.readRun, {
      send: (rest, options) =>
        rest.actions.getWorkflowRun({ ...splitRepoName(repo), run_id: Number(run), request: options }),
      read,
    });
  return {
    listRuns: ({ repo }) => definiteAnswer(callsOf(repo)((call) => listRuns(call, repo))),
    readRun: async ({ repo, run }) => (isNumericId(run) ? askForRun(repo, run, toRunFacts) : undefined),
    listRunsOfCommit: async ({ repo, commit }) => {
      if (!isCommitSha(commit)) return [];
      return definiteAnswer(
        callsOf(repo)(async (call) => (await listPage(call, { repo, page: 1, head_sha: commit })).runs),
      );
    },
    findPullRequestsOfRun: async ({ repo, run }) => {
      if (!isNumericId(run)) return undefined;
      const found = await askForRun(repo, run, toHead);
      if (found?.head === undefined) return found && [];
      const asked = { ...splitRepoName(repo), head: found.head, state: 'all', per_page: PER_PAGE } as const;
      return definiteAnswer(
        callsOf(repo)(async (call) => {
          const { entries } = await requestList(call, OPERATIONS.listPullRequests, (rest, options) =>
            rest.pulls.list({ ...asked, request: options }),
          );
          const pulls = allOf(entries, toListedPull);
          if (pulls === undefined) throw unexpectedAnswer(OPERATIONS.listPullRequests);
          return pulls;
        }),
      );
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
  {
    repo,
    ...asked
  }: {
    readonly repo: string;
    readonly page: number;
    readonly status?: 'in_progress';
    readonly head_sha?: string;
  },
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

/** Undefined if one of them is not as GitHub writes it. */
function allOf<T>(entries: readonly unknown[], read: (entry: Fields) => T | undefined): readonly T[] | undefined {
  const all = entries.map((entry) => read(fieldsOf(entry))).filter((entry) => entry !== undefined);
  return all.length === entries.length ? all : undefined;
}

/** The branch of a run's head as GitHub's lists are asked for it; undefined once its repo was deleted. */
function toHead(run: Fields): { readonly head: string | undefined } {
  const owner = textOf(fieldsOf(fieldsOf(run.head_repository).owner).login);
  const branch = textOf(run.head_branch);
  return { head: owner === undefined || branch === undefined ? undefined : `${owner}:${branch}` };
}

function toListedPull(pull: Fields): ListedPull | undefined {
  const { sha, ref, repo } = fieldsOf(pull.head);
  const [number, headCommit, headBranch] = [idOf(pull.number), textOf(sha), textOf(ref)];
  if (number === undefined || headCommit === undefined || headBranch === undefined) return undefined;
  const headRepoId = idOf(fieldsOf(repo).id)?.toString();
  return { number, headCommit, headBranch, headRepoId, state: pull.state === 'open' ? 'open' : 'closed' };
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
