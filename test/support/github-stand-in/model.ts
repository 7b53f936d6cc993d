import { type AppRecord, type Apps, createApps, type InstallationRecord } from './apps.ts';
import { createIdTokenIssuer, type IdTokenIssuer } from './id-tokens.ts';
import type { SentManifest } from './manifest-flow.ts';
import { createOauth, type Oauth, type Permissions } from './oauth.ts';

/** What the stand-in knows: plain records in maps, changed by the test's set-up methods and by the API's operations. */

/** An account of the stand-in, by login. */
export interface Person {
  readonly login: string;
  readonly id: number;
  readonly type: 'User' | 'Bot';
}

/** Whose token it is and what it may do. */
export interface Caller {
  readonly login: string;
  /** An installation token (the workflow's own GITHUB_TOKEN is one) cannot ask who it is: GET /user answers 403. */
  readonly kind: 'user' | 'installation' | 'app';
  readonly access: 'read' | 'write';
  /** For a classic token. */
  readonly scopes?: readonly string[];
  /** For an App that the stand-in knows: signed by it, or a token of one of its installations. */
  readonly app?: AppRecord;
  readonly installation?: InstallationRecord;
  /** Names of the repos that the token covers: others are not listed, and private ones not shown. Default: all. */
  readonly repos?: readonly string[];
  /** For a person who signed in: what they may do in which repos. */
  readonly permissions?: Permissions;
}

/** What somebody may do in a repo; each includes those after it. */
export type Permission = 'admin' | 'maintain' | 'push' | 'triage' | 'pull';

export interface CommitRecord {
  readonly sha: string;
  readonly parents: readonly string[];
  readonly message: string;
  /** Sha of the tree; equal trees mean equal content. */
  readonly tree: string;
  readonly authorName: string;
  readonly authorEmail: string;
  /** ISO 8601, whole seconds. */
  readonly date: string;
}

/** One changed file, as pull request files and comparisons list it. */
/** As git writes it: a file, a link, a submodule. */
export type GitMode = '100644' | '120000' | '160000';

export interface ChangedFile {
  readonly filename: string;
  readonly status: 'added' | 'removed' | 'modified' | 'renamed' | 'copied' | 'changed';
  readonly additions: number;
  readonly deletions: number;
  /** The unified diff's hunks; GitHub leaves it out for binary and very large files. */
  readonly patch?: string;
  readonly previousFilename?: string;
  /** By default that of a file. GitHub does not say it. */
  readonly mode?: GitMode;
  /** For its content; by default the commit's sha stands for it. */
  readonly blob?: string;
}

export interface PullRequestRecord {
  readonly number: number;
  readonly title: string;
  readonly login: string;
  readonly headSha: string;
  readonly headRef: string;
  /** `<owner>/<name>` that holds the head; another name than the repo's own means a fork. */
  readonly headRepo: string;
  readonly baseRef: string;
  readonly baseSha: string;
  /** The temporary merge commit, or null while GitHub has none. */
  readonly mergeCommitSha: string | null;
  readonly state: 'open' | 'closed';
  /** When it was opened. */
  readonly createdAt: string;
  readonly merged: boolean;
  readonly locked: boolean;
  /** Undefined: what the diff between its merge base and its head holds. */
  readonly files: readonly ChangedFile[] | undefined;
}

export type StatusState = 'error' | 'failure' | 'pending' | 'success';

export interface StatusRecord {
  readonly id: number;
  readonly sha: string;
  readonly state: StatusState;
  readonly context: string;
  readonly description: string | null;
  readonly targetUrl: string | null;
  /** Who set it. */
  readonly login: string;
  readonly createdAt: string;
}

export interface CommentRecord {
  readonly id: number;
  readonly pullRequest: number;
  readonly login: string;
  readonly body: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** How often its text was replaced. */
  readonly edits: number;
  /** The App that wrote it. */
  readonly app?: AppRecord | undefined;
}

/** A run of a workflow. */
export interface RunRecord {
  readonly id: number;
  readonly runNumber: number;
  readonly attempt: number;
  readonly event: string;
  readonly status: 'queued' | 'waiting' | 'in_progress' | 'completed';
  /** For a completed run; default `success`. */
  readonly conclusion:
    | 'success'
    | 'failure'
    | 'cancelled'
    | 'skipped'
    | 'timed_out'
    | 'startup_failure'
    | 'neutral'
    | 'stale'
    /** For a fork's run that nobody has approved. */
    | 'action_required';
  readonly headSha: string;
  readonly headBranch: string;
  /** `<owner>/<name>` that holds the head; another name than the repo's own means a fork. */
  readonly headRepo: string;
  readonly actor: string;
  readonly createdAt: string;
  /** For a completed run: when it ended. */
  readonly updatedAt: string;
}

export interface AnnotationRecord {
  readonly path: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly annotation_level: string;
  readonly message: string;
}

