import { filesOfPullRequest, filesOfRange } from '../github-stand-in/diff.ts';
import { ancestry, compareCommits, resolveRef } from '../github-stand-in/history.ts';
import { type PullRequestRecord, personOf, type RepoRecord, repoNamed, timestamp } from '../github-stand-in/model.ts';
import type { RestAnswer } from '../rest-stand-in/rest-server.ts';
import { type GitlabRequest, type GitlabWorld, Refused } from './model.ts';
import { presentChange, presentCommit, presentDiff, presentPipeline, presentProject, rawDiff } from './present.ts';
import { isOwn, jobsOf, present, setStatus } from './statuses.ts';

/** A GitLab of one's own lists no more files of a comparison. */
const MAX_FILES = 1_000;
const MAINTAINER = 40;

type Answer = RestAnswer | Promise<RestAnswer>;
export interface Operation {
  /** `<method> <path below /projects/:id>`; `:x` stands for one part. */
  readonly on: string;
  /** The fields that it takes in its query and in its body: a cut of GitLab's own description. */
  readonly query?: readonly string[];
  readonly body?: readonly string[];
  readonly answer: (gitlab: GitlabWorld, repo: RepoRecord, asked: GitlabRequest, parts: readonly string[]) => Answer;
}

export const PAGE = ['page', 'per_page'];

