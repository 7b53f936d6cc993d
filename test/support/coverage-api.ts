import { createHash } from 'node:crypto';
import type {
  BuildJson,
  CloseAnswer,
  FailureAnswer,
  JobAnswer,
  JobJson,
  JobPayload,
  SourceFile,
} from '@coverage/shared';
import { type EncodedBody, encodeJob, type JobEncoding } from './job-bodies.ts';

/** An answer, whatever its status. */
export interface Reply<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; `{}` if there is none. */
  readonly json: T & Partial<FailureAnswer>;
}

/** A repo as the repos API shows it. */
export interface RepoJson {
  readonly id: number;
  readonly service: string;
  readonly name: string;
  readonly token?: string;
  readonly comment_on_pull_requests: boolean;
  readonly send_build_status: boolean;
  readonly commit_status_fail_threshold: number | null;
  readonly commit_status_fail_change_threshold: number | null;
  readonly has_badge?: boolean;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface CloseRequest {
  readonly repo_token: string;
  readonly build_num?: string | number;
  readonly carryforward?: string;
}

export type Reader = { readonly token: string } | { readonly repoToken: string };

/** The server's API as a test sees it: thin, and never failing on a status. */
export interface CoverageApi {
  /** Any call below the server's address. */
  send<T>(path: string, init?: RequestInit): Promise<Reply<T>>;
  /** Fails unless the answer is 201; gives the repo with its token. */
  createRepo(
    repo: { readonly name: string; readonly service?: string } & Record<string, unknown>,
  ): Promise<RepoJson & { token: string }>;
  readRepo(name: string, service?: string): Promise<Reply<RepoJson>>;
  /** Changes settings of a repo, of GitHub unless it says otherwise; fails unless that is done. */
  changeSettings(name: string, settings: object, service?: string): Promise<void>;
  uploadJob(job: object | string, encoding?: JobEncoding): Promise<Reply<JobAnswer>>;
  uploadBody(body: EncodedBody): Promise<Reply<JobAnswer>>;
  closeBuild(close: CloseRequest): Promise<Reply<CloseAnswer>>;
  /** By id or commit sha, or by the address that a close answered. */
  buildJson(build: string, reader?: Reader): Promise<Reply<BuildJson>>;
  jobJson(job: string, reader?: Reader): Promise<Reply<JobJson>>;
}

/** A client of the server at `url`; `token` is a personal (or the administrator's) API token. */
export function coverageApi(url: string, token: string): CoverageApi {
  const send = async <T>(path: string, init: RequestInit = {}): Promise<Reply<T>> => {
    const answer = await fetch(path.startsWith('http') ? path : `${url}${path}`, init);
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, json: parse(text) };
  };
  const authorization = { authorization: `token ${token}` };
  const read = <T>(kind: 'builds' | 'jobs', which: string, reader: Reader = { token }): Promise<Reply<T>> => {
    const path = `${which.startsWith('http') ? which : `/${kind}/${which}`}.json`;
    if ('token' in reader) return send(path, { headers: { authorization: `token ${reader.token}` } });
    return send(`${path}?${new URLSearchParams({ repo_token: reader.repoToken })}`);
  };
  const uploadBody = ({ headers, body }: EncodedBody): Promise<Reply<JobAnswer>> =>
    send('/api/v1/jobs', { method: 'POST', headers, body });
  return {
    send,
    async createRepo(repo) {
      const reply = await send<{ repo: RepoJson & { token: string } }>(
        '/api/v1/repos',
        jsonPost({ repo: { service: 'github', ...repo } }, authorization),
      );
      if (reply.status !== 201) throw new Error(`The repo ${repo.name} was not created: ${reply.status} ${reply.text}`);
      return reply.json.repo;
    },
    readRepo: (name, service = 'github') => send(`/api/v1/repos/${service}/${name}`, { headers: authorization }),
    async changeSettings(name, settings, service = 'github') {
      const change = { ...jsonPost(settings, authorization), method: 'PUT' };
      const reply = await send(`/api/v1/repos/${service}/${name}/settings`, change);
      if (reply.status !== 200) throw new Error(`The settings of ${name} were not changed: ${reply.text}`);
    },
    uploadJob: (job, encoding) => uploadBody(encodeJob(job, encoding)),
    uploadBody,
    closeBuild({ repo_token, build_num, carryforward }) {
      const query = new URLSearchParams({ repo_token, ...(carryforward === undefined ? {} : { carryforward }) });
      return send(`/webhook?${query}`, jsonPost({ payload: { build_num, status: 'done' } }));
    },
    buildJson: (build, reader) => read('builds', build, reader),
    jobJson: (job, reader) => read('jobs', job, reader),
  };
}

/** A request that posts JSON. */
export function jsonPost(body: unknown, headers: Readonly<Record<string, string>> = {}): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}

function parse<T>(text: string): T {
  if (text === '') return {} as T;
  try {
    return JSON.parse(text) as T;
  } catch {
    // HTML and plain text stay readable in `text`.
    return {} as T;
  }
}

/** A commit's sha by a name that the test gives it. */
export function shaOf(name: string): string {
  return createHash('sha1').update(name).digest('hex');
}

/** A source file with its hits per line; extra fields on top. */
export function sourceFile(name: string, coverage: (number | null)[], extra: Partial<SourceFile> = {}): SourceFile {
  return {
    name,
    source_digest: createHash('md5').update(`${name} ${coverage.length}`).digest('hex'),
    coverage,
    ...extra,
  };
}

/** A job that the server takes: build 71, one file with one of two lines covered; fields given here win. */
export function job(fields: Partial<JobPayload> & { readonly repo_token: string }): JobPayload {
  const commit = fields.commit_sha ?? shaOf('commit');
  return {
    service_name: 'github-actions',
    service_number: '71',
    service_job_id: '1001',
    commit_sha: commit,
    run_at: '2030-01-02T03:04:05Z',
    git: {
      head: {
        id: commit,
        author_name: 'Mona Lisa',
        author_email: 'mona@example.com',
        committer_name: 'Mona Lisa',
        committer_email: 'mona@example.com',
        message: 'Change prices',
      },
      branch: 'main',
      remotes: [{ name: 'origin', url: 'https://github.com/acme/shop' }],
    },
    source_files: [sourceFile('src/a.ts', [1, 0, null])],
    ...fields,
  };
}
