import type { Answer } from './answer.ts';
import { failure, notFound, pageOf, Refusal } from './answer.ts';
import { filesOfPullRequest, filesOfRange, type Range } from './diff.ts';
import { compareCommits, listHistory, resolveRef } from './history.ts';
import type { CommitRecord, PullRequestRecord, RepoRecord } from './model.ts';
import { personOf } from './model.ts';
import type { Call, Operation } from './operation.ts';
import { paramOf, pullRequestOf, repoOf } from './operation.ts';
import {
  presentCommit,
  presentFile,
  presentGitCommit,
  presentListedPullRequest,
  presentPullRequest,
} from './present-commit.ts';
import { htmlUrl, permissionsOf, presentRepo, presentSelf, repoUrl } from './present-repo.ts';

export const readOperations: readonly Operation[] = [
  { method: 'GET', template: '/user', run: readSelf },
  { method: 'GET', template: '/user/repos', run: listMyRepos },
  { method: 'GET', template: '/repos/{owner}/{repo}', run: readRepo },
  { method: 'GET', template: '/repos/{owner}/{repo}/pulls', run: listPullRequests },
  { method: 'GET', template: '/repos/{owner}/{repo}/pulls/{pull_number}', run: readPullRequest },
  { method: 'GET', template: '/repos/{owner}/{repo}/pulls/{pull_number}/files', run: listPullRequestFiles },
  { method: 'GET', template: '/repos/{owner}/{repo}/commits', run: listCommits },
  {
    method: 'GET',
    template: '/repos/{owner}/{repo}/commits/{commit_sha}/branches-where-head',
    run: listBranchesWhereHead,
  },
  { method: 'GET', template: '/repos/{owner}/{repo}/branches/{branch}', run: readBranch },
  { method: 'GET', template: '/repos/{owner}/{repo}/rules/branches/{branch}', run: listBranchRules },
  { method: 'GET', template: '/repos/{owner}/{repo}/commits/{ref}', run: readCommit },
  { method: 'GET', template: '/repos/{owner}/{repo}/git/commits/{commit_sha}', run: readGitCommit },
  { method: 'GET', template: '/repos/{owner}/{repo}/compare/{basehead}', run: compare },
];

function readSelf(call: Call): Answer {
  if (call.caller.kind === 'installation') throw new Refusal(failure(403, 'Resource not accessible by integration'));
  return { status: 200, body: presentSelf(call.world, personOf(call.world, call.caller.login)) };
}

/** Those that somebody may do more in than the public. */
function listMyRepos({ world, caller, query, address }: Call): Answer {
  const own = [...world.repos.values()].filter((repo) => caller.permissions?.[`${repo.owner}/${repo.name}`]);
  const page = pageOf(own, query, address);
  const body = page.items.map((repo) => ({ ...presentRepo(world, repo), permissions: permissionsOf(caller, repo) }));
  return { status: 200, body, headers: page.headers };
}

function readRepo(call: Call): Answer {
  const repo = repoOf(call);
  const parent = repo.parent === undefined ? undefined : call.world.repos.get(repo.parent.toLowerCase());
  const body = { ...presentRepo(call.world, repo), permissions: permissionsOf(call.caller, repo) };
  return { status: 200, body: parent ? { ...body, parent: presentRepo(call.world, parent) } : body };
}

/** Newest first, as GitHub lists them unless it is asked for another order. */
function listPullRequests(call: Call): Answer {
  const repo = repoOf(call);
  const state = call.query.get('state') ?? 'open';
  const head = call.query.get('head');
  const headOf = ({ headRepo, headRef }: PullRequestRecord): string => `${headRepo.split('/')[0]}:${headRef}`;
  const found = [...repo.pullRequests.values()]
    .filter((pull) => state === 'all' || pull.state === state)
    .filter((pull) => head === null || headOf(pull) === head);
  const page = pageOf(
    found.toSorted((a, b) => b.number - a.number),
    call.query,
    call.address,
  );
  return {
    status: 200,
    body: page.items.map((pull) => presentListedPullRequest(call.world, repo, pull)),
    headers: page.headers,
  };
}

function readPullRequest(call: Call): Answer {
  const repo = repoOf(call);
  return { status: 200, body: presentPullRequest(call.world, repo, pullRequestOf(repo, paramOf(call, 'pull_number'))) };
}

function listPullRequestFiles(call: Call): Answer {
  const repo = repoOf(call);
  const pullRequest = pullRequestOf(repo, paramOf(call, 'pull_number'));
  const page = pageOf(filesOfPullRequest(call.world, repo, pullRequest).slice(0, 3_000), call.query, call.address);
  const body = page.items.map((file) => presentFile(call.world, repo, pullRequest.headSha, file));
  return { status: 200, body, headers: page.headers };
}

function listCommits(call: Call): Answer {
  const repo = repoOf(call);
  if (repo.commits.size === 0) throw new Refusal(failure(409, 'Git Repository is empty.'));
  const sha = resolveRef(repo, call.query.get('sha') ?? repo.defaultBranch);
  if (sha === undefined) throw notFound();
  const page = pageOf(listHistory(repo, sha), call.query, call.address);
  return {
    status: 200,
    body: page.items.map((commit) => presentCommit(call.world, repo, commit)),
    headers: page.headers,
  };
}

