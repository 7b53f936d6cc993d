import type {
  BuildJson,
  CloseAnswer,
  ClosePayload,
  JobAnswer,
  JobJson,
  JobPayload,
  PreviewJson,
  PreviewQuestion,
  SourceFile,
  UploadSettingsJson,
} from '@coverage/shared';
import { ActionFailure } from '../runner/failure.ts';
import type { Log } from '../runner/log.ts';
import { compress, jobText } from './encode-job.ts';
import { answerFailure, refusal } from './refusals.ts';
import { type Answer, parsedObject, type Request, type RetryingFetch } from './retrying-fetch.ts';

/** The coverage server, as the action uses it. */
export interface CoverageClient {
  /** Sends a job, encoded by `encodeJob`. */
  uploadJob(body: Uint8Array<ArrayBuffer>): Promise<JobAnswer>;
  /** Closes a build. */
  closeBuild(payload: ClosePayload): Promise<CloseAnswer>;
  /**
   * Reads a build by the URL of its page. Undefined if it can not be read: no access, no such route, an older server.
   */
  readBuild(url: string): Promise<BuildJson | undefined>;
  /** What the server wants of uploads to this repo; undefined as above, and without the repo's own token. */
  readUploadSettings(): Promise<UploadSettingsJson | undefined>;
  /** Reads a job by the URL of its page; undefined as above. */
  readJob(url: string): Promise<JobJson | undefined>;
}

/** Which server, and with which credentials. */
interface Server {
  /** May have a path; no query. */
  readonly endpoint: URL;
  /** What goes into `repo_token`; empty if none is known. */
  readonly token: string;
  /** The same where it is the repo's own; empty if it is a provider's, which may be in no address. */
  readonly readToken: string;
}

/**
 * A client of the upload API (wire.md). `send` retries for long; `read` is for what is nice to have and gives up soon.
 * Failures are `server-refused`, `server-unreachable` and `answer-not-understood`, and say what to do next.
 */
export function createCoverageClient(
  fetchers: { send: RetryingFetch; read: RetryingFetch },
  server: Server,
  log: Pick<Log, 'warning'>,
): CoverageClient {
  const { send, read } = fetchers;
  const base = withoutEndSlashes(server.endpoint.href);
  const post = async <T>(path: string, parts: Pick<Request, 'headers' | 'body'>): Promise<T> => {
    const url = new URL(base + path);
    // Beside the one in the body, which older servers read: by the header a stranger is known before the body is here.
    const headers = { ...parts.headers, ...authorization(server.token) };
    const answer = await send({ ...parts, url, shownUrl: url.href, method: 'POST', headers });
    const accepted = acceptedJson<T>(answer, url.href);
    for (const warning of readWarnings(answer.warnings)) log.warning(`The server warns: ${warning}`);
    return accepted;
  };
  const readJson = async <T>(pageUrl: string): Promise<T | undefined> => {
    const url = readingUrl(pageUrl, base);
    if (url === undefined) return undefined;
    const accept = { accept: 'application/json' };
    const asked = { url, shownUrl: url.href, method: 'GET', headers: accept } as const;
    let answer = await read({ ...asked, headers: { ...accept, ...authorization(server.token) } });
    if (answer.status === 401) {
      // An older server takes only personal tokens in the header; a public repo is read without any.
      const older = new URL(url);
      if (server.readToken !== '') older.searchParams.set('repo_token', server.readToken);
      answer = await read({ ...asked, url: older });
    }
    return answer.status === 200 ? (parsedObject(answer.text) as T | undefined) : undefined;
  };
  return {
    async uploadJob(body) {
      const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip', accept: 'application/json' };
      const answer = await post<JobAnswer>('/api/v1/jobs', { headers, body });
      // What the server warns of is in the lines after, and was logged already.
      return { ...answer, message: answer.message.split('\n', 1)[0] ?? '' };
    },
    closeBuild: (payload) =>
      post<CloseAnswer>('/webhook', {
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify(payload),
      }),
    readBuild: (url) => readJson<BuildJson>(url),
    async readUploadSettings() {
      if (server.readToken === '') return undefined;
      const url = new URL(`${base}/api/v1/upload-settings`);
      const headers = { accept: 'application/json', ...authorization(server.readToken) };
      const answer = await read({ url, shownUrl: url.href, method: 'GET', headers });
      return answer.status === 200 ? (parsedObject(answer.text) as UploadSettingsJson | undefined) : undefined;
    },
    readJob: (url) => readJson<JobJson>(url),
  };
}

