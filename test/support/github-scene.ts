import {
  type GithubStandIn,
  type GithubStandInOptions,
  startGithubStandIn,
} from './github-stand-in/github-stand-in.ts';
import type { HostSetUp } from './github-stand-in/host-set-up.ts';

/** The commits of the scene: `base` on main, `head` of pull request 7, and their temporary merge. */
export const base = 'b'.repeat(40);
export const head = 'a'.repeat(40);
export const merge = 'c'.repeat(40);
/** Path of the scene's repo, `acme/shop`. */
export const repo = '/repos/acme/shop';

/** A stand-in with one repo, one commit on main and one pull request, number 7. */
export async function startScene(options: GithubStandInOptions = {}): Promise<GithubStandIn> {
  const github = await startGithubStandIn(options);
  setUpScene(github);
  return github;
}

/** The same at any host. */
export function setUpScene(host: HostSetUp): void {
  host.addRepo('acme/shop');
  host.addCommit('acme/shop', { sha: base, branch: 'main', message: 'Add prices' });
  host.addPullRequest('acme/shop', {
    number: 7,
    headSha: head,
    baseRef: 'main',
    mergeCommitSha: merge,
    files: [
      { filename: 'web/cart.js', status: 'modified', additions: 2, deletions: 1, patch: '@@ -1 +1,2 @@\n-a\n+b\n+c' },
    ],
  });
}

export interface CallOptions {
  /** Default: POST with a body, else GET. */
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: the stand-in's first token; `null` sends none. */
  readonly token?: string | null;
  readonly signal?: AbortSignal;
}

export interface CallResult {
  readonly status: number;
  readonly headers: Headers;
  /** The answer's JSON; `{}` without a body. */
  readonly json: Record<string, unknown> & Record<string, unknown>[];
}

/** One call of the API by plain fetch. */
export async function call(github: GithubStandIn, path: string, options: CallOptions = {}): Promise<CallResult> {
  const { token = github.token, body, signal } = options;
  const answer = await fetch(`${github.url}${path}`, {
    method: options.method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(token === null ? {} : { authorization: `token ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, json: text === '' ? {} : JSON.parse(text) };
}
