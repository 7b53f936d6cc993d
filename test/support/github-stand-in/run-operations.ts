import type { Answer } from './answer.ts';
import { failure, notFound, pageOf, Refusal } from './answer.ts';
import type { PullRequestRecord, RepoRecord, RunRecord } from './model.ts';
import type { Call, Operation } from './operation.ts';
import { covers, paramOf, repoOf } from './operation.ts';
import { permissionsOf, presentRepo } from './present-repo.ts';
import { presentRun } from './present-run.ts';

export const runOperations: readonly Operation[] = [
  { method: 'GET', template: '/installation/repositories', run: listInstalled },
  { method: 'GET', template: '/repos/{owner}/{repo}/actions/runs', run: listRuns },
  { method: 'GET', template: '/repos/{owner}/{repo}/actions/runs/{run_id}', run: readRun },
];

function listInstalled(call: Call): Answer {
  const { world, caller, query, address } = call;
  if (caller.kind !== 'installation') {
    const message =
      'You must authenticate with an installation access token in order to list repositories for an installation.';
    throw new Refusal(failure(403, message));
  }
  const covered = [...world.repos.values()].filter((repo) => covers(caller, repo));
  const page = pageOf(covered, query, address);
  const repositories = page.items.map((repo) => ({
    ...presentRepo(world, repo),
    permissions: permissionsOf(caller, repo),
  }));
  return { status: 200, body: { total_count: covered.length, repositories }, headers: page.headers };
}

/** The newest first. GitHub's filter `status` takes conclusions too. */
function listRuns(call: Call): Answer {
  const { query, world, address } = call;
  const repo = repoOf(call);
  const [status, event, commit] = [query.get('status'), query.get('event'), query.get('head_sha')];
  const found = [...repo.runs.values()]
    .filter(
      (run) => status === null || run.status === status || (run.status === 'completed' && run.conclusion === status),
    )
    .filter((run) => event === null || run.event === event)
    .filter((run) => commit === null || run.headSha === commit)
    .toSorted((a, b) => b.id - a.id);
  const page = pageOf(found, query, address);
  const workflow_runs = page.items.map((run) => {
    const excluded = query.get('exclude_pull_requests') === 'true';
    return presentRun(world, repo, { run, pullRequests: excluded ? [] : pullRequestsOfRun(repo, run) });
  });
  return { status: 200, body: { total_count: found.length, workflow_runs }, headers: page.headers };
}

function readRun(call: Call): Answer {
  const repo = repoOf(call);
  const run = repo.runs.get(Number(paramOf(call, 'run_id')));
  if (!run) throw notFound();
  const excluded = call.query.get('exclude_pull_requests') === 'true';
  const pullRequests = excluded ? [] : pullRequestsOfRun(repo, run);
  return { status: 200, body: presentRun(call.world, repo, { run, pullRequests }) };
}

/** GitHub: those that are open and whose head or branch is the run's; a fork's are not found. */
export function pullRequestsOfRun(repo: RepoRecord, run: RunRecord): PullRequestRecord[] {
  const own = `${repo.owner}/${repo.name}`.toLowerCase();
  if (run.headRepo.toLowerCase() !== own) return [];
  return [...repo.pullRequests.values()].filter(
    ({ state, headRepo, headSha, headRef }) =>
      state === 'open' && headRepo.toLowerCase() === own && (headSha === run.headSha || headRef === run.headBranch),
  );
}
