import { filesOfPullRequest } from './diff.ts';
import type { ChangedFile, CommitRecord, PullRequestRecord, RepoRecord, World } from './model.ts';
import { personOf, repoNamed } from './model.ts';
import { htmlUrl, nodeId, presentPerson, presentRepo, repoUrl } from './present-repo.ts';

const unsigned = { verified: false, reason: 'unsigned', signature: null, payload: null, verified_at: null };

function parentsOf(world: World, repo: RepoRecord, commit: CommitRecord, kind: 'commits' | 'git/commits'): object[] {
  return commit.parents.map((sha) => ({
    sha,
    url: `${repoUrl(world, repo)}/${kind}/${sha}`,
    html_url: `${htmlUrl(repo)}/commit/${sha}`,
  }));
}

/** `commit`: what GET …/commits/{ref} answers and comparisons list. */
export function presentCommit(world: World, repo: RepoRecord, commit: CommitRecord): Record<string, unknown> {
  const url = `${repoUrl(world, repo)}/commits/${commit.sha}`;
  const signature = { name: commit.authorName, email: commit.authorEmail, date: commit.date };
  return {
    sha: commit.sha,
    node_id: nodeId('Commit', commit.sha),
    url,
    html_url: `${htmlUrl(repo)}/commit/${commit.sha}`,
    comments_url: `${url}/comments`,
    commit: {
      author: signature,
      committer: signature,
      message: commit.message,
      tree: { sha: commit.tree, url: `${repoUrl(world, repo)}/git/trees/${commit.tree}` },
      url: `${repoUrl(world, repo)}/git/commits/${commit.sha}`,
      comment_count: 0,
      verification: unsigned,
    },
    // No account has the author's address: GitHub answers null then, which clients must bear.
    author: null,
    committer: null,
    parents: parentsOf(world, repo, commit, 'commits'),
  };
}

/** `git-commit`: the low-level form, without accounts and files. */
export function presentGitCommit(world: World, repo: RepoRecord, commit: CommitRecord): Record<string, unknown> {
  const signature = { name: commit.authorName, email: commit.authorEmail, date: commit.date };
  return {
    sha: commit.sha,
    node_id: nodeId('Commit', commit.sha),
    url: `${repoUrl(world, repo)}/git/commits/${commit.sha}`,
    html_url: `${htmlUrl(repo)}/commit/${commit.sha}`,
    author: signature,
    committer: signature,
    tree: { sha: commit.tree, url: `${repoUrl(world, repo)}/git/trees/${commit.tree}` },
    message: commit.message,
    parents: parentsOf(world, repo, commit, 'git/commits'),
    verification: unsigned,
  };
}

/** `diff-entry`: a changed file as of a commit. */
export function presentFile(world: World, repo: RepoRecord, sha: string, file: ChangedFile): Record<string, unknown> {
  const path = file.filename.split('/').map(encodeURIComponent).join('/');
  return {
    sha: file.blob ?? sha,
    filename: file.filename,
    status: file.status,
    additions: file.additions,
    deletions: file.deletions,
    changes: file.additions + file.deletions,
    blob_url: `${htmlUrl(repo)}/blob/${sha}/${path}`,
    raw_url: `${htmlUrl(repo)}/raw/${sha}/${path}`,
    contents_url: `${repoUrl(world, repo)}/contents/${path}?ref=${sha}`,
    ...(file.patch === undefined ? {} : { patch: file.patch }),
    ...(file.previousFilename === undefined ? {} : { previous_filename: file.previousFilename }),
  };
}

function presentSide(world: World, repo: RepoRecord, side: { fullName: string; ref: string; sha: string }): object {
  const owner = side.fullName.split('/')[0] ?? repo.owner;
  // GitHub itself answers null for a fork that was deleted, though its description does not say so.
  const holder = repoNamed(world, repo, side.fullName);
  return {
    label: `${owner}:${side.ref}`,
    ref: side.ref,
    sha: side.sha,
    user: presentPerson(world, personOf(world, owner)),
    repo: { ...presentRepo(world, holder), fork: holder.id !== repo.id },
  };
}

