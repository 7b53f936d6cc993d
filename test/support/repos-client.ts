import { type HttpApp, jsonRequest } from './http-app.ts';

/** A repo as its creation answered it, with the path that reads it. */
export interface MadeRepo {
  readonly id: number;
  readonly name: string;
  readonly token: string;
  readonly path: string;
  readonly [field: string]: unknown;
}

/** What every repo of a test has, unless it says otherwise: the app's clock shows this second. */
export const REPO_DEFAULTS = {
  comment_on_pull_requests: true,
  send_build_status: true,
  commit_status_fail_threshold: null,
  commit_status_fail_change_threshold: null,
  created_at: '2026-01-02T03:04:05Z',
  updated_at: '2026-01-02T03:04:05Z',
};

let made = 0;

/** A name that no repo has yet. */
export function newRepoName(): string {
  made += 1;
  return `acme/app-${made}`;
}

/** Speaks JSON with the repos API of an app. */
export function reposClient(app: HttpApp) {
  async function send(method: string, path: string, token: string | undefined, body?: unknown) {
    const response = await app.fetch(path, jsonRequest(method, token, body));
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: text === '' ? undefined : JSON.parse(text),
    };
  }
  return {
    send,
    /** Makes a manual repo, or another one. */
    async putRepo(token: string, repo: object = {}): Promise<MadeRepo> {
      const { status, json } = await send('POST', '/api/v1/repos', token, {
        repo: { service: 'manual', name: newRepoName(), ...repo },
      });
      if (status !== 201) throw new Error(`no repo was made: ${status} ${JSON.stringify(json)}`);
      return { ...json.repo, path: `/api/v1/repos/${json.repo.service}/${json.repo.name}` };
    },
    makePublic: (repoId: number) =>
      app.store.repos.update({ repoId, settings: { visibility: 'public' }, at: app.time.now }),
  };
}
