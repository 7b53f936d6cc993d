import type { RepoRecord, RunRecord, World } from './model.ts';
import { personOf } from './model.ts';
import { htmlUrl, nodeId, presentMinimalRepo, presentPerson, repoUrl } from './present-repo.ts';

/** `workflow-run`, without pull requests, as `exclude_pull_requests=true` asks for it. */
export function presentRun(world: World, repo: RepoRecord, run: RunRecord): Record<string, unknown> {
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
    conclusion: run.status === 'completed' ? 'success' : null,
    workflow_id: 161_335,
    pull_requests: [],
    created_at: run.createdAt,
    updated_at: run.createdAt,
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
  return { id: commit.sha, tree_id: commit.tree, message: commit.message, timestamp: commit.date, author, committer: author };
}

/** A fork need not be known to the stand-in: it has another id and name than the repo then. */
function headRepository(world: World, repo: RepoRecord, run: RunRecord): Record<string, unknown> {
  const known = world.repos.get(run.headRepo.toLowerCase());
  if (known) return presentMinimalRepo(world, known);
  const [owner = '', name = ''] = run.headRepo.split('/');
  return { ...presentMinimalRepo(world, { ...repo, owner, name, id: repo.id + 500_000 }), fork: true };
}
