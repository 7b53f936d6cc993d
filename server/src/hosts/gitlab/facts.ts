import type { Provider } from '../../ports/provider.ts';
import {
  type CommitFacts,
  type ListedPullRequest,
  OPEN_PULL_REQUEST_LIMIT,
  type PullRequestFacts,
  type RepoFacts,
} from '../../ports/provider-facts.ts';
import { type Fields, fieldsOf, idOf, isCommitSha, isNumericId, textOf, timeOf } from '../answers.ts';
import type { Ask } from '../rest/calls.ts';
import { unexpectedAnswer } from '../rest/operations.ts';
import { askFor, definiteAnswer } from '../rest/questions.ts';
import { OPERATIONS } from './operations.ts';
import { askForPage, type Gitlab, inProject, pathByName } from './questions.ts';

type Facts = Pick<
  Provider,
  | 'describePullRequest'
  | 'listPullRequestsFrom'
  | 'listOpenPullRequests'
  | 'describeCommit'
  | 'listBranchesAt'
  | 'describeRepo'
  | 'describeRepoById'
  | 'requiresStatus'
>;

/** Branches of a commit whose heads are looked at. */
const MAX_BRANCHES = 20;

/** Merge requests, commits and projects at GitLab. */
export function createFacts(gitlab: Gitlab): Facts {
  const inRepo = <T>(repo: string, run: (ask: Ask, path: string) => Promise<T>) =>
    definiteAnswer(inProject(gitlab, repo, run));
  return {
    describePullRequest: ({ repo, pullRequest }) =>
      inRepo(repo, async (ask, path) => {
        const { number: _, ...facts } = await readChange(ask, path, pullRequest);
        return facts;
      }),
    listPullRequestsFrom: ({ repo, headRepo, headBranch }) =>
      inRepo(repo, async (ask, path) => {
        const from = await definiteAnswer(gitlab.projects.pathOf(ask, headRepo));
        if (from === undefined) return [];
        const listed = await listFrom(ask, path, headBranch);
        return listed.filter(({ headRepoId }) => from === `/projects/${headRepoId}`);
      }),
    listOpenPullRequests: ({ repo }) => inRepo(repo, listOpen),
    describeCommit: async ({ repo, commit }) =>
      isCommitSha(commit) ? inRepo(repo, (ask, path) => readCommit(ask, path, commit)) : undefined,
    listBranchesAt: async ({ repo, commit }) =>
      isCommitSha(commit) ? inRepo(repo, (ask, path) => branchesAt(ask, path, commit)) : undefined,
    describeRepo: ({ repo }) =>
      definiteAnswer(
        gitlab.calls(async (ask) => {
          const facts = await askFor(ask, OPERATIONS.readProject, { path: pathByName(repo), read: toRepoFacts });
          gitlab.projects.note(repo, facts.id);
          return facts;
        }),
      ),
    describeRepoById: async ({ id }) =>
      isNumericId(id)
        ? definiteAnswer(
            gitlab.calls((ask) => askFor(ask, OPERATIONS.readProject, { path: `/projects/${id}`, read: toRepoFacts })),
          )
        : undefined,
    // It requires whole pipelines, which a failed status fails.
    requiresStatus: ({ repo }) =>
      inRepo(repo, async (ask, path) => {
        const { only_allow_merge_if_pipeline_succeeds: isOn } = fieldsOf(
          (await ask(OPERATIONS.readProject, { path })).json(),
        );
        return typeof isOn === 'boolean' ? isOn : undefined;
      }),
  };
}

export function readChange(ask: Ask, path: string, number: number): Promise<ListedPullRequest> {
  return askFor(ask, OPERATIONS.readMergeRequest, { path: `${path}/merge_requests/${number}`, read: toChange });
}

export async function readCommit(ask: Ask, path: string, commit: string): Promise<CommitFacts> {
  return askFor(ask, OPERATIONS.readCommit, {
    path: `${path}/repository/commits/${commit}`,
    query: { stats: 'false' },
    read: ({ parent_ids: parents, message }) => {
      if (!Array.isArray(parents) || typeof message !== 'string') return undefined;
      return parents.every((one) => typeof one === 'string') ? { parents, message } : undefined;
    },
  });
}

