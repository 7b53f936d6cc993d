import type { Answer } from './answer.ts';
import { failure, notFound, pageOf, Refusal, validationFailed } from './answer.ts';
import { resolveRef } from './history.ts';
import type { RepoRecord, StatusRecord, StatusState } from './model.ts';
import { timestamp } from './model.ts';
import type { Call, Operation } from './operation.ts';
import { paramOf, repoOf, requireWrite } from './operation.ts';
import { presentSimpleStatus, presentStatus } from './present-announcement.ts';
import { presentMinimalRepo, repoUrl } from './present-repo.ts';

const maxDescription = 140;
const maxStatuses = 1000;

export const statusOperations: readonly Operation[] = [
  { method: 'POST', template: '/repos/{owner}/{repo}/statuses/{sha}', run: createStatus },
  { method: 'GET', template: '/repos/{owner}/{repo}/commits/{ref}/statuses', run: listStatuses },
  { method: 'GET', template: '/repos/{owner}/{repo}/commits/{ref}/status', run: readCombinedStatus },
];

function createStatus(call: Call): Answer {
  const repo = repoOf(call);
  requireWrite(call);
  const sha = paramOf(call, 'sha');
  checkStatus(repo, sha, call.body);
  const status: StatusRecord = {
    id: call.world.nextId('status'),
    sha,
    state: call.body.state as StatusState,
    context: contextOf(call.body),
    description: textOrNull(call.body.description),
    targetUrl: textOrNull(call.body.target_url),
    login: call.caller.login,
    createdAt: timestamp(call.world.now()),
  };
  repo.statuses.push(status);
  const location = `${repoUrl(call.world, repo)}/statuses/${sha}`;
  return { status: 201, body: presentStatus(call.world, repo, status), headers: { location } };
}

/** GitHub's own rules, which its OpenAPI description leaves out. */
function checkStatus(repo: RepoRecord, sha: string, body: Readonly<Record<string, unknown>>): void {
  const refuse = (field: string, message: string): never => {
    throw validationFailed({ resource: 'Status', code: 'custom', field, message });
  };
  if (!/^[0-9a-f]{40}$/i.test(sha)) refuse('sha', 'sha must be a 40 character SHA1');
  if (!repo.commits.has(sha)) throw new Refusal(failure(422, `No commit found for SHA: ${sha}`));
  const description = textOrNull(body.description);
  if (description !== null && [...description].length > maxDescription) {
    refuse('description', `description is too long (maximum is ${maxDescription} characters)`);
  }
  const targetUrl = textOrNull(body.target_url);
  if (targetUrl !== null && !/^https?:\/\//i.test(targetUrl)) {
    refuse('target_url', 'target_url must use http(s) scheme');
  }
  const context = contextOf(body).toLowerCase();
  const earlier = repo.statuses.filter((status) => status.sha === sha && status.context.toLowerCase() === context);
  if (earlier.length >= maxStatuses) refuse('base', 'This SHA and context has reached the maximum number of statuses.');
}

function contextOf(body: Readonly<Record<string, unknown>>): string {
  return textOrNull(body.context) ?? 'default';
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function statusesOf(call: Call, repo: RepoRecord): { sha: string; newestFirst: StatusRecord[] } {
  const sha = resolveRef(repo, paramOf(call, 'ref'));
  if (sha === undefined) throw notFound();
  return { sha, newestFirst: repo.statuses.filter((status) => status.sha === sha).reverse() };
}

function listStatuses(call: Call): Answer {
  const repo = repoOf(call);
  const page = pageOf(statusesOf(call, repo).newestFirst, call.query, call.address);
  return {
    status: 200,
    body: page.items.map((status) => presentStatus(call.world, repo, status)),
    headers: page.headers,
  };
}

function readCombinedStatus(call: Call): Answer {
  const repo = repoOf(call);
  const { sha, newestFirst } = statusesOf(call, repo);
  const seen = new Set<string>();
  const current = newestFirst.filter((status) => {
    const context = status.context.toLowerCase();
    return !seen.has(context) && seen.add(context);
  });
  const page = pageOf(current, call.query, call.address);
  const url = `${repoUrl(call.world, repo)}/commits/${sha}`;
  const body = {
    state: combine(current.map((status) => status.state)),
    statuses: page.items.map((status) => presentSimpleStatus(call.world, repo, status)),
    sha,
    total_count: current.length,
    repository: presentMinimalRepo(call.world, repo),
    commit_url: url,
    url: `${url}/status`,
  };
  return { status: 200, body, headers: page.headers };
}

function combine(states: readonly StatusState[]): 'failure' | 'pending' | 'success' {
  if (states.some((state) => state === 'error' || state === 'failure')) return 'failure';
  // A commit without any status is pending to GitHub.
  return states.length === 0 || states.includes('pending') ? 'pending' : 'success';
}
