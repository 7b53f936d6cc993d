import { findNameProblem } from '../../../server/src/core/repo/repo-name.ts';
import { ProviderFailure } from '../../../server/src/ports/provider.ts';
import {
  type ChangedFile,
  type ChangedFiles,
  FIRST_PARENT_LIMIT,
  type FirstParents,
  OPEN_PULL_REQUEST_LIMIT,
  type ProviderFacts,
  type PullRequestFacts,
  type RepoFacts,
  type RunFacts,
} from '../../../server/src/ports/provider-facts.ts';
import { filesOfPullRequest, filesOfRange } from '../github-stand-in/diff.ts';
import { compareCommits, resolveRef } from '../github-stand-in/history.ts';
import type {
  ChangedFile as ChangedFileRecord,
  PullRequestRecord,
  RepoRecord,
  RunRecord,
  World,
} from '../github-stand-in/model.ts';
import { repoNamed } from '../github-stand-in/model.ts';
import { pullRequestsOfRun } from '../github-stand-in/run-operations.ts';

/** The numbers at which GitHub stops. */
const MAX_COMPARED = 300;
const MAX_PER_PULL_REQUEST = 3_000;

/** The questions to a host in memory. What it does not have is a definite answer. */
export function createFakeReads(world: World): ProviderFacts {
  const seek = (name: string): RepoRecord | undefined => findRepo(world, name);
  return {
    async describePullRequest({ repo, pullRequest }) {
      const holder = seek(repo);
      const found = holder?.pullRequests.get(pullRequest);
      return holder && found && describePullRequest(world, holder, found);
    },
    async listPullRequestsFrom({ repo, headRepo, headBranch }) {
      const holder = seek(repo);
      const [owner] = headRepo.split('/');
      const found = [...(holder?.pullRequests.values() ?? [])].filter(
        (pull) => pull.headRepo.split('/')[0] === owner && pull.headRef === headBranch,
      );
      return holder && found.map((pull) => ({ ...describePullRequest(world, holder, pull), number: pull.number }));
    },
    async listOpenPullRequests({ repo }) {
      const open = [...(seek(repo)?.pullRequests.values() ?? [])].filter(({ state }) => state === 'open');
      return seek(repo) && newestFirst(open).slice(0, OPEN_PULL_REQUEST_LIMIT);
    },
    async describeCommit({ repo, commit }) {
      const found = seek(repo)?.commits.get(commit);
      return found && { parents: found.parents, message: found.message, tree: found.tree };
    },
    async listBranchesAt({ repo, commit }) {
      const holder = seek(repo);
      if (!holder?.commits.has(commit)) return undefined;
      return [...holder.branches].filter(([, head]) => head === commit).map(([name]) => name);
    },
    async findMergeBase({ repo, base, head }) {
      const comparison = compareIn(seek(repo), base, head);
      return (
        comparison && { commit: comparison.mergeBase, ahead: comparison.ahead.length, behind: comparison.behindBy }
      );
    },
    async listFirstParents({ repo, commit, limit }) {
      const holder = seek(repo);
      return holder?.commits.has(commit) ? followFirstParents(holder, commit, limit) : undefined;
    },
    compareFiles: async (range) => compareFiles(world, seek(range.repo), range),
    async describeRepo({ repo }) {
      const found = seek(repo);
      return found && describeRepo(world, found);
    },
    async describeRepoById({ id }) {
      const found = [...world.repos.values()].find((repo) => String(repo.id) === id);
      return found && describeRepo(world, found);
    },
    async readFile({ repo, commit, path, maxBytes }) {
      const content = seek(repo)?.files.get(`${commit}:${path}`);
      if (content === undefined) return undefined;
      const size = content.length;
      return size > maxBytes ? { kind: 'too-large', size } : { kind: 'file', bytes: content };
    },
    async readRun({ repo, run }) {
      const holder = seek(repo);
      const found = holder?.runs.get(Number(run));
      return holder && found && describeRun(world, holder, found);
    },
    async listRuns({ repo }) {
      const holder = seek(repo);
      return holder && [...holder.runs.values()].map((run) => describeRun(world, holder, run));
    },
    async listRunsOfCommit({ repo, commit }) {
      const holder = seek(repo);
      const found = [...(holder?.runs.values() ?? [])].filter(({ headSha }) => headSha === commit);
      return holder && found.toReversed().map((run) => describeRun(world, holder, run));
    },
    async findPullRequestsOfRun({ repo, run }) {
      const holder = seek(repo);
      const head = holder?.runs.get(Number(run));
      if (!holder || !head) return undefined;
      return [...holder.pullRequests.values()]
        .filter(({ headRepo, headRef }) => headRepo === head.headRepo && headRef === head.headBranch)
        .toSorted((a, b) => b.number - a.number)
        .map((pull) => ({ ...describePullRequest(world, holder, pull), number: pull.number }));
    },
  };
}

function newestFirst(pulls: readonly PullRequestRecord[]): readonly number[] {
  return pulls.toSorted((a, b) => b.number - a.number).map(({ number }) => number);
}

