import { compareCommits } from '../github-stand-in/history.ts';
import {
  type ChangedFile,
  type CommentRecord,
  type CommitRecord,
  type PullRequestRecord,
  personOf,
  type RepoRecord,
  type RunRecord,
  repoNamed,
  type StatusRecord,
  type World,
} from '../github-stand-in/model.ts';

export type FlavorName = 'gitea' | 'forgejo';

export interface Permissions {
  readonly admin: boolean;
  readonly push: boolean;
  readonly pull: boolean;
}

export const nameOf = ({ owner, name }: RepoRecord): string => `${owner}/${name}`;

export function presentRepo(world: World, repo: RepoRecord, permissions: Permissions) {
  const parent = repo.parent === undefined ? undefined : world.repos.get(repo.parent.toLowerCase());
  return {
    id: repo.id,
    full_name: nameOf(repo),
    private: repo.private,
    internal: false,
    archived: false,
    default_branch: repo.defaultBranch,
    updated_at: repo.createdAt,
    parent: parent ? { id: parent.id, full_name: nameOf(parent) } : null,
    permissions,
  };
}

/** What is set as `state` is shown as `status`. */
export function presentStatus(world: World, { id, state, context, description, targetUrl, login }: StatusRecord) {
  return { id, status: state, context, description, target_url: targetUrl, creator: presentPerson(world, login) };
}

const presentPerson = (world: World, login: string) => ({ id: personOf(world, login).id, login });

export function presentComment(world: World, { id, body, login }: CommentRecord) {
  return { id, body, user: presentPerson(world, login) };
}

/** The branch of one that was merged is deleted: its own ref stands there then. */
export function presentPull(world: World, repo: RepoRecord, pull: PullRequestRecord) {
  const { number, headSha: sha, headRef: label, baseRef, merged } = pull;
  const fork = repoNamed(world, repo, pull.headRepo);
  const ref = merged ? `refs/pull/${number}/head` : label;
  return {
    number,
    state: merged ? 'closed' : pull.state,
    title: pull.title,
    created_at: pull.createdAt,
    merged,
    merge_commit_sha: merged ? pull.mergeCommitSha : null,
    merge_base: compareCommits(repo, pull.baseSha, sha)?.mergeBase ?? pull.baseSha,
    head: { label, ref, sha, repo_id: fork.id, repo: { id: fork.id, full_name: nameOf(fork) } },
    base: { label: baseRef, ref: baseRef, sha: pull.baseSha, repo_id: repo.id, repo: { id: repo.id } },
  };
}

/** What is called the tree is the commit itself. */
export function presentCommit({ sha, parents, message, date }: CommitRecord) {
  return { sha, parents: parents.map((one) => ({ sha: one })), commit: { message, tree: { sha } }, created: date };
}

const STATUSES = { queued: 'waiting', waiting: 'blocked', in_progress: 'running' } as const;

/** A run of a pull request is of its ref. */
export function presentRun(
  world: World,
  repo: RepoRecord,
  run: RunRecord,
  { flavor, isNew }: { readonly flavor: FlavorName; readonly isNew: boolean },
) {
  const isOfPull = run.event.startsWith('pull_request');
  const pull = isOfPull
    ? [...repo.pullRequests.values()].find((one) => one.headSha === run.headSha && one.headRepo === run.headRepo)
    : undefined;
  const ended = run.status === 'completed';
  const zero = '0001-01-01T00:00:00Z';
  const shared = {
    id: run.id,
    repository: { id: repo.id, full_name: nameOf(repo) },
    html_url: `${world.apiUrl}/${nameOf(repo)}/actions/runs/${run.runNumber}`,
  };
  const conclusion = ['success', 'cancelled', 'skipped'].includes(run.conclusion) ? run.conclusion : 'failure';
  if (flavor === 'gitea')
    return {
      ...shared,
      run_number: run.runNumber,
      run_attempt: run.attempt,
      event: run.event,
      // A fork's run that nobody approved looks like one that waits for another.
      status: run.conclusion === 'action_required' ? 'waiting' : run.status,
      ...(ended && run.conclusion !== 'action_required' && { conclusion }),
      head_sha: run.headSha,
      head_branch: pull ? '' : run.headBranch,
      path: `ci.yml@${pull ? `refs/pull/${pull.number}/head` : `refs/heads/${run.headBranch}`}`,
      ...(isNew && { pull_requests: pull ? [minimalOf(world, repo, pull)] : [] }),
      actor: presentPerson(world, run.actor),
      started_at: run.createdAt,
      completed_at: ended ? run.updatedAt : zero,
    };
  return {
    ...shared,
    index_in_repo: run.runNumber,
    trigger_event: run.event,
    event: isOfPull ? 'pull_request' : run.event,
    status: ended ? conclusion : STATUSES[run.status as keyof typeof STATUSES],
    commit_sha: run.headSha,
    prettyref: pull ? `#${pull.number}` : run.headBranch,
    workflow_id: 'ci.yml',
    is_fork_pull_request: pull !== undefined && pull.headRepo !== nameOf(repo),
    need_approval: run.conclusion === 'action_required',
    event_payload: JSON.stringify(pull ? { number: pull.number, pull_request: presentPull(world, repo, pull) } : {}),
    trigger_user: presentPerson(world, run.actor),
    started: run.createdAt,
    stopped: ended ? run.updatedAt : zero,
  };
}

function minimalOf(world: World, repo: RepoRecord, pull: PullRequestRecord) {
  const { number, head } = presentPull(world, repo, pull);
  return { id: number, number, head: { ref: head.ref, sha: head.sha, repo: { id: head.repo_id } } };
}

/** As `git diff` writes it, with git's quotes around names of special characters. */
export function presentDiff(files: readonly ChangedFile[]): string {
  return files.map(diffOf).join('');
}

function diffOf({
  filename,
  previousFilename = filename,
  status,
  patch,
  additions,
  mode = '100644',
}: ChangedFile): string {
  const [before, after] = [quoted(`a/${previousFilename}`), quoted(`b/${filename}`)];
  const isMoved = status === 'renamed' || status === 'copied';
  const verb = status === 'copied' ? 'copy' : 'rename';
  const lines = [
    `diff --git ${before} ${after}`,
    ...(status === 'added' ? [`new file mode ${mode}`] : []),
    ...(status === 'removed' ? [`deleted file mode ${mode}`] : []),
    ...(status === 'changed' ? ['old mode 100644', 'new mode 100755'] : []),
    ...(isMoved ? [`${verb} from ${quoted(previousFilename)}`, `${verb} to ${quoted(filename)}`] : []),
  ];
  if (patch === undefined) {
    const isBinary = !isMoved && status !== 'changed' && (additions > 0 || status === 'modified');
    return [...lines, ...(isBinary ? [`Binary files ${before} and ${after} differ`] : []), ''].join('\n');
  }
  const tab = (name: string) => (/ /.test(name) && !name.startsWith('"') ? `${name}\t` : name);
  const sides = [
    `--- ${status === 'added' ? '/dev/null' : tab(before)}`,
    `+++ ${status === 'removed' ? '/dev/null' : tab(after)}`,
  ];
  return [...lines, `index 1..2 ${mode}`, ...sides, patch, ''].join('\n');
}

function quoted(name: string): string {
  if (!/["\\\t\n]/.test(name)) return name;
  return `"${name.replace(/["\\]/g, '\\$&').replaceAll('\t', '\\t').replaceAll('\n', '\\n')}"`;
}