/** What is asked about a project: those operations of GitLab's OpenAPI description that the adapter uses. */
export const OF_PROJECT: readonly Operation[] = [
  { on: 'GET ', answer: ({ world }, repo, { caller }) => ok(presentProject(world, repo, accessOf(repo, caller))) },
  {
    on: 'POST /statuses/:sha',
    body: ['state', 'name', 'context', 'description', 'target_url', 'ref', 'pipeline_id', 'coverage'],
    answer: (gitlab, repo, asked, [sha = '']) => setStatus(gitlab, repo, sha, asked),
  },
  {
    on: 'GET /repository/commits/:sha/statuses',
    query: [...PAGE, 'name', 'ref', 'pipeline_id', 'all', 'stage'],
    answer: (gitlab, repo, { query }, [sha = '']) => {
      if (!repo.commits.has(sha)) throw new Refused(404, '404 Commit Not Found');
      const named = jobsOf(gitlab, repo, sha).filter(({ name }) => (query.get('name') ?? name) === name);
      return page(named.map(present), query);
    },
  },
  {
    on: 'GET /merge_requests/:iid/notes',
    query: [...PAGE, 'sort', 'order_by'],
    answer: ({ world }, repo, { query }, [iid]) => {
      changeOf(repo, iid);
      const notes = [...repo.comments.values()].filter((one) => one.pullRequest === Number(iid));
      const entries = notes.map(({ id, body, login }) => ({
        id,
        body,
        system: false,
        author: { id: personOf(world, login).id, username: login },
      }));
      // What GitLab itself says is in the same list.
      const system = { id: 1, body: 'changed the description', system: true, author: { id: 1, username: 'root' } };
      return page([system, ...entries], query);
    },
  },
  {
    on: 'POST /merge_requests/:iid/notes',
    body: ['body'],
    answer: ({ world }, repo, { body, caller }, [iid]) => {
      if (changeOf(repo, iid).locked) throw new Refused(403, '403 Forbidden');
      const at = timestamp(world.now());
      const id = world.nextId('comment');
      const note = { id, pullRequest: Number(iid), login: caller.username, body: String(body.body) };
      repo.comments.set(id, { ...note, createdAt: at, updatedAt: at, edits: 0 });
      return { status: 201, body: { id, body: body.body } };
    },
  },
  {
    on: 'PUT /merge_requests/:iid/notes/:id',
    body: ['body'],
    answer: (_, repo, { body }, [, id]) => {
      const note = repo.comments.get(Number(id));
      if (note === undefined) throw new Refused(404, '404 Not Found');
      repo.comments.set(note.id, { ...note, body: String(body.body), edits: note.edits + 1 });
      return ok({ id: note.id, body: body.body });
    },
  },
  {
    on: 'GET /merge_requests',
    query: [...PAGE, 'state', 'source_branch', 'order_by', 'sort'],
    answer: ({ world }, repo, { query }) => {
      const [state, branch] = [query.get('state'), query.get('source_branch')];
      const changes = [...repo.pullRequests.values()]
        .toSorted((a, b) => b.number - a.number)
        .filter((pull) => branch === null || pull.headRef === branch)
        .map((pull) => presentChange(world, repo, pull))
        .filter((change) => state === null || state === 'all' || change.state === state);
      return page(changes, query);
    },
  },
  {
    on: 'GET /merge_requests/:iid',
    answer: ({ world }, repo, _, [iid]) => ok(presentChange(world, repo, changeOf(repo, iid))),
  },
  {
    on: 'GET /merge_requests/:iid/raw_diffs',
    answer: ({ world }, repo, _, [iid]) => ({
      status: 200,
      bytes: Buffer.from(rawDiff(filesOfPullRequest(world, repo, changeOf(repo, iid)))),
    }),
  },
  {
    on: 'GET /repository/commits',
    query: [...PAGE, 'ref_name', 'first_parent'],
    answer: (_, repo, { query }) => {
      const commits = [];
      let next = resolveRef(repo, query.get('ref_name') ?? '');
      if (next === undefined) throw new Refused(404, '404 Commit Not Found');
      for (let commit = repo.commits.get(next); commit !== undefined; commit = repo.commits.get(next ?? '')) {
        commits.push(presentCommit(commit));
        next = commit.parents[0];
      }
      return page(commits, query);
    },
  },
  {
    on: 'GET /repository/commits/:sha',
    query: ['stats'],
    answer: (_, repo, __, [sha = '']) => {
      const commit = repo.commits.get(sha);
      if (commit === undefined) throw new Refused(404, '404 Commit Not Found');
      return ok(presentCommit(commit));
    },
  },
  {
    on: 'GET /repository/commits/:sha/refs',
    query: [...PAGE, 'type'],
    answer: (_, repo, { query }, [sha = '']) => {
      if (!repo.commits.has(sha)) throw new Refused(404, '404 Commit Not Found');
      const holding = [...repo.branches].filter(([, head]) => ancestry(repo, head).includes(sha));
      return page(
        holding.map(([name]) => ({ type: 'branch', name })),
        query,
      );
    },
  },
  {
    on: 'GET /repository/branches/:name',
    answer: (_, repo, __, [name = '']) => {
      const head = repo.branches.get(name);
      if (head === undefined) throw new Refused(404, '404 Branch Not Found');
      return ok({ name, commit: { id: head } });
    },
  },
  {
    on: 'GET /repository/merge_base',
    query: ['refs[]'],
    answer: (_, repo, { query }) => {
      const [base, head] = query.getAll('refs[]').map((ref) => resolveRef(repo, ref));
      if (base === undefined || head === undefined) throw new Refused(400, 'Could not find ref');
      const mergeBase = compareCommits(repo, base, head)?.mergeBase;
      if (mergeBase === undefined) throw new Refused(404, '404 Merge Base Not Found');
      return ok({ id: mergeBase });
    },
  },
  {
    on: 'GET /repository/compare',
    query: ['from', 'to', 'straight', 'unidiff'],
    answer: (gitlab, repo, { query }) => compare(gitlab, repo, query),
  },
  { on: 'HEAD /repository/files/:path', query: ['ref'], answer: (_, repo, asked, [path]) => file(repo, asked, path) },
  {
    on: 'GET /repository/files/:path/raw',
    query: ['ref'],
    answer: (_, repo, asked, [path]) => file(repo, asked, path),
  },
  {
    on: 'GET /pipelines',
    query: [...PAGE, 'sha', 'order_by', 'sort', 'scope', 'status'],
    answer: (gitlab, repo, { query }) => {
      const sha = query.get('sha');
      const own = [...repo.runs.values()].filter((run) => isOwn(repo, run.headRepo));
      const external = gitlab.external.filter(({ repoId }) => repoId === repo.id);
      const all = [
        ...own.map((run) => presentPipeline(gitlab.world, repo, run)),
        ...external.map((one) => ({ ...one, status: 'running', source: 'external' })),
      ];
      const asked = all.filter((one) => sha === null || one.sha === sha);
      return page(
        asked.toSorted((a, b) => b.id - a.id),
        query,
      );
    },
  },
  {
    on: 'GET /pipelines/:id',
    answer: ({ world }, repo, _, [id]) => {
      const run = repo.runs.get(Number(id));
      if (run === undefined || !isOwn(repo, run.headRepo)) throw new Refused(404, '404 Not found');
      return ok(presentPipeline(world, repo, run));
    },
  },
];

