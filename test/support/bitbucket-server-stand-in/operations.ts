import { noteStatus } from '../bitbucket-stand-in/operations.ts';
import { rawDiff } from '../bitbucket-stand-in/raw-diff.ts';
import { filesOfRange } from '../github-stand-in/diff.ts';
import { compareCommits, listHistory } from '../github-stand-in/history.ts';
import {
  type CommentRecord,
  type CommitRecord,
  type PullRequestRecord,
  type RepoRecord,
  repoNamed,
  timestamp,
  type World,
} from '../github-stand-in/model.ts';
import { Refused as RefusedAnswer, type RestAnswer } from '../rest-stand-in/rest-server.ts';

/** What only Bitbucket Data Center has, beside what every host has. */
export interface CenterWorld {
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
  /** What became of the last message. */
  last?: { readonly outcome: 'SUCCESS' | 'FAILURE' | 'ERROR'; readonly description: string };
}

export interface Report {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly annotations: readonly Readonly<Record<string, unknown>>[];
}

export interface BuildStatus {
  readonly repoId: number;
  readonly sha: string;
  readonly key: string;
  readonly name: string;
  readonly state: string;
  readonly description: string;
  readonly url: string;
  readonly parent?: string;
  readonly ref?: string;
}

export interface Asked {
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly login: string;
}

type Operation = (center: CenterWorld, repo: RepoRecord, asked: Asked, parts: readonly string[]) => RestAnswer;

/** An answer that ends an operation. */
export class Refused extends RefusedAnswer {
  constructor(status: number, message: string, exceptionName = 'com.atlassian.bitbucket.NoSuchException') {
    super(status, { errors: [{ context: null, message, exceptionName }] });
  }
}

export const ok = (body: unknown): RestAnswer => ({ status: 200, body });

const REPO = '/api/latest/projects/{projectKey}/repos/{repositorySlug}';
const REPORT = '/insights/latest/projects/{projectKey}/repos/{repositorySlug}/commits/{commitId}/reports/{key}';
const PULL = `${REPO}/pull-requests/{pullRequestId}`;

