import type { Provider } from '../../ports/provider.ts';
import type { RunConclusion, RunFacts } from '../../ports/provider-facts.ts';
import { type Fields, fieldsOf, idOf, isCommitSha, isNumericId, textOf, timeOf } from '../answers.ts';
import type { Ask } from '../rest/calls.ts';
import { askFor, definiteAnswer } from '../rest/questions.ts';
import { listFrom, readChange, readCommit } from './facts.ts';
import { OPERATIONS } from './operations.ts';
import { askForPage, type Gitlab, inProject } from './questions.ts';
import { isOfMerge, REFS } from './refs.ts';

type Runs = Pick<Provider, 'readRun' | 'listRuns' | 'listRunsOfCommit' | 'findPullRequestsOfRun'>;

const LISTED = '50';

/** Pipelines at GitLab. One of a fork's merge request runs in the fork's own project, and is not found here. */
export function createPipelines(gitlab: Gitlab): Runs {
  const list = (repo: string, query: Readonly<Record<string, string>>) =>
    definiteAnswer(
      inProject(gitlab, repo, async (ask, path) => {
        const asked = {
          path: `${path}/pipelines`,
          query: { order_by: 'id', sort: 'desc', per_page: LISTED, ...query },
        };
        const { entries } = await askForPage(ask, OPERATIONS.listPipelines, asked);
        // Our own statuses make pipelines too.
        const runs = entries.filter(({ source }) => source !== 'external');
        return runs.map((run) => toRun(run, path)).filter((run) => run !== undefined);
      }),
    );
  return {
    readRun: async ({ repo, run }) =>
      isNumericId(run)
        ? definiteAnswer(inProject(gitlab, repo, async (ask, path) => readPipeline(ask, path, run)))
        : undefined,
    listRuns: ({ repo }) => list(repo, {}),
    listRunsOfCommit: async ({ repo, commit }) => (isCommitSha(commit) ? list(repo, { sha: commit }) : []),
    findPullRequestsOfRun: async ({ repo, run }) => {
      if (!isNumericId(run)) return undefined;
      return definiteAnswer(
        inProject(gitlab, repo, async (ask, path) => {
          const found = await askPipeline(ask, path, run);
          const number = REFS.pullRequestOf(textOf(found.ref) ?? '');
          if (number !== undefined) return [await readChange(ask, path, number)];
          const listed = await listFrom(ask, path, textOf(found.ref) ?? '');
          return listed.filter(({ headRepoId }) => headRepoId === String(found.project_id));
        }),
      );
    },
  };
}

function askPipeline(ask: Ask, path: string, run: string): Promise<Fields> {
  return askFor(ask, OPERATIONS.readPipeline, {
    path: `${path}/pipelines/${run}`,
    read: (found) => (idOf(found.id) === undefined ? undefined : found),
  });
}

/**
 * What tests a merge is of the merge request's head anyway. A fork's merge request may be tested in this project too,
 * by anybody who may push: its head is in the fork.
 */
async function readPipeline(ask: Ask, path: string, id: string): Promise<RunFacts | undefined> {
  const found = await askPipeline(ask, path, id);
  const run = toRun(found, path);
  const ref = textOf(found.ref) ?? '';
  const number = REFS.pullRequestOf(ref);
  if (run === undefined || number === undefined) return run;
  // A train's commit is this project's own, whosever the merge request is: it is what may land.
  if (REFS.queueOf(ref) !== undefined) return { ...run, ref };
  const change = await definiteAnswer(readChange(ask, path, number));
  const { headBranch, headRepoId } = change ?? {};
  if (!isOfMerge(ref)) return { ...run, headBranch, headRepoId };
  const merge = await definiteAnswer(readCommit(ask, path, run.headCommit));
  const parents = merge?.parents ?? [];
  const headCommit = parents.find((one) => one === change?.headCommit) ?? parents[1] ?? run.headCommit;
  return { ...run, headBranch, headRepoId, headCommit };
}

const ENDED: Readonly<Record<string, RunConclusion>> = {
  success: 'success',
  failed: 'failure',
  canceled: 'cancelled',
  skipped: 'skipped',
};

/** How a pipeline ended; undefined while it is in progress. */
export function conclusionOf(status: unknown): RunConclusion | undefined {
  return typeof status === 'string' ? ENDED[status] : undefined;
}

/** `path`: of its project. A pipeline that is run again stays the same one. */
export function toRun(found: Fields, path: string): RunFacts | undefined {
  const [id, headCommit] = [idOf(found.id), textOf(found.sha)];
  if (id === undefined || headCommit === undefined) return undefined;
  const repoId = idOf(found.project_id)?.toString() ?? path.split('/')[2] ?? '';
  const ref = textOf(found.ref);
  const number = REFS.pullRequestOf(ref ?? '');
  const conclusion = conclusionOf(found.status);
  return {
    id: String(id),
    number: idOf(found.iid)?.toString(),
    repoId,
    headRepoId: repoId,
    headCommit,
    headBranch: number === undefined ? ref : undefined,
    event: textOf(found.source) ?? '',
    actor: textOf(fieldsOf(found.user).username),
    attempt: 1,
    ended: conclusion !== undefined,
    endedAt: conclusion === undefined ? undefined : timeOf(found.finished_at ?? found.updated_at),
    awaitsApproval: false,
    conclusion,
    pullRequests: number === undefined ? [] : [number],
  };
}