/** A repo by the name that it has or had. Throws a permanent ProviderFailure for what no repo can be called. */
export function findRepo(world: World, name: string): RepoRecord | undefined {
  const problem = findNameProblem('github', name);
  if (problem !== undefined) throw new ProviderFailure('permanent', `A repo must be ${problem}.`);
  const known = world.repos.get(name.toLowerCase());
  const id = world.moved.get(name.toLowerCase());
  return known ?? [...world.repos.values()].find((repo) => repo.id === id);
}

function compareFiles(
  world: World,
  repo: RepoRecord | undefined,
  { base, head, pullRequest }: Parameters<ProviderFacts['compareFiles']>[0],
): ChangedFiles | undefined {
  const comparison = compareIn(repo, base, head);
  if (!repo || !comparison) return undefined;
  const pull = repo.pullRequests.get(pullRequest ?? 0);
  const isItsHead = pull?.headSha === comparison.ends.head;
  const files = isItsHead
    ? filesOfPullRequest(world, repo, pull)
    : filesOfRange(world, repo, { ...comparison.ends, mergeBase: comparison.mergeBase });
  const max = isItsHead ? MAX_PER_PULL_REQUEST : MAX_COMPARED;
  return {
    files: files.slice(0, max).map(toChangedFile),
    complete: files.length < max,
    mergeBase: comparison.mergeBase,
  };
}

function compareIn(repo: RepoRecord | undefined, base: string, head: string) {
  if (!repo) return undefined;
  const ends = { base: resolveWhole(repo, base), head: resolveWhole(repo, head) };
  const comparison = compareCommits(repo, ends.base, ends.head);
  return comparison && { ...comparison, ends };
}

/** A branch or a whole commit; the port takes no shortened ones. */
function resolveWhole(repo: RepoRecord, ref: string): string {
  return repo.branches.get(ref) ?? (ref.length >= 40 ? (resolveRef(repo, ref) ?? '') : '');
}

function followFirstParents(repo: RepoRecord, from: string, limit: number): FirstParents {
  const wanted = Math.min(limit, FIRST_PARENT_LIMIT);
  const commits: string[] = [];
  for (let last = from; commits.length < wanted; ) {
    const commit = repo.commits.get(last);
    if (!commit) return { commits, end: 'cut' };
    const [first] = commit.parents;
    if (first === undefined) return { commits, end: 'root' };
    commits.push(first);
    last = first;
  }
  return { commits, end: 'limit' };
}

function describePullRequest(world: World, repo: RepoRecord, pull: PullRequestRecord): PullRequestFacts {
  return {
    headCommit: pull.headSha,
    headBranch: pull.headRef,
    headRepoId: String(repoNamed(world, repo, pull.headRepo).id),
    baseBranch: pull.baseRef,
    baseCommit: pull.baseSha,
    mergeCommit: pull.merged ? undefined : (pull.mergeCommitSha ?? undefined),
    state: pull.state,
    title: pull.title,
    openedAt: Date.parse(pull.createdAt),
    merged: pull.merged,
    landedCommit: pull.merged ? (pull.mergeCommitSha ?? undefined) : undefined,
    fromFork: repoNamed(world, repo, pull.headRepo).id !== repo.id,
  };
}

function describeRepo(world: World, repo: RepoRecord): RepoFacts {
  const parent = world.repos.get(repo.parent?.toLowerCase() ?? '');
  const identityOf = ({ id, owner, name }: RepoRecord) => ({ id: String(id), name: `${owner}/${name}` });
  return {
    ...identityOf(repo),
    defaultBranch: repo.defaultBranch,
    visibility: repo.private ? 'private' : 'public',
    parent: parent && identityOf(parent),
  };
}

function describeRun(world: World, repo: RepoRecord, run: RunRecord): RunFacts {
  const ended = run.status === 'completed';
  const words = {
    neutral: 'success',
    stale: 'cancelled',
    timed_out: 'failure',
    startup_failure: 'failure',
    action_required: 'failure',
  } as const;
  const conclusion = run.conclusion in words ? words[run.conclusion as keyof typeof words] : run.conclusion;
  return {
    id: String(run.id),
    repoId: String(repo.id),
    number: String(run.runNumber),
    headRepoId: String(repoNamed(world, repo, run.headRepo).id),
    headRepoName: run.headRepo,
    headCommit: run.headSha,
    event: run.event,
    actor: run.actor,
    ended,
    attempt: run.attempt,
    headBranch: run.headBranch,
    endedAt: ended ? Date.parse(run.updatedAt) : undefined,
    awaitsApproval: run.conclusion === 'action_required',
    conclusion: ended ? (conclusion as RunFacts['conclusion']) : undefined,
    pullRequests: pullRequestsOfRun(repo, run).map(({ number }) => number),
  };
}

function toChangedFile({
  filename,
  previousFilename,
  status,
  additions,
  deletions,
  patch,
  blob,
}: ChangedFileRecord): ChangedFile {
  const isMereRename = status === 'renamed' && additions + deletions === 0;
  return {
    name: filename,
    previousName: previousFilename,
    status: status === 'changed' ? 'modified' : status,
    patch: patch ?? (isMereRename ? '' : undefined),
    blob: status === 'removed' ? undefined : blob,
  };
}
