import type { Provider } from '../../ports/provider.ts';
import {
  type CommitFacts,
  type ListedPullRequest,
  OPEN_PULL_REQUEST_LIMIT,
  type PullRequestFacts,
} from '../../ports/provider-facts.ts';
import { type Fields, fieldsOf, idOf, isCommitSha, textOf } from '../answers.ts';
import { splitRepoName } from './addresses.ts';
import { unexpectedAnswer } from './call-failure.ts';
import type { CallsOf, GithubCall } from './calls.ts';
import { OPERATIONS } from './operations.ts';
import { askDefinitely, definiteAnswer, parentsOf, request, requestList } from './requests.ts';

const PER_PAGE = 100;

/**
 * What pull requests and commits say about each other at GitHub (rule 21). One request each; of open pull requests one
 * for each hundred.
 */
export function createFacts(
  callsOf: CallsOf,
): Pick<
  Provider,
  | 'describePullRequest'
  | 'listPullRequestsFrom'
  | 'listOpenPullRequests'
  | 'describeCommit'
  | 'listBranchesAt'
  | 'requiresStatus'
> {
  return {
    describePullRequest: ({ repo, pullRequest }) =>
      askDefinitely(callsOf(repo), OPERATIONS.readPullRequest, {
        send: (rest, options) => rest.pulls.get({ ...splitRepoName(repo), pull_number: pullRequest, request: options }),
        read: toPullRequestFacts,
      }),
    listPullRequestsFrom: (from) => definiteAnswer(callsOf(from.repo)((call) => listPullRequestsFrom(call, from))),
    listOpenPullRequests: ({ repo }) => definiteAnswer(callsOf(repo)((call) => listOpenPullRequests(call, repo))),
    describeCommit: async ({ repo, commit }) => {
      // Without asking: what is no SHA is no commit, and must not become part of a path.
      if (!isCommitSha(commit)) return undefined;
      return askDefinitely(callsOf(repo), OPERATIONS.readCommit, {
        // The Git database's answer, since a commit's own lists up to 300 changed files with their diffs.
        send: (rest, options) => rest.git.getCommit({ ...splitRepoName(repo), commit_sha: commit, request: options }),
        read: toCommitFacts,
      });
    },
    listBranchesAt: async ({ repo, commit }) =>
      isCommitSha(commit) ? definiteAnswer(callsOf(repo)((call) => listBranchesAt(call, repo, commit))) : undefined,
    requiresStatus: ({ repo, branch, context }) =>
      definiteAnswer(
        callsOf(repo)(async (call) => {
          const asked = { ...splitRepoName(repo), branch };
          const isProtected = await request(call, OPERATIONS.readBranch, {
            send: (rest, options) => rest.repos.getBranch({ ...asked, request: options }),
            read: ({ protection }) => isNamed(fieldsOf(fieldsOf(protection).required_status_checks).contexts, context),
          });
          return isProtected || (await isRuled(call, { ...asked, context }));
        }),
      ),
  };
}

/** By rulesets, which a branch has beside its protection. */
async function isRuled(
  call: GithubCall,
  { context, ...asked }: { readonly owner: string; readonly repo: string; readonly branch: string; context: string },
): Promise<boolean> {
  const { entries } = await requestList(call, OPERATIONS.readBranchRules, (rest, options) =>
    rest.repos.getBranchRules({ ...asked, per_page: PER_PAGE, request: options }),
  );
  return entries.some(({ type, parameters }) => {
    const checks = fieldsOf(parameters).required_status_checks;
    const named = Array.isArray(checks) ? checks.map((check) => fieldsOf(check).context) : [];
    return type === 'required_status_checks' && isNamed(named, context);
  });
}

function isNamed(contexts: unknown, context: string): boolean {
  return Array.isArray(contexts) && contexts.includes(context);
}

async function listBranchesAt(call: GithubCall, repo: string, commit: string): Promise<readonly string[]> {
  const asked = { ...splitRepoName(repo), commit_sha: commit };
  const { entries } = await requestList(call, OPERATIONS.listBranchesAt, (rest, options) =>
    rest.repos.listBranchesForHeadCommit({ ...asked, request: options }),
  );
  const names = entries.map(({ name }) => textOf(name)).filter((name) => name !== undefined);
  if (names.length < entries.length) throw unexpectedAnswer(OPERATIONS.listBranchesAt);
  return names;
}

/** By owner and branch: GitHub finds no pull request of a fork by its commit. */
async function listPullRequestsFrom(
  call: GithubCall,
  { repo, headRepo, headBranch }: Parameters<Provider['listPullRequestsFrom']>[0],
): Promise<readonly ListedPullRequest[]> {
  const head = `${splitRepoName(headRepo).owner}:${headBranch}`;
  const asked = { ...splitRepoName(repo), head, state: 'all', per_page: PER_PAGE } as const;
  const { entries } = await requestList(call, OPERATIONS.listPullRequestsFrom, (rest, options) =>
    rest.pulls.list({ ...asked, request: options }),
  );
  return entries.map((entry) => {
    const number = idOf(entry.number);
    // A list has no `merged`, and says when it was.
    const facts = toPullRequestFacts({ ...entry, merged: typeof entry.merged_at === 'string' });
    if (number === undefined || facts === undefined) throw unexpectedAnswer(OPERATIONS.listPullRequestsFrom);
    return { ...facts, number };
  });
}

async function listOpenPullRequests(call: GithubCall, repo: string): Promise<readonly number[]> {
  const numbers = new Set<number>();
  for (let page = 1; numbers.size < OPEN_PULL_REQUEST_LIMIT; page += 1) {
    const asked = { ...splitRepoName(repo), state: 'open', per_page: PER_PAGE, page } as const;
    const { entries } = await requestList(call, OPERATIONS.listPullRequests, (rest, options) =>
      rest.pulls.list({ ...asked, request: options }),
    );
    for (const entry of entries) {
      const number = idOf(entry.number);
      if (number === undefined) throw unexpectedAnswer(OPERATIONS.listPullRequests);
      // Opened in the meantime, one moves the others on to the next page.
      numbers.add(number);
    }
    if (entries.length < PER_PAGE) break;
  }
  return [...numbers].slice(0, OPEN_PULL_REQUEST_LIMIT);
}

function toPullRequestFacts(pullRequest: Fields): PullRequestFacts | undefined {
  const head = fieldsOf(pullRequest.head);
  const base = fieldsOf(pullRequest.base);
  const [headCommit, headBranch, baseBranch, baseCommit] = [head.sha, head.ref, base.ref, base.sha].map(textOf);
  const { state, merged } = pullRequest;
  if (headCommit === undefined || headBranch === undefined || baseBranch === undefined || baseCommit === undefined) {
    return undefined;
  }
  if (state !== 'open' && state !== 'closed') return undefined;
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
    title: textOf(pullRequest.title) ?? '',
    openedAt: timeOf(pullRequest.created_at),
    merged: isMerged,
    landedCommit: isMerged ? named : undefined,
    // The repo of a deleted fork is null.
    headRepoId: idOf(fieldsOf(head.repo).id)?.toString(),
    fromFork: idOf(fieldsOf(head.repo).id) !== idOf(fieldsOf(base.repo).id),
  };
}

export function timeOf(text: unknown): number | undefined {
  const time = typeof text === 'string' ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

function toCommitFacts(commit: Fields): CommitFacts | undefined {
  const [parents, tree] = [parentsOf(commit), textOf(fieldsOf(commit.tree).sha)];
  const { message } = commit;
  if (parents === undefined || typeof message !== 'string' || tree === undefined) return undefined;
  return { parents, message, tree };
}
