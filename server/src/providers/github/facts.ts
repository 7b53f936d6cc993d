import type { Provider } from '../../ports/provider.ts';
import { type CommitFacts, OPEN_PULL_REQUEST_LIMIT, type PullRequestFacts } from '../../ports/provider-facts.ts';
import { isCommitSha, splitRepoName } from './addresses.ts';
import { fieldsOf, idOf, textOf } from './answers.ts';
import type { GithubCall, GithubCalls } from './bounded-calls.ts';
import { unexpectedAnswer } from './call-failure.ts';
import { definiteAnswer } from './definite-answer.ts';
import { OPERATIONS } from './operations.ts';

const PER_PAGE = 100;

/**
 * What pull requests and commits say about each other at GitHub (rule 21). One request each; of open pull requests one
 * for each hundred.
 */
export function createFacts(
  calls: GithubCalls,
): Pick<Provider, 'describePullRequest' | 'listOpenPullRequests' | 'describeCommit'> {
  return {
    describePullRequest: ({ repo, pullRequest }) =>
      definiteAnswer(
        calls(async ({ client, ask }) => {
          const request = ask(OPERATIONS.readPullRequest);
          const answer = await client.rest.pulls.get({ ...splitRepoName(repo), pull_number: pullRequest, request });
          return toPullRequestFacts(answer.data);
        }),
      ),
    listOpenPullRequests: ({ repo }) => definiteAnswer(calls((call) => listOpenPullRequests(call, repo))),
    describeCommit: async ({ repo, commit }) => {
      // Without asking: what is no SHA is no commit, and must not become part of a path.
      if (!isCommitSha(commit)) return undefined;
      return definiteAnswer(
        calls(async ({ client, ask }) => {
          // The Git database's answer, since a commit's own lists up to 300 changed files with their diffs.
          const request = ask(OPERATIONS.readCommit);
          const answer = await client.rest.git.getCommit({ ...splitRepoName(repo), commit_sha: commit, request });
          return toCommitFacts(answer.data);
        }),
      );
    },
  };
}

async function listOpenPullRequests({ client, ask }: GithubCall, repo: string): Promise<readonly number[]> {
  const numbers: number[] = [];
  for (let page = 1; numbers.length < OPEN_PULL_REQUEST_LIMIT; page += 1) {
    const request = ask(OPERATIONS.listPullRequests);
    const asked = { ...splitRepoName(repo), state: 'open', per_page: PER_PAGE, page, request } as const;
    const { data } = await client.rest.pulls.list(asked);
    const list: unknown = data;
    if (!Array.isArray(list)) throw unexpectedAnswer(OPERATIONS.listPullRequests);
    for (const one of list) {
      const number = idOf(fieldsOf(one).number);
      if (number === undefined) throw unexpectedAnswer(OPERATIONS.listPullRequests);
      // Opened meanwhile, one moves the others on to the next page.
      if (!numbers.includes(number)) numbers.push(number);
    }
    if (list.length < PER_PAGE) break;
  }
  return numbers.slice(0, OPEN_PULL_REQUEST_LIMIT);
}

function toPullRequestFacts(answer: unknown): PullRequestFacts {
  const pullRequest = fieldsOf(answer);
  const head = fieldsOf(pullRequest.head);
  const base = fieldsOf(pullRequest.base);
  const [headCommit, headBranch, baseBranch, baseCommit] = [head.sha, head.ref, base.ref, base.sha].map(textOf);
  const { state, merged } = pullRequest;
  if (headCommit === undefined || headBranch === undefined || baseBranch === undefined || baseCommit === undefined) {
    throw unexpectedAnswer(OPERATIONS.readPullRequest);
  }
  if (state !== 'open' && state !== 'closed') throw unexpectedAnswer(OPERATIONS.readPullRequest);
  // Once merged, GitHub names there the commit that landed on the base branch: no temporary one.
  const named = textOf(pullRequest.merge_commit_sha);
  const isMerged = merged === true;
  return {
    headCommit,
    headBranch,
    baseBranch,
    baseCommit,
    mergeCommit: isMerged ? undefined : named,
    state,
    openedAt: timeOf(pullRequest.created_at),
    merged: isMerged,
    landedCommit: isMerged ? named : undefined,
    // The repo of a deleted fork is null.
    fromFork: idOf(fieldsOf(head.repo).id) !== idOf(fieldsOf(base.repo).id),
  };
}

function timeOf(text: unknown): number | undefined {
  const time = typeof text === 'string' ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

function toCommitFacts(answer: unknown): CommitFacts {
  const commit = fieldsOf(answer);
  const parents = Array.isArray(commit.parents)
    ? commit.parents.map((parent) => textOf(fieldsOf(parent).sha))
    : [undefined];
  const tree = textOf(fieldsOf(commit.tree).sha);
  const { message } = commit;
  if (parents.includes(undefined) || typeof message !== 'string' || tree === undefined) {
    throw unexpectedAnswer(OPERATIONS.readCommit);
  }
  return { parents: parents.filter((parent) => parent !== undefined), message, tree };
}
