import type { Answer } from './answer.ts';
import { failure, notFound, pageOf, Refusal } from './answer.ts';
import { resolveRef } from './history.ts';
import type { AnnotationRecord, CheckRunRecord, RepoRecord } from './model.ts';
import { timestamp } from './model.ts';
import type { Call, Operation } from './operation.ts';
import { paramOf, repoOf, requireWrite } from './operation.ts';
import { htmlUrl, nodeId, repoUrl } from './present-repo.ts';

export const checkOperations: readonly Operation[] = [
  { method: 'POST', template: '/repos/{owner}/{repo}/check-runs', run: createCheckRun },
  { method: 'PATCH', template: '/repos/{owner}/{repo}/check-runs/{check_run_id}', run: updateCheckRun },
  { method: 'GET', template: '/repos/{owner}/{repo}/commits/{ref}/check-runs', run: listCheckRuns },
];

function createCheckRun(call: Call): Answer {
  const repo = repoOf(call);
  requireApp(call);
  const sha = String(call.body.head_sha);
  if (!repo.commits.has(sha)) throw new Refusal(failure(422, `No commit found for SHA: ${sha}`));
  const blank = {
    status: 'queued',
    conclusion: null,
    detailsUrl: null,
    externalId: '',
    title: null,
    summary: null,
    annotations: [],
  };
  const record = changed({ id: call.world.nextId('check'), sha, name: '', ...blank }, call.body);
  repo.checkRuns.set(record.id, record);
  return { status: 201, body: presentCheckRun(call, repo, record) };
}

function updateCheckRun(call: Call): Answer {
  const repo = repoOf(call);
  requireApp(call);
  const known = repo.checkRuns.get(Number(paramOf(call, 'check_run_id')));
  if (!known) throw notFound();
  const record = changed(known, call.body);
  repo.checkRuns.set(record.id, record);
  return { status: 200, body: presentCheckRun(call, repo, record) };
}

/** Anybody who may read the repo may read its check runs. `latest`: of each name the newest. */
function listCheckRuns(call: Call): Answer {
  const repo = repoOf(call);
  const sha = resolveRef(repo, paramOf(call, 'ref'));
  if (sha === undefined) throw notFound();
  const name = call.query.get('check_name');
  const newestFirst = [...repo.checkRuns.values()]
    .filter((run) => run.sha === sha && (name === null || run.name === name))
    .sort((a, b) => b.id - a.id);
  const seen = new Set<string>();
  const all = call.query.get('filter') === 'all';
  const runs = newestFirst.filter((run) => all || (!seen.has(run.name) && seen.add(run.name)));
  const page = pageOf(runs, call.query, call.address);
  const body = { total_count: runs.length, check_runs: page.items.map((run) => presentCheckRun(call, repo, run)) };
  return { status: 200, body, headers: page.headers };
}

/** GitHub refuses everybody else in these words. */
function requireApp(call: Call): void {
  if (call.caller.kind !== 'installation') throw new Refusal(failure(403, 'You must authenticate via a GitHub App.'));
  requireWrite(call);
}

/** What is not sent stays; annotations are added to those that are there. */
function changed(record: CheckRunRecord, body: Readonly<Record<string, unknown>>): CheckRunRecord {
  const output = (body.output ?? {}) as Readonly<Record<string, unknown>>;
  const conclusion = textOr(body.conclusion, record.conclusion);
  return {
    ...record,
    name: textOr(body.name, record.name) ?? '',
    // "Providing `conclusion` will automatically set the `status` parameter to `completed`."
    status: conclusion === null ? (textOr(body.status, record.status) ?? '') : 'completed',
    conclusion,
    detailsUrl: textOr(body.details_url, record.detailsUrl),
    externalId: textOr(body.external_id, record.externalId) ?? '',
    title: textOr(output.title, record.title),
    summary: textOr(output.summary, record.summary),
    annotations: [...record.annotations, ...((output.annotations ?? []) as readonly AnnotationRecord[])],
  };
}

function textOr(value: unknown, otherwise: string | null): string | null {
  return typeof value === 'string' ? value : otherwise;
}

/** `check-run`. */
function presentCheckRun(call: Call, repo: RepoRecord, run: CheckRunRecord): Record<string, unknown> {
  const url = `${repoUrl(call.world, repo)}/check-runs/${run.id}`;
  const at = timestamp(call.world.now());
  return {
    id: run.id,
    node_id: nodeId('CheckRun', run.id),
    head_sha: run.sha,
    external_id: run.externalId,
    url,
    html_url: `${htmlUrl(repo)}/runs/${run.id}`,
    details_url: run.detailsUrl,
    status: run.status,
    conclusion: run.conclusion,
    started_at: at,
    completed_at: run.conclusion === null ? null : at,
    output: {
      title: run.title,
      summary: run.summary,
      text: null,
      annotations_count: run.annotations.length,
      annotations_url: `${url}/annotations`,
    },
    name: run.name,
    check_suite: { id: run.id + 1 },
    app: null,
    pull_requests: [],
  };
}
