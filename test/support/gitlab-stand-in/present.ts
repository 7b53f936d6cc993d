import { compareCommits } from '../github-stand-in/history.ts';
import {
  type ChangedFile,
  type CommitRecord,
  type PullRequestRecord,
  personOf,
  type RepoRecord,
  type RunRecord,
  repoNamed,
  type World,
} from '../github-stand-in/model.ts';
import { isOwn } from './statuses.ts';

/** A tenth of what a comparison shows in all. */
const COLLAPSED_FROM = 20_480;

export function presentProject(world: World, repo: RepoRecord, access: number) {
  const parent = repo.parent === undefined ? undefined : world.repos.get(repo.parent.toLowerCase());
  return {
    id: repo.id,
    path_with_namespace: `${repo.owner}/${repo.name}`,
    default_branch: repo.defaultBranch,
    visibility: repo.private ? 'private' : 'public',
    archived: false,
    only_allow_merge_if_pipeline_succeeds: repo.required.size > 0,
    ...(parent && {
      forked_from_project: { id: parent.id, path_with_namespace: `${parent.owner}/${parent.name}` },
    }),
    permissions: { project_access: { access_level: access }, group_access: null },
  };
}

export function presentChange(world: World, repo: RepoRecord, pull: PullRequestRecord) {
  const state = pull.merged ? 'merged' : pull.state === 'open' ? 'opened' : 'closed';
  const mergeBase = compareCommits(repo, pull.baseSha, pull.headSha)?.mergeBase ?? pull.baseSha;
  return {
    id: repo.id * 1_000 + pull.number,
    iid: pull.number,
    state,
    title: pull.title,
    created_at: pull.createdAt,
    source_branch: pull.headRef,
    target_branch: pull.baseRef,
    source_project_id: repoNamed(world, repo, pull.headRepo).id,
    target_project_id: repo.id,
    sha: pull.headSha,
    merge_commit_sha: pull.merged ? pull.mergeCommitSha : null,
    squash_commit_sha: null,
    diff_refs: { base_sha: mergeBase, head_sha: pull.headSha, start_sha: pull.baseSha },
  };
}

export function presentCommit(commit: CommitRecord) {
  const { sha, parents, message, authorName, authorEmail, date } = commit;
  return {
    id: sha,
    parent_ids: parents,
    message,
    author_name: authorName,
    author_email: authorEmail,
    created_at: date,
  };
}

export function presentPipeline(world: World, repo: RepoRecord, run: RunRecord) {
  const project = isOwn(repo, run.headRepo) ? repo : repoNamed(world, repo, run.headRepo);
  const ended = { success: 'success', failure: 'failed', cancelled: 'canceled', skipped: 'skipped' } as const;
  const conclusion = run.conclusion in ended ? ended[run.conclusion as keyof typeof ended] : 'failed';
  return {
    id: run.id,
    iid: run.runNumber,
    project_id: project.id,
    status: run.status === 'completed' ? conclusion : 'running',
    source: run.event,
    ref: run.headBranch,
    sha: run.headSha,
    user: { id: personOf(world, run.actor).id, username: run.actor },
    updated_at: run.updatedAt,
    finished_at: run.status === 'completed' ? run.updatedAt : null,
  };
}

/** As `compare` lists a file: one of more than 20 KB is collapsed, and its text is empty. */
export function presentDiff(file: ChangedFile) {
  const { filename, previousFilename = filename, status, patch, additions, mode = '100644' } = file;
  const renamed = status === 'renamed';
  const hidden = patch === undefined ? additions > 0 : Buffer.byteLength(patch) >= COLLAPSED_FROM;
  const binary = `Binary files a/${previousFilename} and b/${filename} differ\n`;
  const text = patch === undefined ? (renamed ? '' : binary) : `${patch}\n`;
  return {
    old_path: previousFilename,
    new_path: filename,
    a_mode: status === 'added' ? '0' : mode,
    b_mode: status === 'removed' ? '0' : mode,
    new_file: status === 'added',
    renamed_file: renamed,
    deleted_file: status === 'removed',
    diff: hidden ? '' : text,
    collapsed: hidden,
    too_large: false,
  };
}

/** As `git diff` writes it: nothing is collapsed. */
export function rawDiff(files: readonly ChangedFile[]): string {
  return files
    .map(({ filename, previousFilename = filename, patch, mode = '100644' }) => {
      const head = `diff --git a/${previousFilename} b/${filename}\nindex 1..2 ${mode}\n`;
      return patch === undefined ? head : `${head}--- a/${previousFilename}\n+++ b/${filename}\n${patch}\n`;
    })
    .join('');
}
