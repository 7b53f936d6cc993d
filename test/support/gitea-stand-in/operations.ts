import { createHash } from 'node:crypto';
import { filesOfPullRequest, filesOfRange } from '../github-stand-in/diff.ts';
import { ancestry, compareCommits, listHistory, resolveRef } from '../github-stand-in/history.ts';
import { type PullRequestRecord, type RepoRecord, timestamp, type World } from '../github-stand-in/model.ts';
import { Refused, type RestAnswer } from '../rest-stand-in/rest-server.ts';
import {
  type FlavorName,
  type Permissions,
  presentComment,
  presentCommit,
  presentDiff,
  presentPull,
  presentRepo,
  presentRun,
  presentStatus,
} from './present.ts';

/** What one request says about a repo. */
export interface RepoRequest {
  readonly world: World;
  readonly flavor: FlavorName;
  /** Gitea 1.27, which compares as a diff and says of runs where their heads are. */
  readonly isNew: boolean;
  readonly repo: RepoRecord;
  readonly hooks: Hook[];
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
  readonly login: string;
  readonly permissions: Permissions;
}

/** The webhook of a repo. */
export interface Hook {
  readonly id: number;
  readonly repoId: number;
  fields: Readonly<Record<string, unknown>>;
}

/** Without the secret, which is never shown. */
function presentHook({ id, fields: { config, ...shown } }: Hook) {
  const { secret: _, ...others } = config as Readonly<Record<string, unknown>>;
  return { id, ...shown, config: others };
}

function mustAdminister({ admin }: Permissions): void {
  if (!admin) throw new Refused(403, { message: 'user should be an owner or a collaborator with admin write' });
}

type Operation = (asked: RepoRequest, ...parts: readonly string[]) => RestAnswer;

/** It gives no more at once, and says nothing about it. */
const MAX = 50;