/**
 * Where the JSON of a page is read. A page on the endpoint's own origin is read there. A server that is reached by an
 * inner address names its public one: then the same page is asked for at the endpoint, since the token goes to no other
 * origin.
 */
function readingUrl(pageUrl: string, base: string): URL | undefined {
  if (!URL.canParse(pageUrl)) return undefined;
  const page = new URL(pageUrl);
  page.search = '';
  page.hash = '';
  if (page.origin === new URL(base).origin) {
    page.pathname = `${withoutEndSlashes(page.pathname)}.json`;
    return page;
  }
  const path = /\/(?:builds|jobs)\/[^/]+$/.exec(page.pathname)?.[0];
  return path === undefined ? undefined : new URL(`${base}${path}.json`);
}

/** None for a token that no header can hold: the body has it anyway. */
function authorization(token: string): { readonly authorization?: string } {
  return /^[\x21-\x7e]+$/.test(token) ? { authorization: `Bearer ${token}` } : {};
}

function readWarnings(header = ''): string[] {
  try {
    const warnings: unknown = JSON.parse(decodeURIComponent(header));
    return Array.isArray(warnings) ? warnings.filter((warning) => typeof warning === 'string') : [];
  } catch {
    return [];
  }
}

/** The address of a server as it names itself. */
export function withoutEndSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end -= 1;
  return text.slice(0, end);
}

function acceptedJson<T>(answer: Answer, url: string): T {
  if (answer.status < 200 || answer.status > 299) throw refusal(answer, url);
  const value = parsedObject(answer.text);
  if (value === undefined || typeof (value as { url?: unknown }).url !== 'string') throw answerFailure(answer, url);
  if ((value as { error?: unknown }).error) {
    throw new ActionFailure(
      'server-refused',
      `${url} answered ${answer.status} with an error: ${answer.text.slice(0, 300)}`,
    );
  }
  return value as T;
}

/** Which server, with which credentials, and which repo. */
interface PreviewServer {
  readonly endpoint: string;
  readonly token: string;
  /** `<service>/<owner>/<name>`; undefined: the one of the repo token. */
  readonly repo: string | undefined;
}

/** One job of a preview. */
export interface PreviewJob {
  readonly flag: string | undefined;
  readonly files: readonly SourceFile[];
  readonly leftOut: JobPayload['left_out'];
}

/** Asks which verdict a pull request will get. Throws the failures of an upload. */
export type AskPreview = (question: PreviewQuestion, jobs: readonly PreviewJob[]) => Promise<PreviewJson>;

export function createAskPreview(send: RetryingFetch, { endpoint, token, repo }: PreviewServer): AskPreview {
  const url = new URL(`${withoutEndSlashes(endpoint)}/api/v1/preview`);
  if (repo !== undefined) url.searchParams.set('repo', repo);
  const headers = {
    'content-type': 'application/x-ndjson',
    'content-encoding': 'gzip',
    accept: 'application/json',
    authorization: `Bearer ${token}`,
  };
  return async (question, jobs) => {
    const body = await compress(previewText(question, jobs));
    const answer = await send({ url, shownUrl: url.href, method: 'POST', headers, body });
    if (answer.status !== 200) throw refusal(answer, url.href);
    const preview = parsedObject(answer.text) as PreviewJson | undefined;
    if (preview?.verdict === undefined) throw answerFailure(answer, url.href);
    return preview;
  };
}

function* previewText(question: PreviewQuestion, jobs: readonly PreviewJob[]): Generator<string> {
  yield JSON.stringify(question);
  for (const { flag, files, leftOut } of jobs) {
    yield '\n';
    yield* jobText({ parallel: true, flag_name: flag, left_out: leftOut }, files);
  }
}
