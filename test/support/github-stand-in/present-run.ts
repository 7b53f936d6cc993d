import type { PullRequestRecord, RepoRecord, RunRecord, World } from './model.ts';
import { personOf, repoNamed } from './model.ts';
import { htmlUrl, nodeId, presentMinimalRepo, presentPerson, repoUrl } from './present-repo.ts';

/** `workflow-run`, with these pull requests. */
export function presentRun(
  world: World,
  repo: RepoRecord,
  { run, pullRequests }: { readonly run: RunRecord; readonly pullRequests: readonly PullRequestRecord[] },
): Record<string, unknown> {
  const actor = presentPerson(world, personOf(world, run.actor));
  return {
    id: run.id,
    name: 'CI',
    node_id: nodeId('WorkflowRun', run.id),
    check_suite_id: run.id + 1,
    check_suite_node_id: nodeId('CheckSuite', run.id + 1),
    head_branch: run.headBranch,
    head_sha: run.headSha,
    path: '.github/workflows/ci.yml',
    run_number: run.runNumber,
    run_attempt: run.attempt,
    display_title: 'Change prices',
    event: run.event,
    status: run.status,
    conclusion: run.status === 'completed' ? run.conclusion : null,
    workflow_id: 161_335,
    pull_requests: pullRequests.map((pullRequest) => presentMinimalPullRequest(world, repo, pullRequest)),
    created_at: run.createdAt,
    updated_at: run.updatedAt,
    run_started_at: run.createdAt,
    actor,
    triggering_actor: actor,
    head_commit: headCommit(repo, run),
    repository: presentMinimalRepo(world, repo),
    head_repository: headRepository(world, repo, run),
    ...linksOf(world, repo, run),
  };
}

function linksOf(world: World, repo: RepoRecord, run: RunRecord): Record<string, unknown> {
  const url = `${repoUrl(world, repo)}/actions/runs/${run.id}`;
  return {
    url,
    html_url: `${htmlUrl(repo)}/actions/runs/${run.id}`,
    jobs_url: `${url}/jobs`,
    logs_url: `${url}/logs`,
    check_suite_url: `${repoUrl(world, repo)}/check-suites/${run.id + 1}`,
    artifacts_url: `${url}/artifacts`,
    cancel_url: `${url}/cancel`,
    rerun_url: `${url}/rerun`,
    previous_attempt_url: null,
    workflow_url: `${repoUrl(world, repo)}/actions/workflows/161335`,
  };
}

function headCommit(repo: RepoRecord, run: RunRecord): object | null {
  const commit = repo.commits.get(run.headSha);
  if (!commit) return null;
  const author = { name: commit.authorName, email: commit.authorEmail };
  return {
    id: commit.sha,
    tree_id: commit.tree,
    message: commit.message,
    timestamp: commit.date,
    author,
    committer: author,
  };
}

function headRepository(world: World, repo: RepoRecord, run: RunRecord): Record<string, unknown> {
  const holder = repoNamed(world, repo, run.headRepo);
  return { ...presentMinimalRepo(world, holder), fork: holder.id !== repo.id };
}

/** `pull-request-minimal`. */
function presentMinimalPullRequest(world: World, repo: RepoRecord, pull: PullRequestRecord): object {
  const holder = { id: repo.id, url: repoUrl(world, repo), name: repo.name };
  return {
    id: repo.id + pull.number,
    number: pull.number,
    url: `${holder.url}/pulls/${pull.number}`,
    head: { ref: pull.headRef, sha: pull.headSha, repo: holder },
    base: { ref: pull.baseRef, sha: pull.baseSha, repo: holder },
  };
}