/** `<method> <path below the repo>` */
export const OF_REPO: Readonly<Record<string, Operation>> = {
  'GET ': ({ world, repo, permissions }) => ok(presentRepo(world, repo, permissions)),
  'POST /statuses/:sha': setStatus,
  'GET /commits/:ref/status': ({ world, repo, query }, sha = '') => {
    commitOf(repo, sha);
    const latest = new Map(repo.statuses.filter((one) => one.sha === sha).map((one) => [one.context, one]));
    const { body, headers = {} } = page(
      [...latest.values()].map((one) => presentStatus(world, one)),
      query,
    );
    return { status: 200, body: { sha, state: 'pending', statuses: body, total_count: latest.size }, headers };
  },
  'GET /issues/:index/comments': ({ world, repo }, index) => {
    if (!repo.pullRequests.has(Number(index))) throw new Refused(500, { message: '' });
    return ok(
      [...repo.comments.values()]
        .filter((one) => one.pullRequest === Number(index))
        .map((one) => presentComment(world, one)),
    );
  },
  'POST /issues/:index/comments': ({ world, repo, body, login }, index) => {
    const pull = repo.pullRequests.get(Number(index));
    if (pull === undefined) throw new Refused(500, { message: '' });
    if (pull.locked) throw new Refused(403, { message: 'token does not have permission to comment: it is locked' });
    const at = timestamp(world.now());
    const id = world.nextId('comment');
    const comment = {
      id,
      pullRequest: Number(index),
      login,
      body: String(body.body),
      createdAt: at,
      updatedAt: at,
      edits: 0,
    };
    repo.comments.set(id, comment);
    return { status: 201, body: presentComment(world, comment) };
  },
  'PATCH /issues/comments/:id': ({ world, repo, body }, id) => {
    const comment = repo.comments.get(Number(id));
    if (comment === undefined) throw notFound();
    const edited = { ...comment, body: String(body.body), edits: comment.edits + 1 };
    repo.comments.set(comment.id, edited);
    return ok(presentComment(world, edited));
  },
  'GET /hooks': ({ hooks, repo, query, permissions }) => {
    mustAdminister(permissions);
    return page(hooks.filter(({ repoId }) => repoId === repo.id).map(presentHook), query);
  },
  'POST /hooks': ({ hooks, repo, body, permissions }) => {
    mustAdminister(permissions);
    const hook = { id: hooks.length + 1, repoId: repo.id, fields: body };
    hooks.push(hook);
    return { status: 201, body: presentHook(hook) };
  },
  'PATCH /hooks/:id': ({ hooks, body, permissions }, id) => {
    mustAdminister(permissions);
    const hook = hooks.find((one) => one.id === Number(id));
    if (hook === undefined) throw notFound();
    hook.fields = { ...hook.fields, ...body };
    return ok(presentHook(hook));
  },
  'GET /pulls': ({ world, repo, query }) => {
    const state = query.get('state') ?? 'open';
    const pulls = [...repo.pullRequests.values()].toSorted((a, b) => b.number - a.number);
    const shown = pulls.map((one) => presentPull(world, repo, one));
    return page(
      shown.filter((one) => state === 'all' || one.state === state),
      query,
    );
  },
  'GET /pulls/:index': ({ world, repo }, index = '') => {
    const pull = pullOf(repo, index.replace(/\.diff$/, ''));
    return index.endsWith('.diff') ? diff(filesOfPullRequest(world, repo, pull)) : ok(presentPull(world, repo, pull));
  },
  'GET /git/commits/:sha': ({ world, repo }, sha = '') => {
    const commit = commitOf(repo, sha.replace(/\.diff$/, ''));
    if (!sha.endsWith('.diff')) return ok(presentCommit(commit));
    const base = commit.parents[0] ?? '';
    return diff(filesOfRange(world, repo, { base, head: commit.sha, mergeBase: base }));
  },
  'GET /git/trees/:sha': readTree,
  'GET /branches': ({ repo, query }) =>
    page(
      [...repo.branches].map(([name, id]) => ({ name, commit: { id } })),
      query,
    ),
  'GET /branches/*': ({ repo }, name = '') => {
    const id = repo.branches.get(name);
    if (id === undefined) throw notFound();
    const required = repo.required.get(name);
    return ok({
      name,
      commit: { id },
      enable_status_check: required !== undefined,
      status_check_contexts: required ?? [],
    });
  },
  'GET /commits': listCommits,
  'GET /compare/*': compare,
  'GET /contents/*': ({ repo, query }, path = '') => {
    const at = `${commitOf(repo, query.get('ref') ?? '').sha}:${path}`;
    const bytes = repo.files.get(at);
    if (bytes !== undefined) return ok(presentFile(bytes));
    if ([...repo.files.keys()].some((one) => one.startsWith(`${at}/`))) return ok([{ type: 'file', size: 1 }]);
    throw notFound();
  },
  'GET /raw/*': ({ repo, query }, path) => {
    const bytes = repo.files.get(`${query.get('ref')}:${path}`);
    if (bytes === undefined) throw notFound();
    return { status: 200, bytes };
  },
  'GET /actions/runs': ({ world, repo, query, flavor, isNew }) => {
    const runs = [...repo.runs.values()].toReversed().map((one) => presentRun(world, repo, one, { flavor, isNew }));
    const { body, headers = {} } = page(runs, query);
    return { status: 200, body: { workflow_runs: body, total_count: runs.length }, headers };
  },
  'GET /actions/runs/:run': ({ world, repo, flavor, isNew }, id) => {
    const run = repo.runs.get(Number(id));
    if (run === undefined) throw notFound();
    return ok(presentRun(world, repo, run, { flavor, isNew }));
  },
};

const STATES = ['pending', 'success', 'error', 'failure', 'warning', 'skipped'];

/** A commit that is not there is an error of the server. */
function setStatus({ world, repo, body, login }: RepoRequest, sha = ''): RestAnswer {
  if (!repo.commits.has(sha)) throw new Refused(500, { message: '' });
  const { state, context, description, target_url: url } = body;
  if (!STATES.includes(String(state))) throw new Refused(422, { message: `unknown state ${state}` });
  const status = {
    ...{ id: world.nextId('status'), sha, login, createdAt: timestamp(world.now()) },
    state: state as 'success',
    ...{ context: String(context), description: String(description), targetUrl: String(url) },
  };
  repo.statuses.push(status);
  return { status: 201, body: presentStatus(world, status) };
}