function compare(gitlab: GitlabWorld, repo: RepoRecord, query: URLSearchParams): RestAnswer {
  const [base, head] = ['from', 'to'].map((name) => resolveRef(repo, query.get(name) ?? ''));
  if (base === undefined || head === undefined) throw new Refused(404, '404 Ref Not Found');
  const isStraight = query.get('straight') === 'true';
  const from = isStraight ? base : (compareCommits(repo, base, head)?.mergeBase ?? base);
  const isSame = repo.commits.get(from)?.tree === repo.commits.get(head)?.tree;
  const files = isSame ? [] : filesOfRange(gitlab.world, repo, { base: from, head, mergeBase: from });
  return ok({
    diffs: files.slice(0, MAX_FILES).map(presentDiff),
    compare_timeout: false,
    compare_same_ref: base === head,
  });
}

function file(repo: RepoRecord, { query }: GitlabRequest, path = ''): RestAnswer {
  const bytes = repo.files.get(`${query.get('ref')}:${path}`);
  if (bytes === undefined) throw new Refused(404, '404 File Not Found');
  return { status: 200, bytes, headers: { 'x-gitlab-size': String(bytes.length) } };
}

function changeOf(repo: RepoRecord, iid: string | undefined): PullRequestRecord {
  const pull = repo.pullRequests.get(Number(iid));
  if (pull === undefined) throw new Refused(404, '404 Not found');
  return pull;
}

export function accessOf(repo: RepoRecord, { access }: GitlabRequest['caller']): number {
  return access === undefined ? MAINTAINER : (access[`${repo.owner}/${repo.name}`.toLowerCase()] ?? 0);
}

export function ok(body: unknown): RestAnswer {
  return { status: 200, body };
}

/** Pages count from 1; `x-next-page` is empty on the last. */
export function page(entries: readonly unknown[], query: URLSearchParams): RestAnswer {
  const size = Math.min(Number(query.get('per_page') ?? 20), 100);
  const number = Number(query.get('page') ?? 1);
  const next = entries.length > number * size ? String(number + 1) : '';
  return { status: 200, body: entries.slice((number - 1) * size, number * size), headers: { 'x-next-page': next } };
}

/** What is asked about no project. */
export function answerElsewhere(gitlab: GitlabWorld, asked: GitlabRequest): RestAnswer | undefined {
  const { world, running } = gitlab;
  const { caller, jobToken } = asked;
  switch (`${asked.method} ${asked.path}`) {
    case 'GET /user':
      return ok({ id: caller.id, username: caller.username });
    case 'GET /personal_access_tokens/self':
      return ok({
        id: 1,
        name: 'coverage',
        scopes: caller.scopes,
        expires_at: caller.endsOn ?? null,
        active: true,
        revoked: false,
      });
    case 'GET /version':
      return ok({ version: `${gitlab.major}.4.0-ee`, revision: 'abc' });
    case 'GET /projects':
      return page(
        [...world.repos.values()]
          .filter((repo) => accessOf(repo, caller) > 0)
          .map((repo) => presentProject(world, repo, accessOf(repo, caller))),
        asked.query,
      );
    case 'GET /job': {
      const job = jobToken === undefined ? undefined : running.get(jobToken);
      if (job === undefined || job.status !== 'running') throw new Refused(404, '404 Job Not Found');
      const project = world.repos.get(job.repo.toLowerCase());
      const { pipeline: id, sha, ref, source, status } = job;
      return ok({
        id: 77,
        status,
        ref,
        commit: { id: sha },
        pipeline: { id, project_id: project?.id, ref, sha, status, source },
        user: { id: 5, username: 'mona' },
        web_url: `${gitlab.world.apiUrl}/${job.repo}/-/jobs/77`,
      });
    }
    default:
      return undefined;
  }
}

/** A project by number or path; a path that it had before leads there by a redirect. */
export function findProject(gitlab: GitlabWorld, key: string): RepoRecord | { readonly movedTo: number } {
  const { world } = gitlab;
  const all = [...world.repos.values()];
  if (/^\d+$/.test(key)) {
    const found = all.find(({ id }) => id === Number(key));
    if (found !== undefined) return found;
    throw new Refused(404, '404 Project Not Found');
  }
  const found = world.repos.get(key.toLowerCase());
  if (found !== undefined) return found;
  const moved = world.moved.get(key.toLowerCase());
  if (moved !== undefined && all.some(({ id }) => id === moved)) return { movedTo: moved };
  // A fork that only merge requests name.
  const holder = all.find((repo) => [...repo.pullRequests.values()].some(({ headRepo }) => headRepo === key));
  if (holder !== undefined) return repoNamed(world, holder, key);
  throw new Refused(404, '404 Project Not Found');
}