/** Those from a branch of any project. */
export async function listFrom(ask: Ask, path: string, branch: string): Promise<readonly ListedPullRequest[]> {
  const query = { source_branch: branch, state: 'all', order_by: 'created_at', sort: 'desc' };
  const { entries } = await askForPage(ask, OPERATIONS.listMergeRequests, { path: `${path}/merge_requests`, query });
  const changes = entries.map(toChange).filter((one) => one !== undefined);
  if (changes.length < entries.length) throw unexpectedAnswer(OPERATIONS.listMergeRequests);
  return changes;
}

async function listOpen(ask: Ask, path: string): Promise<readonly number[]> {
  const numbers = new Set<number>();
  let page: string | undefined = '1';
  while (page !== undefined && numbers.size < OPEN_PULL_REQUEST_LIMIT) {
    const query = { state: 'opened', order_by: 'created_at', sort: 'desc', page };
    const listed: Awaited<ReturnType<typeof askForPage>> = await askForPage(ask, OPERATIONS.listMergeRequests, {
      path: `${path}/merge_requests`,
      query,
    });
    for (const { iid } of listed.entries) {
      const number = idOf(iid);
      if (number === undefined) throw unexpectedAnswer(OPERATIONS.listMergeRequests);
      numbers.add(number);
    }
    page = listed.next;
  }
  return [...numbers].slice(0, OPEN_PULL_REQUEST_LIMIT);
}

/** GitLab names the branches that hold a commit; of few of them it is the newest. */
async function branchesAt(ask: Ask, path: string, commit: string): Promise<readonly string[]> {
  const asked = { path: `${path}/repository/commits/${commit}/refs`, query: { type: 'branch' } };
  const { entries } = await askForPage(ask, OPERATIONS.listRefs, asked);
  const names = entries.map(({ name }) => textOf(name)).filter((name) => name !== undefined);
  const found: string[] = [];
  for (const name of names.slice(0, MAX_BRANCHES)) {
    const head = await definiteAnswer(
      askFor(ask, OPERATIONS.listRefs, {
        path: `${path}/repository/branches/${encodeURIComponent(name)}`,
        read: (branch) => textOf(fieldsOf(branch.commit).id),
      }),
    );
    if (head === commit.toLowerCase()) found.push(name);
  }
  return found;
}

export function toChange(change: Fields): ListedPullRequest | undefined {
  const number = idOf(change.iid);
  const [headCommit, headBranch, baseBranch] = [change.sha, change.source_branch, change.target_branch].map(textOf);
  const target = idOf(change.target_project_id);
  if (number === undefined || headCommit === undefined || headBranch === undefined || target === undefined)
    return undefined;
  if (baseBranch === undefined) return undefined;
  const merged = change.state === 'merged';
  // Null once the fork is gone.
  const source = idOf(change.source_project_id);
  const landed = [change.merge_commit_sha, change.squash_commit_sha, change.sha].map(textOf);
  const facts: PullRequestFacts = {
    headCommit,
    headBranch,
    baseBranch,
    // Right after a merge request was opened, GitLab knows of no diff yet.
    baseCommit: textOf(fieldsOf(change.diff_refs).start_sha) ?? baseBranch,
    // GitLab would make it when asked.
    mergeCommit: undefined,
    state: merged || change.state === 'closed' ? 'closed' : 'open',
    title: textOf(change.title) ?? '',
    openedAt: timeOf(change.created_at),
    merged,
    landedCommit: merged ? landed.find((sha) => sha !== undefined) : undefined,
    headRepoId: source?.toString(),
    fromFork: source !== target,
  };
  return { ...facts, number };
}

export function toRepoFacts(project: Fields): RepoFacts | undefined {
  const identity = identityOf(project);
  const { visibility } = project;
  if (identity === undefined || typeof visibility !== 'string') return undefined;
  const parent = identityOf(fieldsOf(project.forked_from_project));
  return {
    ...identity,
    // An empty project has none.
    defaultBranch: textOf(project.default_branch) ?? 'main',
    // Everybody who signed in reads an `internal` one: that is not everybody.
    visibility: visibility === 'public' ? 'public' : 'private',
    parent,
  };
}

/** Which project it is; undefined when the answer is not GitLab's. */
export function identityOf(project: Fields): { readonly id: string; readonly name: string } | undefined {
  const [id, name] = [idOf(project.id), textOf(project.path_with_namespace)];
  return id === undefined || name === undefined ? undefined : { id: String(id), name };
}