/** What git does not know behind `not` is an error of the server; an empty repo is a conflict. */
function listCommits({ repo, query }: RepoRequest): RestAnswer {
  if (repo.commits.size === 0) throw new Refused(409, { message: 'Git Repository is empty.' });
  const from = resolveRef(repo, query.get('sha') ?? repo.defaultBranch);
  if (from === undefined) throw notFound();
  const without = query.get('not') ?? '';
  const not = without === '' ? undefined : resolveRef(repo, without);
  if (without !== '' && not === undefined) throw new Refused(500, { message: '' });
  const left = new Set(not === undefined ? [] : ancestry(repo, not));
  return page(
    listHistory(repo, from)
      .filter(({ sha }) => !left.has(sha))
      .map(presentCommit),
    query,
  );
}

/** The root's entries stand for all that is in them. Its own `sha` is what was asked for. */
function readTree({ repo, query }: RepoRequest, sha = ''): RestAnswer {
  const commit = repo.commits.get(sha);
  if (commit === undefined) throw new Refused(400, { message: `sha not found [${sha}]` });
  const files = [...repo.files].filter(([name]) => name.startsWith(`${sha}:`));
  const all =
    query.get('recursive') === 'true'
      ? files.map(([name, bytes]) => ({
          ...{ path: name.slice(sha.length + 1), mode: repo.modes.get(name), type: 'blob' },
          sha: createHash('sha1').update(bytes).digest('hex'),
        }))
      : [{ path: 'src', mode: '040000', type: 'tree', sha: commit.tree }];
  const [size, number] = [Number(query.get('per_page') ?? 1_000), Number(query.get('page') ?? 1)];
  const tree = all.slice((number - 1) * size, number * size);
  return ok({ sha, tree, truncated: number * size < all.length, total_count: all.length });
}

/** Before 1.27 and at Forgejo only the commits of a range are listed. */
function compare({ world, repo, query, isNew }: RepoRequest, ends = ''): RestAnswer {
  const dots = ends.includes('...') ? '...' : '..';
  const [base, head] = ends.split(dots).map((end) => resolveRef(repo, end));
  if (base === undefined || head === undefined) throw notFound();
  if (!isNew || query.get('output') !== 'diff') return ok({ total_commits: 0, commits: [] });
  const from = dots === '..' ? base : (compareCommits(repo, base, head)?.mergeBase ?? base);
  const isSame = repo.commits.get(from)?.tree === repo.commits.get(head)?.tree;
  return diff(isSame ? [] : filesOfRange(world, repo, { base: from, head, mergeBase: from }));
}

/** For a large file the content is left out. */
function presentFile(bytes: Buffer) {
  const isShown = bytes.length <= 1024 * 1024;
  const shown = isShown ? { encoding: 'base64', content: bytes.toString('base64') } : { encoding: null, content: null };
  return { type: 'file', size: bytes.length, ...shown };
}

const diff = (files: Parameters<typeof presentDiff>[0]): RestAnswer => ({
  status: 200,
  bytes: Buffer.from(presentDiff(files)),
});

function commitOf(repo: RepoRecord, sha: string) {
  const commit = repo.commits.get(sha);
  if (commit === undefined) throw notFound();
  return commit;
}

function pullOf(repo: RepoRecord, index: string): PullRequestRecord {
  const pull = repo.pullRequests.get(Number(index));
  if (pull === undefined) throw notFound();
  return pull;
}

export const notFound = (): Refused => new Refused(404, { message: 'The target couldn’t be found.', errors: [] });

export function ok(body: unknown): RestAnswer {
  return { status: 200, body };
}

export function page(entries: readonly unknown[], query: URLSearchParams): RestAnswer {
  const size = Math.min(Number(query.get('limit') ?? 30), MAX);
  const number = Number(query.get('page') ?? 1);
  const next = number * size < entries.length ? { link: `<http://gitea/?page=${number + 1}>; rel="next"` } : {};
  const headers = { 'x-total-count': String(entries.length), ...next };
  return { status: 200, body: entries.slice((number - 1) * size, number * size), headers };
}
