import { filesOfRange } from '../github-stand-in/diff.ts';
import { compareCommits, listHistory, resolveRef } from '../github-stand-in/history.ts';
import {
  type PullRequestRecord,
  personOf,
  type RepoRecord,
  type StatusRecord,
  timestamp,
  type World,
} from '../github-stand-in/model.ts';
import { Refused as RefusedAnswer, type RestAnswer } from '../rest-stand-in/rest-server.ts';
import { presentCommit, presentPipeline, presentPull, presentRepo, presentStat, uuidOf } from './present.ts';
import { rawDiff } from './raw-diff.ts';

/** What only Bitbucket has, beside what every host has. */
export interface BitbucketWorld {
  readonly world: World;
  readonly builds: BuildStatus[];
  readonly reports: Map<string, Report>;
  readonly hooks: Hook[];
}

/** The webhook of a repo. */
export interface Hook {
  readonly id: number;
  readonly repoId: number;
  fields: Readonly<Record<string, unknown>>;
}

export interface BuildStatus {
  readonly repoId: number;
  readonly sha: string;
  readonly key: string;
  readonly name: string;
  readonly state: string;
  readonly description: string;
  readonly url: string;
}

export interface Report {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly annotations: readonly Readonly<Record<string, unknown>>[];
}

export interface Caller {
  readonly login: string;
  readonly scopes: readonly string[];
  /** Whether it may ask whose it is: a repo's own token may not. */
  readonly knowsItself: boolean;
  /** By the name of the repo in lower case; undefined: it may everything. */
  readonly access?: Readonly<Record<string, 'read' | 'write' | 'admin'>>;
}

export interface Asked {
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly caller: Caller;
  /** The address that was asked, without its query. */
  readonly address: string;
}

export type Operation = (host: BitbucketWorld, repo: RepoRecord, asked: Asked, parts: readonly string[]) => RestAnswer;

/** An answer that ends an operation. */
export class Refused extends RefusedAnswer {
  constructor(status: number, message: string) {
    super(status, { type: 'error', error: { message } });
  }
}

export const ok = (body: unknown): RestAnswer => ({ status: 200, body });

/** More in one difference take too long. */
const MAX_FILES = 1_000;
/** Characters of a key. */
const MAX_KEY = 40;

const REPO = '/repositories/{workspace}/{repo_slug}';