/** What is asked about a repo, by the key of its description. */
export const OF_REPO: Readonly<Record<string, Operation>> = {
  [`GET ${REPO}`]: ({ world }, repo) => ok(presentRepo(world, repo)),
  [`GET ${REPO}/default-branch`]: (_, { defaultBranch }) =>
    ok({ id: `refs/heads/${defaultBranch}`, displayId: defaultBranch }),
  [`GET ${REPO.replace('/api', '/required-builds')}/conditions`]: (_, { required }, { query }) =>
    page(
      [...required].map(([branch, buildParentKeys], id) => ({
        ...{
          id,
          buildParentKeys,
          refMatcher: { id: `refs/heads/${branch}`, displayId: branch, type: { id: 'BRANCH' } },
        },
      })),
      query,
    ),
  [`POST ${REPO}/commits/{commitId}/builds`]: (center, repo, { body, login }, [, , sha = '']) => {
    commitOf(repo, sha);
    const build = { ...(body as BuildStatus), repoId: repo.id, sha };
    const at = center.builds.findIndex((one) => one.repoId === repo.id && one.sha === sha && one.key === build.key);
    if (at < 0) center.builds.push(build);
    else center.builds[at] = build;
    noteStatus(center.world, repo, { ...build, login });
    return { status: 204 };
  },
  [`GET ${REPO}/commits/{commitId}/builds`]: (center, repo, { query }, [, , sha]) => {
    const key = query.get('key');
    const found = center.builds.find((one) => one.repoId === repo.id && one.sha === sha && one.key === key);
    if (found === undefined) throw new Refused(404, 'There is no such build status');
    const { repoId: _, sha: __, ...shown } = found;
    return ok({ ...shown, createdDate: 1, updatedDate: 1 });
  },
  [`GET ${REPO}/commits/{commitId}/merge-base`]: (_, repo, { query }, [, , sha = '']) => {
    const [one, other] = [commitOf(repo, sha).sha, commitOf(repo, query.get('otherCommitId') ?? '').sha];
    const found = compareCommits(repo, one, other)?.mergeBase;
    return found === undefined ? { status: 204 } : ok(presentCommit(commitOf(repo, found)));
  },
  [`GET ${REPO}/commits/{commitId}`]: (_, repo, __, [, , sha = '']) => ok(presentCommit(commitOf(repo, sha))),
  [`GET ${REPO}/commits`]: (_, repo, { query }) =>
    page(listHistory(repo, commitOf(repo, query.get('until') ?? '').sha).map(presentCommit), query),
  [`GET ${REPO}/branches`]: (_, repo, { query }) => {
    const text = (query.get('filterText') ?? '').toLowerCase();
    const named = [...repo.branches].filter(([name]) => name.toLowerCase().includes(text));
    const branches = named.map(([name, sha]) => ({ id: `refs/heads/${name}`, displayId: name, latestCommit: sha }));
    return page(branches, query);
  },
  [`GET ${REPO}/diff`]: ({ world }, repo, { query }) =>
    // Its own git is asked with prefixes of its own.
    ({ status: 200, bytes: Buffer.from(rawDiff(filesOf(world, repo, query), ['src://', 'dst://'])) }),
  [`GET ${REPO}/changes`]: ({ world }, repo, { query }) => page(changesOf(world, repo, query), query),
  [`GET ${REPO}/browse/{path*}`]: (_, repo, { query }, [, , path = '']) => {
    const at = query.get('at') ?? '';
    const bytes = repo.files.get(`${at}:${path}`);
    if (bytes !== undefined) return ok({ size: bytes.length });
    if ([...repo.files.keys()].some((name) => name.startsWith(`${at}:${path}/`)))
      return ok({ children: { values: [] } });
    throw new Refused(404, `The path "${path}" does not exist at revision "${at}"`);
  },
  [`GET ${REPO}/raw/{path*}`]: (_, repo, { query }, [, , path = '']) => {
    const bytes = repo.files.get(`${query.get('at')}:${path}`);
    if (bytes === undefined) throw new Refused(404, `The path "${path}" does not exist`);
    return { status: 200, bytes };
  },
  [`GET ${REPO}/pull-requests`]: ({ world }, repo, { query }) => {
    const state = query.get('state') ?? 'OPEN';
    const pulls = [...repo.pullRequests.values()]
      .toSorted((a, b) => b.number - a.number)
      .map((pull) => presentPull(world, repo, pull));
    return page(
      pulls.filter((pull) => state === 'ALL' || pull.state === state),
      query,
    );
  },
  [`GET ${REPO}/webhooks`]: ({ hooks }, repo, { query }) => {
    const own = hooks.filter(({ repoId }) => repoId === repo.id);
    const shown = own.map(({ id, fields: { configuration: _, ...others } }) => ({ id, ...others, configuration: {} }));
    return page(shown, query);
  },
  [`POST ${REPO}/webhooks`]: ({ hooks }, repo, { body }) => {
    const hook = { id: hooks.length + 1, repoId: repo.id, fields: body as Hook['fields'] };
    hooks.push(hook);
    return { status: 201, body: { id: hook.id } };
  },
  [`PUT ${REPO}/webhooks/{webhookId}`]: ({ hooks }, _, { body }, [, , id]) => {
    const hook = hooks.find((one) => one.id === Number(id));
    if (hook === undefined) throw new Refused(404, 'There is no such webhook');
    hook.fields = body as Hook['fields'];
    return ok({ id: hook.id });
  },
  [`GET ${REPO}/webhooks/{webhookId}/latest`]: ({ hooks }, _, __, [, , id]) => {
    const result = hooks.find((one) => one.id === Number(id))?.last;
    if (result === undefined) throw new Refused(404, 'Nothing was sent to the webhook');
    return ok({ id: 1, event: 'repo:refs_changed', result });
  },
  [`PUT ${REPORT}`]: ({ reports }, repo, { body }, [, , sha = '', id = '']) => {
    commitOf(repo, sha);
    const key = `${repo.id} ${sha} ${id}`;
    const fields = body as Report['fields'];
    // What it replaces keeps its annotations.
    reports.set(key, { fields, annotations: reports.get(key)?.annotations ?? [] });
    return ok({ key: id, ...fields });
  },
  [`DELETE ${REPORT}`]: ({ reports }, repo, _, [, , sha, id]) => {
    reports.delete(`${repo.id} ${sha} ${id}`);
    return { status: 204 };
  },
  [`POST ${REPORT}/annotations`]: ({ reports }, repo, { body }, [, , sha, id]) => {
    const key = `${repo.id} ${sha} ${id}`;
    const report = reports.get(key);
    if (report === undefined) throw new Refused(404, 'There is no such report');
    const { annotations } = body as Pick<Report, 'annotations'>;
    reports.set(key, { ...report, annotations: [...report.annotations, ...annotations] });
    return { status: 204 };
  },
  [`GET ${PULL}`]: ({ world }, repo, _, [, , id]) => ok(presentPull(world, repo, pullOf(repo, id))),
  [`GET ${PULL}/activities`]: (_, repo, { query }, [, , id]) => {
    const { number } = pullOf(repo, id);
    const comments = [...repo.comments.values()].filter(({ pullRequest }) => pullRequest === number).toReversed();
    const entries = comments.map((comment) => ({
      id: comment.id,
      action: 'COMMENTED',
      comment: presentComment(comment),
    }));
    // Everything else that happened stands between them; remarks on lines have an anchor.
    const inline = entries.slice(0, 1).map((entry) => ({ ...entry, commentAnchor: { path: 'a.ts', line: 1 } }));
    return page([{ id: 1, action: 'APPROVED' }, ...inline, ...entries, { id: 2, action: 'OPENED' }], query);
  },
  [`POST ${PULL}/comments`]: ({ world }, repo, { body, login }, [, , pull]) => {
    const { number, locked } = pullOf(repo, pull);
    if (locked) throw new Refused(403, 'You may not comment here', 'com.atlassian.bitbucket.AuthorisationException');
    const at = timestamp(world.now());
    const comment = { id: world.nextId('comment'), pullRequest: number, login, body: textIn(body) };
    const made = { ...comment, createdAt: at, updatedAt: at, edits: 0 };
    repo.comments.set(comment.id, made);
    return { status: 201, body: presentComment(made) };
  },
  [`GET ${PULL}/comments/{commentId}`]: (_, repo, __, [, , , id]) => ok(presentComment(commentOf(repo, id))),
  [`PUT ${PULL}/comments/{commentId}`]: (_, repo, { body, login }, [, , , id]) => {
    const comment = commentOf(repo, id);
    if (comment.login !== login)
      throw new Refused(401, 'Only its author may', 'com.atlassian.bitbucket.AuthorisationException');
    if ((body as { readonly version: number }).version !== comment.edits)
      throw new Refused(409, 'You are attempting to modify a comment based on out-of-date information.');
    const edited = { ...comment, body: textIn(body), edits: comment.edits + 1 };
    repo.comments.set(comment.id, edited);
    return ok(presentComment(edited));
  },
};

