import type { DescribedRun, ListedPull, PullHead } from '../core/repo/fork-run.ts';

/**
 * What a git host is asked about histories, changes, repos and runs. Names of repos are `<owner>/<name>`; commits are
 * whole SHAs.
 *
 * Undefined is a definite answer, and the caller need not ask again: it does not exist, its name is impossible, or the
 * host refuses to show it (404, 410, 422). Everything else is thrown as a ProviderFailure, denied access as well.
 */
export interface ProviderFacts {
  /** A pull request as it is now. */
  describePullRequest(call: {
    readonly repo: string;
    readonly pullRequest: number;
  }): Promise<PullRequestFacts | undefined>;
  /** Those from a branch, of the repo or a fork of it, as they are now, closed ones too: the newest hundred. */
  listPullRequestsFrom(call: {
    readonly repo: string;
    /** `<owner>/<name>` of the repo that holds the branch. */
    readonly headRepo: string;
    readonly headBranch: string;
  }): Promise<readonly ListedPullRequest[] | undefined>;
  /** The numbers of the pull requests that are open now, the newest first, at most OPEN_PULL_REQUEST_LIMIT. */
  listOpenPullRequests(call: { readonly repo: string }): Promise<readonly number[] | undefined>;
  /** A commit; what it says never changes. */
  describeCommit(call: { readonly repo: string; readonly commit: string }): Promise<CommitFacts | undefined>;
  /** Whether two commits hold the same files; left out where `describeCommit` says it by the tree. */
  haveSameTree?(call: {
    readonly repo: string;
    readonly one: string;
    readonly other: string;
  }): Promise<boolean | undefined>;
  /** The branches of the repo itself that point to a commit now. */
  listBranchesAt(call: { readonly repo: string; readonly commit: string }): Promise<readonly string[] | undefined>;
  /**
   * The best common ancestor of two commits. If there are several (criss-cross merges), the one that the host takes.
   */
  findMergeBase(call: CommitRange): Promise<MergeBase | undefined>;
  /**
   * The first parents of a commit, nearest first, without the commit itself: at most `limit` of them, and never more
   * than FIRST_PARENT_LIMIT.
   */
  listFirstParents(call: {
    readonly repo: string;
    readonly commit: string;
    readonly limit: number;
  }): Promise<FirstParents | undefined>;
  /**
   * The files that differ between the merge base of a range and its head. A pull request's number makes longer lists
   * possible: the list is that of the pull request then, where it still has this head.
   */
  compareFiles(call: CommitRange & { readonly pullRequest?: number | undefined }): Promise<ChangedFiles | undefined>;
  /** The files that differ between two commits, whatever lies between them; left out if no host's answer says it. */
  compareTrees?(call: CommitRange): Promise<ChangedFiles | undefined>;
  /** A repo, also by a name that it had before. */
  describeRepo(call: { readonly repo: string }): Promise<RepoFacts | undefined>;
  /**
   * A repo by its id, whatever its name is today. `name`: its last known name, by whose owner the App's
   * installation is found.
   */
  describeRepoById(call: { readonly id: string; readonly name: string }): Promise<RepoFacts | undefined>;
  /** What a file held at a commit, if it has at most `maxBytes`. At most two requests. */
  readFile(call: {
    readonly repo: string;
    readonly commit: string;
    /** From the repo's root on, with `/`. */
    readonly path: string;
    readonly maxBytes: number;
  }): Promise<FileContent | undefined>;
  /** A run of a workflow as it is now: its last attempt. */
  readRun(call: { readonly repo: string; readonly run: string }): Promise<RunFacts | undefined>;
  /** Runs that may send something now: all that are in progress, at most 500, and the newest 50 in any state. */
  listRuns(call: { readonly repo: string }): Promise<readonly DescribedRun[] | undefined>;
  /** The runs whose head is a commit, the newest first, at most 50; their pull requests are left out. */
  listRunsOfCommit(call: { readonly repo: string; readonly commit: string }): Promise<readonly RunFacts[] | undefined>;
  /** The pull requests from the branch that a run's head is on, a fork's too; none once a fork was deleted. */
  findPullRequestsOfRun(call: {
    readonly repo: string;
    readonly run: string;
  }): Promise<readonly ListedPull[] | undefined>;
}