/** What is asked about a repo, by the key of its description. */
export const OF_REPO: Readonly<Record<string, Operation>> = {
  [`GET ${REPO}`]: ({ world }, repo) => ok(presentRepo(world, repo)),
  [`POST ${REPO}/commit/{commit}/statuses/build`]: (host, repo, { body }, [, , sha = '']) => {
    commitOf(repo, sha);
    const sent = body as Omit<BuildStatus, 'repoId' | 'sha'>;
    if (sent.key.length > MAX_KEY) {
      const problem = `key: Ensure this value has at most ${MAX_KEY} characters (it has ${sent.key.length}).`;
      throw new Refused(400, problem);
    }
    const at = host.builds.findIndex((one) => one.repoId === repo.id && one.sha === sha && one.key === sent.key);
    const build = { ...sent, repoId: repo.id, sha };
    if (at < 0) host.builds.push(build);
    else host.builds[at] = build;
    noteStatus(host.world, repo, { ...build, login: BOT });
    return { status: 201, body: presentBuild(build) };
  },
  [`GET ${REPO}/commit/{commit}/statuses/build/{key}`]: (host, repo, _, [, , sha, key]) => {
    const found = host.builds.find((one) => one.repoId === repo.id && one.sha === sha && one.key === key);
    if (found === undefined) throw new Refused(404, 'Build status not found');
    return ok(presentBuild(found));
  },
  [`GET ${REPO}/commit/{commit}`]: (_, repo, __, [, , sha = '']) => ok(presentCommit(commitOf(repo, sha))),
  [`GET ${REPO}/commits/{revision}`]: (_, repo, asked, [, , sha = '']) =>
    page(listHistory(repo, commitOf(repo, sha).sha).map(presentCommit), asked),
  [`GET ${REPO}/refs/branches`]: (_, repo, asked) => {
    const [, hash] = /^target\.hash="([0-9a-f]{40})"$/.exec(asked.query.get('q') ?? '') ?? [];
    const found = [...repo.branches].filter(([, sha]) => sha === hash);
    return page(
      found.map(([name, sha]) => ({ type: 'branch', name, target: { hash: sha } })),
      asked,
    );
  },
  [`GET ${REPO}/refs/branches/{name}`]: (_, repo, __, [, , name = '']) => {
    const hash = repo.branches.get(name);
    if (hash === undefined) throw new Refused(404, 'Branch not found');
    return ok({ type: 'branch', name, target: { hash } });
  },
  [`GET ${REPO}/merge-base/{revspec}`]: (_, repo, __, [, , spec = '']) => {
    const [base, head] = spec.split('..').map((one) => commitOf(repo, one).sha) as [string, string];
    const found = compareCommits(repo, base, head)?.mergeBase;
    if (found === undefined) throw new Refused(404, 'No merge base');
    return ok(presentCommit(commitOf(repo, found)));
  },
  [`GET ${REPO}/diff/{spec}`]: (host, repo, _, [, , spec = '']) => {
    const files = filesOf(host, repo, spec);
    if (files.length > MAX_FILES) throw new Refused(555, 'The diff took too long');
    return { status: 200, bytes: Buffer.from(rawDiff(files)) };
  },
  [`GET ${REPO}/diffstat/{spec}`]: (host, repo, asked, [, , spec = '']) =>
    page(filesOf(host, repo, spec).map(presentStat), asked, 500),
  [`GET ${REPO}/src/{commit}/{path*}`]: (_, repo, { query }, [, , sha = '', path = '']) => {
    const bytes = repo.files.get(`${sha}:${path}`);
    const isFolder = [...repo.files.keys()].some((name) => name.startsWith(`${sha}:${path}/`));
    if (bytes === undefined && !isFolder) throw new Refused(404, 'No such file or directory');
    if (query.get('format') !== 'meta') return { status: 200, bytes: bytes ?? Buffer.from('{"values":[]}') };
    return ok(
      bytes === undefined ? { type: 'commit_directory', path } : { type: 'commit_file', path, size: bytes.length },
    );
  },
  [`GET ${REPO}/pullrequests`]: ({ world }, repo, asked) => {
    const states = asked.query.getAll('state');
    const wanted = /^source\.branch\.name="(.*)" AND source\.repository\.full_name="(.*)"$/s.exec(
      asked.query.get('q') ?? '',
    );
    const [branch, from] = (wanted ?? []).slice(1).map((text) => text.replace(/\\(.)/g, '$1'));
    const pulls = [...repo.pullRequests.values()]
      .toSorted((a, b) => b.number - a.number)
      .map((pull) => presentPull(world, repo, pull))
      .filter(({ state }) => states.includes(state))
      .filter(
        ({ source }) => branch === undefined || (source.branch.name === branch && source.repository.full_name === from),
      );
    return page(pulls, asked, 50);
  },
  [`GET ${REPO}/pullrequests/{pull_request_id}`]: ({ world }, repo, _, [, , id]) =>
    ok(presentPull(world, repo, pullOf(repo, id))),
  [`GET ${REPO}/pullrequests/{pull_request_id}/comments`]: ({ world }, repo, asked, [, , id]) => {
    const { number } = pullOf(repo, id);
    const comments = [...repo.comments.values()].filter(({ pullRequest }) => pullRequest === number);
    const shown = comments.map(({ id: one, body, login }) => presentComment(world, { id: one, body, login }));
    const bot = comments.findLast(({ login }) => login === BOT)?.body ?? '';
    // Deleted ones stay in the list, and remarks on lines stand there too.
    const deleted = { ...presentComment(world, { id: 1, body: '', login: BOT }), deleted: true };
    const inline = { ...presentComment(world, { id: 2, body: bot, login: BOT }), inline: { path: 'a.ts', to: 1 } };
    return page([deleted, inline, ...shown], asked);
  },
  [`POST ${REPO}/pullrequests/{pull_request_id}/comments`]: ({ world }, repo, { body, caller }, [, , pull]) => {
    const { number, locked } = pullOf(repo, pull);
    if (locked) throw new Refused(403, 'You may not comment on this pull request.');
    const at = timestamp(world.now());
    const comment = { id: world.nextId('comment'), pullRequest: number, login: caller.login, body: rawIn(body) };
    repo.comments.set(comment.id, { ...comment, createdAt: at, updatedAt: at, edits: 0 });
    return { status: 201, body: presentComment(world, comment) };
  },
  [`PUT ${REPO}/pullrequests/{pull_request_id}/comments/{comment_id}`]: (
    { world },
    repo,
    { body, caller },
    [, , , id],
  ) => {
    const comment = repo.comments.get(Number(id));
    if (comment === undefined) throw new Refused(404, 'The comment does not exist');
    if (comment.login !== caller.login) throw new Refused(403, 'Only its author may edit a comment');
    const edited = { ...comment, body: rawIn(body), edits: comment.edits + 1 };
    repo.comments.set(comment.id, edited);
    return ok(presentComment(world, edited));
  },
  [`PUT ${REPO}/commit/{commit}/reports/{report_id}`]: ({ reports }, repo, { body }, [, , sha = '', id = '']) => {
    commitOf(repo, sha);
    const key = `${repo.id} ${sha} ${id}`;
    const fields = body as Report['fields'];
    // What it replaces keeps its annotations.
    reports.set(key, { fields, annotations: reports.get(key)?.annotations ?? [] });
    return ok({ uuid: uuidOf(1), external_id: id, ...fields });
  },
  [`DELETE ${REPO}/commit/{commit}/reports/{report_id}`]: ({ reports }, repo, _, [, , sha, id]) => {
    if (!reports.delete(`${repo.id} ${sha} ${id}`)) throw new Refused(404, 'Report not found');
    return { status: 204 };
  },
  [`POST ${REPO}/commit/{commit}/reports/{report_id}/annotations`]: ({ reports }, repo, { body }, [, , sha, id]) => {
    const key = `${repo.id} ${sha} ${id}`;
    const report = reports.get(key);
    if (report === undefined) throw new Refused(404, 'Report not found');
    reports.set(key, { ...report, annotations: [...report.annotations, ...(body as Report['annotations'])] });
    return ok(body);
  },
  [`GET ${REPO}/hooks`]: ({ hooks }, repo, asked) =>
    page(hooks.filter(({ repoId }) => repoId === repo.id).map(presentHook), asked),
  [`POST ${REPO}/hooks`]: ({ hooks }, repo, { body }) => {
    const hook = { id: hooks.length + 1, repoId: repo.id, fields: body as Hook['fields'] };
    hooks.push(hook);
    return { status: 201, body: presentHook(hook) };
  },
  [`PUT ${REPO}/hooks/{uid}`]: ({ hooks }, _, { body }, [, , id]) => {
    const hook = hooks.find((one) => uuidOf(one.id) === id);
    if (hook === undefined) throw new Refused(404, 'Webhook not found');
    hook.fields = body as Hook['fields'];
    return ok(presentHook(hook));
  },
  [`GET ${REPO}/pipelines`]: (_, repo, asked) => {
    const sha = asked.query.get('target.commit.hash');
    const runs = [...repo.runs.values()]
      .filter((run) => sha === null || run.headSha === sha)
      .toSorted((a, b) => b.id - a.id);
    return page(
      runs.map((run) => presentPipeline(repo, run)),
      asked,
    );
  },
  [`GET ${REPO}/pipelines/{pipeline_uuid}`]: (_, repo, __, [, , id]) => {
    const run = [...repo.runs.values()].find((one) => uuidOf(one.id) === id);
    if (run === undefined) throw new Refused(404, 'Pipeline not found');
    return ok(presentPipeline(repo, run));
  },
};