/** Its pages say where the next one starts. */
export function page(entries: readonly unknown[], query: URLSearchParams): RestAnswer {
  const [limit, start] = [Number(query.get('limit') ?? 25), Number(query.get('start') ?? 0)];
  const values = entries.slice(start, start + limit);
  const isLastPage = start + limit >= entries.length;
  const next = isLastPage ? {} : { nextPageStart: start + limit };
  return ok({ size: values.length, limit, start, isLastPage, values, ...next });
}

const projectOf = (owner: string) => ({ key: owner, id: 1, name: owner, public: false, type: 'NORMAL' });

const named = ({ id, owner, name }: RepoRecord) => ({ id, slug: name, name, project: projectOf(owner), public: false });

export function presentRepo(world: World, repo: RepoRecord) {
  const parent = repo.parent === undefined ? undefined : world.repos.get(repo.parent.toLowerCase());
  return { ...named(repo), public: !repo.private, archived: false, ...(parent && { origin: named(parent) }) };
}

export function presentPull(world: World, repo: RepoRecord, pull: PullRequestRecord) {
  const isOwn = pull.headRepo.toLowerCase() === `${repo.owner}/${repo.name}`.toLowerCase();
  const head = isOwn ? repo : repoNamed(world, repo, pull.headRepo);
  const ref = (name: string, sha: string, of: RepoRecord) => ({
    ...{ id: `refs/heads/${name}`, displayId: name, latestCommit: sha },
    repository: named(of),
  });
  return {
    id: pull.number,
    version: 1,
    title: pull.title,
    state: pull.merged ? 'MERGED' : pull.state === 'open' ? 'OPEN' : 'DECLINED',
    open: pull.state === 'open',
    createdDate: Date.parse(pull.createdAt),
    fromRef: ref(pull.headRef, pull.headSha, head),
    toRef: ref(pull.baseRef, pull.baseSha, repo),
    ...(pull.merged && { properties: { mergeCommit: { id: pull.mergeCommitSha } } }),
  };
}