/** More are not listed: each hundred is a request. */
export const OPEN_PULL_REQUEST_LIMIT = 1_000;

/** Rule 18: "at most 100 steps along first parents". */
export const FIRST_PARENT_LIMIT = 100;

/** `base` and `head` are commits, or names of branches of the repo, which stand for their newest commits. */
export interface CommitRange {
  readonly repo: string;
  readonly base: string;
  readonly head: string;
}

export interface PullRequestFacts extends PullHead {
  readonly baseBranch: string;
  /** Where the base branch stood when the provider last looked: not always its newest commit. */
  readonly baseCommit: string;
  /** The temporary merge commit of now; undefined while the provider has none, and once merged. */
  readonly mergeCommit: string | undefined;
  readonly state: 'open' | 'closed';
  /** In one line: hostile text. */
  readonly title: string;
  /** When it was opened first, ms since 1970 by the host's clock; undefined if it does not say. */
  readonly openedAt: number | undefined;
  readonly merged: boolean;
  /** Once merged: the commit that put it on the base branch (merge, squash, or the last one of a rebase). */
  readonly landedCommit: string | undefined;
  /** Whether the head is in another repo, or in one that is deleted by now. */
  readonly fromFork: boolean;
}

export interface ListedPullRequest extends PullRequestFacts {
  readonly number: number;
}

export interface CommitFacts {
  readonly parents: readonly string[];
  readonly message: string;
  /** Commits of the same tree hold the same files. Absent if the host does not say: see `haveSameTree`. */
  readonly tree?: string | undefined;
}

export interface MergeBase {
  readonly commit: string;
  /** How many commits of the head the base lacks, and how many of the base the head lacks, where the host says it. */
  readonly ahead?: number;
  readonly behind?: number;
  /** What the head changed since, where the host's answer holds it too. */
  readonly changed?: ChangedFiles | undefined;
}

export interface FirstParents {
  readonly commits: readonly string[];
  /**
   * Why the list ends: as many as asked for are there (`limit`), the commit before is a `root`, or it is `cut`: finding
   * more would take too many calls, or the host does not know what comes before.
   */
  readonly end: 'root' | 'limit' | 'cut';
}

export interface ChangedFiles {
  /** In the host's order. */
  readonly files: readonly ChangedFile[];
  /** Whether these are all; hosts stop at some number. */
  readonly complete: boolean;
  /**
   * The commit that they differ from: another than was asked for where that is no ancestor. Absent if the host does not
   * say.
   */
  readonly mergeBase?: string | undefined;
}

export interface ChangedFile {
  /** As the host spells it: hostile text. For a removed file, the name that it had. */
  readonly name: string;
  /** For a renamed or copied file. */
  readonly previousName: string | undefined;
  readonly status: 'added' | 'removed' | 'modified' | 'renamed' | 'copied';
  /**
   * Hunks of a unified diff, each beginning with `@@`; empty for a mere rename. Undefined: the host gives none (binary,
   * too large).
   */
  readonly patch: string | undefined;
  /** Equal for equal contents; absent of a removed file, and where the host does not say. */
  readonly blob?: string | undefined;
}

export interface RepoFacts {
  /** The provider's id: it outlives names. */
  readonly id: string;
  /** `<owner>/<name>` as the provider writes it today. */
  readonly name: string;
  readonly defaultBranch: string;
  readonly visibility: 'private' | 'public';
  /** The repo that it is a fork of. */
  readonly parent: { readonly id: string; readonly name: string } | undefined;
}

export type FileContent =
  | { readonly kind: 'file'; readonly bytes: Uint8Array }
  | { readonly kind: 'too-large'; readonly size: number };

/** How a run ended. A run that timed out or could not start failed. */
export type RunConclusion = 'success' | 'failure' | 'cancelled' | 'skipped';

export interface RunFacts extends DescribedRun {
  /** Undefined while it is in progress. */
  readonly conclusion: RunConclusion | undefined;
  /** The branch or tag that it is of, as git names it; left out where the host does not say which of both. */
  readonly ref?: string | undefined;
  /**
   * Numbers of the open pull requests whose head is the run's, in this repo: none for a fork's, none once they are
   * closed.
   */
  readonly pullRequests: readonly number[];
}
