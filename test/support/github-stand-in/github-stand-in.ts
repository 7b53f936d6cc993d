import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createFaults, type Faults } from './faults.ts';
import { createListener } from './listener.ts';
import type {
  Caller,
  ChangedFile,
  CommentRecord,
  CommitRecord,
  PullRequestRecord,
  RepoRecord,
  RunRecord,
  StatusRecord,
  World,
} from './model.ts';
import { createWorld } from './model.ts';
import type { Violation } from './openapi-check.ts';
import { createRateLimit } from './rate-limit.ts';
import { createRequestLog, type LoggedRequest } from './request-log.ts';
import * as setUp from './set-up.ts';

export interface GithubStandInOptions {
  /** Who may call, by token. Default: `stand-in-token` of the user `coverage-bot`, who may write. */
  readonly tokens?: Readonly<Record<string, Caller>>;
  /** Path before the API's own, as on a GitHub Enterprise server: `/api/v3`. */
  readonly basePath?: string;
  /** Calls per token and hour. */
  readonly hourlyLimit?: number;
  /** ms since 1970. */
  readonly now?: () => number;
}

/** GitHub's REST API on a port of its own. Repos are named `<owner>/<name>`. */
export interface GithubStandIn {
  /** To be given as GITHUB_API_URL. */
  readonly url: string;
  /** The first token of the options. */
  readonly token: string;
  readonly faults: Faults;
  addRepo(repo: string, setUp?: setUp.RepoSetUp): void;
  addCommit(repo: string, commit: setUp.CommitSetUp): CommitRecord;
  addPullRequest(repo: string, pullRequest: setUp.PullRequestSetUp): PullRequestRecord;
  addRun(repo: string, run: setUp.RunSetUp): RunRecord;
  /** A comment that somebody wrote by hand. */
  addComment(
    repo: string,
    comment: { readonly pullRequest: number; readonly login: string; readonly body: string },
  ): CommentRecord;
  /** Deletes a comment as a person does on the page. */
  removeComment(repo: string, id: number): void;
  removeRepo(repo: string): void;
  /** The files that comparing two commits lists. */
  setComparedFiles(repo: string, base: string, head: string, files: readonly ChangedFile[]): void;
  /** All statuses of a commit, in the order in which they were set. */
  statuses(repo: string, sha: string): readonly StatusRecord[];
  /** The last status of each context of a commit, by the context as it was last written (case does not tell contexts apart). */
  lastStatuses(repo: string, sha: string): ReadonlyMap<string, StatusRecord>;
  comments(repo: string, pullRequest: number): readonly CommentRecord[];
  requests(): readonly LoggedRequest[];
  /** Differences from GitHub's OpenAPI description; a test asserts that there are none. */
  violations(): readonly Violation[];
  /** Cuts all connections and ends. */
  close(): Promise<void>;
}

const defaultTokens: Readonly<Record<string, Caller>> = {
  'stand-in-token': { login: 'coverage-bot', kind: 'user', access: 'write' },
};

/** Starts an empty GitHub on a free port of 127.0.0.1. */
export async function startGithubStandIn(options: GithubStandInOptions = {}): Promise<GithubStandIn> {
  const { tokens = defaultTokens, basePath = '', hourlyLimit = 5000, now = Date.now } = options;
  const world = createWorld(now);
  const log = createRequestLog();
  const violations: Violation[] = [];
  const { faults, pick } = createFaults();
  const api = {
    world,
    callers: new Map(Object.entries(tokens)),
    rateLimit: createRateLimit({ limit: hourlyLimit, now }),
    report: (violation: Violation): void => void violations.push(violation),
  };
  const server = createServer(createListener({ api, log, pickFault: pick, basePath }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  world.apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}${basePath}`;
  return {
    url: world.apiUrl,
    token: Object.keys(tokens)[0] ?? '',
    faults,
    ...settersOf(world),
    ...gettersOf(world),
    requests: log.all,
    violations: () => [...violations],
    close: () => end(server),
  };
}

type Setters = Pick<
  GithubStandIn,
  'addRepo' | 'addCommit' | 'addPullRequest' | 'addRun' | 'addComment' | 'removeComment' | 'removeRepo' | 'setComparedFiles'
>;

function settersOf(world: World): Setters {
  return {
    addRepo: (repo, setting) => void setUp.addRepo(world, repo, setting),
    addCommit: (repo, commit) => setUp.addCommit(world, repoOf(world, repo), commit),
    addPullRequest: (repo, pullRequest) => setUp.addPullRequest(world, repoOf(world, repo), pullRequest),
    addRun: (repo, run) => setUp.addRun(world, repoOf(world, repo), run),
    addComment: (repo, comment) => setUp.addComment(world, repoOf(world, repo), comment),
    removeComment: (repo, id) => void repoOf(world, repo).comments.delete(id),
    removeRepo: (repo) => void world.repos.delete(repo.toLowerCase()),
    setComparedFiles: (repo, base, head, files) => void repoOf(world, repo).comparedFiles.set(`${base}...${head}`, files),
  };
}

function gettersOf(world: World): Pick<GithubStandIn, 'statuses' | 'lastStatuses' | 'comments'> {
  const statuses = (repo: string, sha: string): StatusRecord[] =>
    repoOf(world, repo).statuses.filter((status) => status.sha === sha);
  return {
    statuses,
    lastStatuses(repo, sha) {
      const last = new Map(statuses(repo, sha).map((status) => [status.context.toLowerCase(), status]));
      return new Map([...last.values()].map((status) => [status.context, status]));
    },
    comments: (repo, number) => [...repoOf(world, repo).comments.values()].filter(({ pullRequest }) => pullRequest === number),
  };
}

function repoOf(world: World, name: string): RepoRecord {
  const repo = world.repos.get(name.toLowerCase());
  if (!repo) throw new Error(`The stand-in has no repo ${name}: addRepo first`);
  return repo;
}

function end(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