function presentCommit({ sha, parents, message }: CommitRecord) {
  return { id: sha, displayId: sha.slice(0, 11), message, parents: parents.map((id) => ({ id })) };
}

function presentComment({ id, body, login, edits }: CommentRecord) {
  return { id, version: edits, text: body, author: { name: login, slug: login.toLowerCase(), id: 1 }, comments: [] };
}

function textIn(body: unknown): string {
  return (body as { readonly text: string }).text;
}

/** Only by its whole sha: no ref, no beginning. */
function commitOf(repo: RepoRecord, sha: string): CommitRecord {
  const commit = repo.commits.get(sha);
  if (commit === undefined) throw new Refused(404, `Commit '${sha}' does not exist in repository '${repo.name}'.`);
  return commit;
}

function pullOf(repo: RepoRecord, id: string | undefined): PullRequestRecord {
  const pull = repo.pullRequests.get(Number(id));
  if (pull === undefined) throw new Refused(404, `Pull request ${id} does not exist`);
  return pull;
}

function commentOf(repo: RepoRecord, id: string | undefined): CommentRecord {
  const comment = repo.comments.get(Number(id));
  if (comment === undefined) throw new Refused(404, `Comment ${id} does not exist`);
  return comment;
}

function filesOf(world: World, repo: RepoRecord, query: URLSearchParams) {
  const [base, head] = ['since', 'until'].map((name) => commitOf(repo, query.get(name) ?? '')) as [
    CommitRecord,
    CommitRecord,
  ];
  if (base.tree === head.tree) return [];
  return filesOfRange(world, repo, { base: base.sha, head: head.sha, mergeBase: base.sha });
}

/** Other trees differ somewhere, whether or not a test spelled out where. */
function changesOf(world: World, repo: RepoRecord, query: URLSearchParams): readonly unknown[] {
  const [base, head] = ['since', 'until'].map((name) => commitOf(repo, query.get(name) ?? '')) as [
    CommitRecord,
    CommitRecord,
  ];
  if (base.tree === head.tree) return [];
  const files = filesOf(world, repo, query).map(({ filename }) => ({ path: { toString: filename }, type: 'MODIFY' }));
  return files.length > 0 ? files : [{ path: { toString: 'a.ts' }, type: 'MODIFY' }];
}