function fullNameOf(repo: RepoRecord): string {
  return `${repo.owner}/${repo.name}`;
}

function pullRequestLinks(url: string, html: string, issue: string, statuses: string): Record<string, unknown> {
  return {
    url,
    html_url: html,
    diff_url: `${html}.diff`,
    patch_url: `${html}.patch`,
    issue_url: issue,
    commits_url: `${url}/commits`,
    comments_url: `${issue}/comments`,
    statuses_url: statuses,
    review_comments_url: `${url}/comments`,
    review_comment_url: `${url}/comments{/number}`,
    _links: {
      self: { href: url },
      html: { href: html },
      issue: { href: issue },
      comments: { href: `${issue}/comments` },
      commits: { href: `${url}/commits` },
      statuses: { href: statuses },
      review_comments: { href: `${url}/comments` },
      review_comment: { href: `${url}/comments{/number}` },
    },
  };
}

/** `pull-request`, the whole form. */
export function presentPullRequest(world: World, repo: RepoRecord, pull: PullRequestRecord): Record<string, unknown> {
  const base = repoUrl(world, repo);
  const closedAt = pull.state === 'closed' ? repo.createdAt : null;
  return {
    id: repo.id + pull.number,
    node_id: nodeId('PullRequest', pull.number),
    number: pull.number,
    ...pullRequestLinks(
      `${base}/pulls/${pull.number}`,
      `${htmlUrl(repo)}/pull/${pull.number}`,
      `${base}/issues/${pull.number}`,
      `${base}/statuses/${pull.headSha}`,
    ),
    state: pull.state,
    locked: pull.locked,
    title: pull.title,
    user: presentPerson(world, personOf(world, pull.login)),
    body: null,
    labels: [],
    milestone: null,
    assignee: null,
    assignees: [],
    requested_reviewers: [],
    requested_teams: [],
    created_at: pull.createdAt,
    updated_at: repo.createdAt,
    closed_at: closedAt,
    merged_at: pull.merged ? closedAt : null,
    merge_commit_sha: pull.mergeCommitSha,
    head: presentSide(world, repo, { fullName: pull.headRepo, ref: pull.headRef, sha: pull.headSha }),
    base: presentSide(world, repo, { fullName: fullNameOf(repo), ref: pull.baseRef, sha: pull.baseSha }),
    author_association: 'CONTRIBUTOR',
    auto_merge: null,
    draft: false,
    merged: pull.merged,
    mergeable: pull.mergeCommitSha === null ? null : true,
    mergeable_state: pull.mergeCommitSha === null ? 'unknown' : 'clean',
    merged_by: null,
    ...countsOf(world, repo, pull),
  };
}

/** `pull-request-simple`: a list says less of each. */
export function presentListedPullRequest(
  world: World,
  repo: RepoRecord,
  pull: PullRequestRecord,
): Record<string, unknown> {
  const whole = presentPullRequest(world, repo, pull);
  const told = Object.entries(whole).filter(([key]) => !ONLY_ALONE.has(key));
  return Object.fromEntries(told);
}

/** What only a pull request's own answer has. */
const ONLY_ALONE: ReadonlySet<string> = new Set([
  'merged',
  'mergeable',
  'mergeable_state',
  'merged_by',
  'comments',
  'review_comments',
  'maintainer_can_modify',
  'commits',
  'additions',
  'deletions',
  'changed_files',
]);

function countsOf(world: World, repo: RepoRecord, pull: PullRequestRecord): Record<string, unknown> {
  const files = filesOfPullRequest(world, repo, pull);
  return {
    comments: [...repo.comments.values()].filter((comment) => comment.pullRequest === pull.number).length,
    review_comments: 0,
    maintainer_can_modify: false,
    commits: 1,
    additions: files.reduce((sum, file) => sum + file.additions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
    changed_files: files.length,
  };
}