function readCommit(call: Call): Answer {
  const repo = repoOf(call);
  const ref = paramOf(call, 'ref');
  const commit = repo.commits.get(resolveRef(repo, ref) ?? '');
  // 422, not 404: so GitHub answers here for a ref that is no commit.
  if (!commit) throw new Refusal(failure(422, `No commit found for SHA: ${ref}`));
  return { status: 200, body: presentCommit(call.world, repo, commit) };
}

/** Branches of the repo itself, never those of its forks. */
function listBranchesWhereHead(call: Call): Answer {
  const repo = repoOf(call);
  const sha = paramOf(call, 'commit_sha');
  if (!repo.commits.has(sha)) throw new Refusal(failure(422, `No commit found for SHA: ${sha}`));
  const heads = [...repo.branches].filter(([, head]) => head === sha);
  const url = `${repoUrl(call.world, repo)}/commits/${sha}`;
  return { status: 200, body: heads.map(([name]) => ({ name, commit: { sha, url }, protected: false })) };
}

function readBranch(call: Call): Answer {
  const repo = repoOf(call);
  const name = paramOf(call, 'branch');
  const commit = repo.commits.get(repo.branches.get(name) ?? '');
  if (!commit) throw notFound();
  const self = `${repoUrl(call.world, repo)}/branches/${name}`;
  const contexts = repo.required.get(name);
  const level = contexts === undefined ? 'off' : 'non_admins';
  const checks = (contexts ?? []).map((context) => ({ context, app_id: null }));
  return {
    status: 200,
    body: {
      name,
      commit: presentCommit(call.world, repo, commit),
      _links: { self, html: `${htmlUrl(repo)}/tree/${name}` },
      protected: contexts !== undefined,
      protection: {
        enabled: contexts !== undefined,
        required_status_checks: { enforcement_level: level, contexts: contexts ?? [], checks },
      },
      protection_url: `${self}/protection`,
    },
  };
}

/** Those of rulesets, which say nothing of the protection of a branch. */
function listBranchRules(call: Call): Answer {
  const repo = repoOf(call);
  const names = repo.ruled.get(paramOf(call, 'branch'));
  const by = { ruleset_source_type: 'Repository', ruleset_source: `${repo.owner}/${repo.name}`, ruleset_id: 1 };
  const checks = (names ?? []).map((context) => ({ context }));
  const parameters = { required_status_checks: checks, strict_required_status_checks_policy: false };
  const rules = [
    { type: 'deletion', ...by },
    { type: 'required_status_checks', parameters, ...by },
  ];
  return { status: 200, body: names === undefined ? [] : rules };
}

function readGitCommit(call: Call): Answer {
  const repo = repoOf(call);
  const commit = repo.commits.get(paramOf(call, 'commit_sha'));
  if (!commit) throw notFound();
  return { status: 200, body: presentGitCommit(call.world, repo, commit) };
}

function compare(call: Call): Answer {
  const repo = repoOf(call);
  const basehead = paramOf(call, 'basehead');
  const [base, head] = basehead.split('...').map((ref) => commitOf(repo, ref));
  if (!base || !head) throw notFound();
  const comparison = compareCommits(repo, base.sha, head.sha);
  const mergeBase = repo.commits.get(comparison?.mergeBase ?? '');
  if (!comparison || !mergeBase)
    throw new Refusal(failure(404, `No common ancestor between ${base.sha} and ${head.sha}.`));
  const commits = comparison.ahead.map((sha) => commitOf(repo, sha)).filter((commit) => commit !== undefined);
  const page = pageOf(commits, call.query, call.address);
  const show = (commit: CommitRecord): object => presentCommit(call.world, repo, commit);
  const shown = basehead.split('...').map(encodeURIComponent).join('...');
  const html = `${htmlUrl(repo)}/compare/${shown}`;
  const body = {
    url: `${repoUrl(call.world, repo)}/compare/${shown}`,
    html_url: html,
    permalink_url: html,
    diff_url: `${html}.diff`,
    patch_url: `${html}.patch`,
    base_commit: show(base),
    merge_base_commit: show(mergeBase),
    status: comparison.status,
    ahead_by: comparison.ahead.length,
    behind_by: comparison.behindBy,
    total_commits: comparison.ahead.length,
    commits: page.items.map(show),
    files: comparedFiles(call, repo, { base: base.sha, head: head.sha, mergeBase: mergeBase.sha }),
  };
  return { status: 200, body, headers: page.headers };
}

/** GitHub lists files on the first page only, at most 300. */
function comparedFiles(call: Call, repo: RepoRecord, range: Range): object[] {
  if (Number(call.query.get('page') ?? 1) > 1) return [];
  const files = filesOfRange(call.world, repo, range);
  return files.slice(0, 300).map((file) => presentFile(call.world, repo, range.head, file));
}

function commitOf(repo: RepoRecord, ref: string): CommitRecord | undefined {
  return repo.commits.get(resolveRef(repo, ref.replace(/^[^:]+:/, '')) ?? '');
}
