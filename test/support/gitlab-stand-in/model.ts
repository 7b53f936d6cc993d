import type { World } from '../github-stand-in/model.ts';
import { Refused as RefusedAnswer } from '../rest-stand-in/rest-server.ts';

/** What only GitLab has, beside the repos, merge requests and notes that every host has. */
export interface GitlabWorld {
  readonly world: World;
  readonly jobs: StatusJob[];
  /** Pipelines that statuses made. */
  readonly external: ExternalPipeline[];
  readonly callers: Map<string, GitlabCaller>;
  readonly running: Map<string, RunningJob>;
  /** By the code, or the refresh token, that is exchanged. */
  readonly grants: Map<string, Grant>;
  readonly hooks: HookRecord[];
  /** Commits of which a status is being set. */
  readonly locks: Set<string>;
  /** For its version. */
  readonly major: number;
  nextId: number;
}

/** A commit status: a job of a pipeline. */
export interface StatusJob {
  readonly id: number;
  readonly repoId: number;
  readonly sha: string;
  readonly ref: string;
  readonly pipelineId: number;
  readonly name: string;
  readonly user: string;
  status: string;
  description: string | null;
  targetUrl: string | null;
}

/** A webhook, with what GitLab never shows of it. */
export interface HookRecord {
  readonly id: number;
  readonly repoId: number;
  readonly fields: Record<string, unknown>;
}

export interface ExternalPipeline {
  readonly id: number;
  readonly repoId: number;
  readonly sha: string;
  readonly ref: string;
}

export interface GitlabCaller {
  readonly id: number;
  readonly username: string;
  readonly scopes: readonly string[];
  /** Level by the name of the project in lower case; undefined: Maintainer everywhere. */
  readonly access?: Readonly<Record<string, number>>;
  /** The day on which its token ends. */
  readonly endsOn?: string;
  /** Projects that it does not see, whatever else it may do. */
  readonly hidden?: readonly string[];
}

/** The job that a CI_JOB_TOKEN is of. */
export interface RunningJob {
  readonly repo: string;
  readonly pipeline: number;
  readonly sha: string;
  readonly ref: string;
  readonly source: string;
  readonly status: string;
}

export interface Grant {
  readonly token: string;
  readonly challenge: string | undefined;
  readonly redirectUri: string;
}

/** What one request says. */
export interface GitlabRequest {
  readonly method: string;
  /** Below `/api/v4`, as it was sent. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
  readonly caller: GitlabCaller;
  readonly jobToken: string | undefined;
}

/** An answer that ends an operation. */
export class Refused extends RefusedAnswer {
  constructor(status: number, message: unknown) {
    super(status, { message });
  }
}
