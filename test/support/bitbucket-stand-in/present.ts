import type { ChangedFile, CommitRecord } from '../github-stand-in/model.ts';
import {
  type PullRequestRecord,
  type RepoRecord,
  type RunRecord,
  repoNamed,
  type World,
} from '../github-stand-in/model.ts';

/** Bitbucket's ids are UUIDs in braces: the same number is always the same one. */
export function uuidOf(id: number): string {
  return `{00000000-0000-4000-8000-${String(id).padStart(12, '0')}}`;
}

/** For what is shown in a pull request. */
const short = (hash: string) => ({ type: 'commit', hash: hash.slice(0, 12) });

const named = ({ id, owner, name }: Pick<RepoRecord, 'id' | 'owner' | 'name'>) => ({
  type: 'repository',
  uuid: uuidOf(id),
  full_name: `${owner}/${name}`,
});

export function presentRepo(world: World, repo: RepoRecord) {
  const parent = repo.parent === undefined ? undefined : world.repos.get(repo.parent.toLowerCase());
  return {
    ...named(repo),
    is_private: repo.private,
    mainbranch: { type: 'branch', name: repo.defaultBranch },
    updated_on: repo.createdAt,
    ...(parent && { parent: named(parent) }),
  };
}

export function presentCommit({ sha, parents, message, date }: CommitRecord) {
  return { type: 'commit', hash: sha, message, date, parents: parents.map((hash) => ({ type: 'commit', hash })) };
}

export function presentPull(world: World, repo: RepoRecord, pull: PullRequestRecord) {
  const isOwn = pull.headRepo.toLowerCase() === `${repo.owner}/${repo.name}`.toLowerCase();
  const head = isOwn ? repo : repoNamed(world, repo, pull.headRepo);
  return {
    type: 'pullrequest',
    id: pull.number,
    title: pull.title,
    state: pull.merged ? 'MERGED' : pull.state === 'open' ? 'OPEN' : 'DECLINED',
    source: { branch: { name: pull.headRef }, commit: short(pull.headSha), repository: named(head) },
    destination: { branch: { name: pull.baseRef }, commit: short(pull.baseSha), repository: named(repo) },
    merge_commit: pull.merged && pull.mergeCommitSha !== null ? short(pull.mergeCommitSha) : null,
    created_on: pull.createdAt,
    draft: false,
    queued: false,
  };
}

export function presentPipeline(repo: RepoRecord, run: RunRecord) {
  const words = { success: 'SUCCESSFUL', cancelled: 'STOPPED' } as const;
  const ended = run.status === 'completed';
  const result = words[run.conclusion as keyof typeof words] ?? 'FAILED';
  const pull =
    run.event === 'pull_request'
      ? [...repo.pullRequests.values()].find((one) => one.headSha === run.headSha)
      : undefined;
  const of = pull
    ? { type: 'pipeline_pullrequest_target', source: run.headBranch, pullrequest: { id: pull.number } }
    : {
        type: 'pipeline_ref_target',
        ref_type: run.event === 'tag' ? 'tag' : 'branch',
        ref_name: run.headBranch,
      };
  return {
    type: 'pipeline',
    uuid: uuidOf(run.id),
    build_number: run.runNumber,
    repository: named(repo),
    creator: { nickname: run.actor },
    target: { ...of, commit: { hash: run.headSha } },
    state: ended ? { name: 'COMPLETED', result: { name: result } } : { name: 'IN_PROGRESS' },
    created_on: run.createdAt,
    ...(ended && { completed_on: run.updatedAt }),
  };
}

export function presentStat({ filename, previousFilename = filename, status, additions, deletions }: ChangedFile) {
  const side = (path: string) => ({ type: 'commit_file', path, escaped_path: encodeURI(path) });
  return {
    type: 'diffstat',
    status: status === 'changed' || status === 'copied' ? 'modified' : status,
    old: status === 'added' ? null : side(previousFilename),
    new: status === 'removed' ? null : side(filename),
    lines_added: additions,
    lines_removed: deletions,
  };
}
