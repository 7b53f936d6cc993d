import { createHash } from 'node:crypto';
import type {
  ChangedFile,
  CommentRecord,
  CommitRecord,
  PullRequestRecord,
  RepoRecord,
  RunRecord,
  World,
} from './model.ts';
import { personOf, timestamp } from './model.ts';

export interface RepoSetUp {
  readonly private?: boolean;
  readonly defaultBranch?: string;
  /** `<owner>/<name>` of the repo that it is a fork of. */
  readonly parent?: string;
}

export interface CommitSetUp {
  readonly sha: string;
  readonly parents?: readonly string[];
  readonly message?: string;
  readonly tree?: string;
  /** Also moves this branch to the commit. */
  readonly branch?: string;
  readonly authorName?: string;
  readonly authorEmail?: string;
  /** ISO 8601; lists of commits are ordered by it. Default: now. */
  readonly date?: string;
}

export interface PullRequestSetUp {
  readonly number: number;
  readonly headSha: string;
  readonly baseRef: string;
  readonly headRef?: string;
  readonly headRepo?: string;
  /** Default: where `baseRef` points, else a made-up commit. */
  readonly baseSha?: string;
  /** The temporary merge commit; its commit is made with GitHub's message unless it is known already. */
  readonly mergeCommitSha?: string | null;
  readonly title?: string;
  readonly login?: string;
  readonly state?: 'open' | 'closed';
  readonly merged?: boolean;
  readonly locked?: boolean;
  /** ISO 8601. Default: when it was set up first. */
  readonly openedAt?: string;
  /** Default: the diff between its merge base and its head. */
  readonly files?: readonly ChangedFile[];
}

/** A run of a push in progress, unless stated otherwise. */
export type RunSetUp = Pick<RunRecord, 'headSha'> & Partial<RunRecord>;

const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex');

/** Makes a repo; a name that exists already is a mistake of the test. */
export function addRepo(world: World, fullName: string, setUp: RepoSetUp = {}): RepoRecord {
  // Groups may nest at other hosts.
  const [owner, name] = [fullName.slice(0, fullName.lastIndexOf('/')), fullName.split('/').at(-1)];
  if (!owner || !name) throw new Error(`A repo's name is <owner>/<name>, not "${fullName}"`);
  if (world.repos.has(fullName.toLowerCase())) throw new Error(`The repo ${fullName} exists already`);
  const repo: RepoRecord = {
    id: world.nextId('repo'),
    owner,
    name,
    private: setUp.private ?? false,
    defaultBranch: setUp.defaultBranch ?? 'main',
    createdAt: timestamp(world.now()),
    branches: new Map(),
    commits: new Map(),
    pullRequests: new Map(),
    statuses: [],
    comments: new Map(),
    comparedFiles: new Map(),
    runs: new Map(),
    checkRuns: new Map(),
    files: new Map(),
    modes: new Map(),
    parent: setUp.parent,
    required: new Map(),
    ruled: new Map(),
  };
  world.repos.set(fullName.toLowerCase(), repo);
  return repo;
}

/** Adds a commit (parents need not be known: history may be shallow) and moves a branch to it where one is named. */
export function addCommit(world: World, repo: RepoRecord, setUp: CommitSetUp): CommitRecord {
  if (!/^[0-9a-f]{40}$/.test(setUp.sha))
    throw new Error(`A commit's sha has 40 hexadecimal digits, not "${setUp.sha}"`);
  const commit: CommitRecord = {
    sha: setUp.sha,
    parents: setUp.parents ?? [],
    message: setUp.message ?? `Commit ${setUp.sha.slice(0, 7)}`,
    tree: setUp.tree ?? sha1(`tree ${setUp.sha}`),
    authorName: setUp.authorName ?? 'Mona Lisa',
    authorEmail: setUp.authorEmail ?? 'mona@example.com',
    date: timestamp(setUp.date === undefined ? world.now() : Date.parse(setUp.date)),
  };
  repo.commits.set(commit.sha, commit);
  if (setUp.branch !== undefined) repo.branches.set(setUp.branch, commit.sha);
  return commit;
}

/** Adds or replaces a pull request; commits it names are made where they are not known. */
export function addPullRequest(world: World, repo: RepoRecord, setUp: PullRequestSetUp): PullRequestRecord {
  const headRef = setUp.headRef ?? `change-${setUp.number}`;
  const baseSha = setUp.baseSha ?? repo.branches.get(setUp.baseRef) ?? sha1(`${repo.name} ${setUp.baseRef}`);
  const mergeCommitSha = setUp.mergeCommitSha ?? null;
  const ensure = (commit: CommitSetUp): void => {
    if (!repo.commits.has(commit.sha)) addCommit(world, repo, commit);
  };
  ensure({ sha: baseSha });
  ensure({ sha: setUp.headSha, parents: [baseSha] });
  if (mergeCommitSha !== null) {
    const message = `Merge ${setUp.headSha} into ${baseSha}`;
    ensure({ sha: mergeCommitSha, parents: [baseSha, setUp.headSha], message });
  }
  const pullRequest: PullRequestRecord = {
    number: setUp.number,
    title: setUp.title ?? `Change ${setUp.number}`,
    login: setUp.login ?? 'mona',
    headSha: setUp.headSha,
    headRef,
    headRepo: setUp.headRepo ?? `${repo.owner}/${repo.name}`,
    baseRef: setUp.baseRef,
    baseSha,
    mergeCommitSha,
    state: setUp.state ?? 'open',
    createdAt: setUp.openedAt ?? repo.pullRequests.get(setUp.number)?.createdAt ?? timestamp(world.now()),
    merged: setUp.merged ?? false,
    locked: setUp.locked ?? false,
    files: setUp.files,
  };
  repo.pullRequests.set(pullRequest.number, pullRequest);
  return pullRequest;
}

/** A comment that a person wrote. */
export function addComment(
  world: World,
  repo: RepoRecord,
  comment: Pick<CommentRecord, 'pullRequest' | 'login' | 'body' | 'app'>,
): CommentRecord {
  const at = timestamp(world.now());
  personOf(world, comment.login);
  const record: CommentRecord = { ...comment, id: world.nextId('comment'), createdAt: at, updatedAt: at, edits: 0 };
  repo.comments.set(record.id, record);
  return record;
}

/** Adds or replaces a run. */
export function addRun(world: World, repo: RepoRecord, setUp: RunSetUp): RunRecord {
  const run: RunRecord = {
    id: world.nextId('run'),
    runNumber: repo.runs.size + 1,
    attempt: 1,
    event: 'push',
    status: 'in_progress',
    conclusion: 'success',
    headBranch: repo.defaultBranch,
    headRepo: `${repo.owner}/${repo.name}`,
    actor: 'mona',
    createdAt: timestamp(world.now()),
    updatedAt: timestamp(world.now()),
    ...setUp,
  };
  repo.runs.set(run.id, run);
  return run;
}