export const BOT = 'coverage-bot';

const STATES: Readonly<Record<string, StatusRecord['state']>> = {
  SUCCESSFUL: 'success',
  FAILED: 'failure',
  STOPPED: 'error',
};

/** A build as the status that any host has: each that was set, also where it replaced another. */
export function noteStatus(
  world: World,
  repo: RepoRecord,
  { sha, name: context, description, url: targetUrl, ...build }: BuildStatus & { readonly login: string },
): void {
  const state = STATES[build.state] ?? 'pending';
  const set = { id: world.nextId('status'), createdAt: timestamp(world.now()) };
  repo.statuses.push({ ...set, sha, context, state, description, targetUrl, login: build.login });
}

/** A secret is never shown. */
function presentHook({ id, fields: { secret, ...shown } }: Hook) {
  return { uuid: uuidOf(id), ...shown, secret_set: secret !== undefined };
}

function presentBuild({ repoId: _, sha: __, ...build }: BuildStatus) {
  return { type: 'build', ...build };
}

function presentComment(
  world: World,
  { id, body, login }: { readonly id: number; readonly body: string; readonly login: string },
) {
  const user = { uuid: uuidOf(personOf(world, login).id), nickname: login };
  return { type: 'pullrequest_comment', id, user, deleted: false, content: { raw: body, markup: 'markdown' } };
}

function rawIn(body: unknown): string {
  return (body as { readonly content: { readonly raw: string } }).content.raw;
}

/** By the whole sha or its beginning. */
function commitOf(repo: RepoRecord, sha: string) {
  const commit = repo.commits.get(/^[0-9a-f]{7,40}$/.test(sha) ? (resolveRef(repo, sha) ?? '') : '');
  if (commit === undefined) throw new Refused(404, `Commit not found: ${sha}`);
  return commit;
}

function pullOf(repo: RepoRecord, id: string | undefined): PullRequestRecord {
  const pull = repo.pullRequests.get(Number(id));
  if (pull === undefined) throw new Refused(404, 'Pull request not found');
  return pull;
}

/** The commit that holds the changes comes first. */
function filesOf({ world }: BitbucketWorld, repo: RepoRecord, spec: string) {
  const [head, base] = spec.split('..').map((one) => commitOf(repo, one)) as [
    ReturnType<typeof commitOf>,
    ReturnType<typeof commitOf>,
  ];
  if (head.tree === base.tree) return [];
  return filesOfRange(world, repo, { base: base.sha, head: head.sha, mergeBase: base.sha });
}

/** Where the next page is, only the answer says. */
export function page(entries: readonly unknown[], { query, address }: Asked, max = 100): RestAnswer {
  const pagelen = Number(query.get('pagelen') ?? 10);
  if (pagelen > max) throw new Refused(400, `Invalid pagelen ${pagelen}`);
  const number = Number(query.get('page') ?? 1);
  const values = entries.slice((number - 1) * pagelen, number * pagelen);
  const next = new URLSearchParams(query);
  next.set('page', String(number + 1));
  const hasMore = entries.length > number * pagelen;
  return ok({ pagelen, page: number, values, ...(hasMore && { next: `${address}?${next}` }) });
}