export interface CheckRunRecord {
  readonly id: number;
  readonly sha: string;
  readonly name: string;
  readonly status: string;
  readonly conclusion: string | null;
  readonly detailsUrl: string | null;
  /** What its maker calls it. */
  readonly externalId: string;
  readonly title: string | null;
  readonly summary: string | null;
  /** For all calls, in their order. */
  readonly annotations: readonly AnnotationRecord[];
}

/** The files that differ between two commits; asked with their merge base and the head of a comparison. */
export type DiffSource = (base: string, head: string) => readonly ChangedFile[];

export interface RepoRecord {
  readonly id: number;
  readonly owner: string;
  readonly name: string;
  readonly private: boolean;
  readonly defaultBranch: string;
  readonly createdAt: string;
  readonly branches: Map<string, string>;
  readonly commits: Map<string, CommitRecord>;
  readonly pullRequests: Map<number, PullRequestRecord>;
  /** In the order in which they were set. */
  readonly statuses: StatusRecord[];
  /** By id, in the order in which they were made. */
  readonly comments: Map<number, CommentRecord>;
  /** Files of a comparison, by `<base sha>...<head sha>`. */
  readonly comparedFiles: Map<string, readonly ChangedFile[]>;
  readonly runs: Map<number, RunRecord>;
  readonly checkRuns: Map<number, CheckRunRecord>;
  /** Contents of files, by `<sha of the commit>:<path>`. */
  readonly files: Map<string, Buffer>;
  /** Among those that are no plain files, by the same keys. */
  readonly modes: Map<string, GitMode>;
  /** `<owner>/<name>` of the repo that it is a fork of. */
  readonly parent: string | undefined;
  /** Statuses that have to pass before a merge, by branch. */
  readonly required: Map<string, readonly string[]>;
  /** The same by a ruleset, which GitHub keeps apart. */
  readonly ruled: Map<string, readonly string[]>;
}

/** Everything, shared by all operations. */
export interface World {
  /** By lower-case `<owner>/<name>`: GitHub ignores case. */
  readonly repos: Map<string, RepoRecord>;
  readonly people: Map<string, Person>;
  /** Ids of repos by a name that they had before, in lower case. */
  readonly moved: Map<string, number>;
  readonly apps: Apps;
  readonly oauth: Oauth;
  readonly idTokens: IdTokenIssuer;
  /** What forms asked for, by the code that is exchanged for the App. */
  readonly manifests: Map<string, SentManifest>;
  /** For the Apps that were made so, in their order. */
  readonly webhookSecrets: string[];
  /** Their private keys and client secrets. */
  readonly appSecrets: string[];
  /** By the repo's id: where diffs come from that no test spelled out. */
  readonly diffs: Map<number, DiffSource>;
  /** The API's own address, without a slash at the end; known once it listens. */
  apiUrl: string;
  /** ms since 1970. */
  readonly now: () => number;
  /** The next number of a series. */
  readonly nextId: (
    series: 'repo' | 'person' | 'status' | 'comment' | 'run' | 'check' | 'installation' | 'app',
  ) => number;
}

// As large as GitHub's own: anybody who keeps them in 32 bits fails here too.
const firstIds = {
  repo: 3_000_000_001,
  person: 200_000_001,
  status: 38_000_000_001,
  comment: 2_600_000_001,
  run: 12_000_000_001,
  check: 26_000_000_001,
  installation: 60_000_001,
  app: 900_001,
};

/** An empty GitHub. */
export function createWorld(now: () => number): World {
  const next = { ...firstIds };
  const nextId: World['nextId'] = (series) => next[series]++;
  return {
    repos: new Map(),
    people: new Map(),
    moved: new Map(),
    diffs: new Map(),
    apps: createApps(),
    oauth: createOauth(),
    idTokens: createIdTokenIssuer(),
    manifests: new Map(),
    webhookSecrets: [],
    appSecrets: [],
    apiUrl: '',
    now,
    nextId,
  };
}

/** A repo by its name; one that holds a fork's head need not be known, and has another id than the repo then. */
export function repoNamed(world: World, repo: RepoRecord, fullName: string): RepoRecord {
  const known = world.repos.get(fullName.toLowerCase());
  if (known) return known;
  const [owner = '', name = ''] = fullName.split('/');
  return { ...repo, owner, name, id: repo.id + 500_000 };
}

/** The account of a login, made at its first mention. */
export function personOf(world: World, login: string): Person {
  const known = world.people.get(login.toLowerCase());
  if (known) return known;
  const person: Person = { login, id: world.nextId('person'), type: login.endsWith('[bot]') ? 'Bot' : 'User' };
  world.people.set(login.toLowerCase(), person);
  return person;
}

/** GitHub's timestamps have whole seconds. */
export function timestamp(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d{3}Z$/, 'Z');
}
