import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRetryingFetches, type Runtime } from '../../api/retrying-fetch.ts';
import { ActionFailure } from '../../runner/failure.ts';

/** Answers of a service, one request at a time, each asked once: what was answered is read from the disk again. */
export interface Requests {
  /** JSON of a path below the service's address; undefined: there is none (404). */
  get(path: string): Promise<unknown>;
  /** How many were sent, and how many were known from an earlier run. */
  count(): { readonly sent: number; readonly kept: number };
}

export interface RequestsOf {
  /** What the service is called. */
  readonly name: string;
  /** Without a slash at the end. */
  readonly base: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Where answers are kept. */
  readonly kept: string;
  readonly perMinute: number;
  /** Tells what a person waits for. */
  readonly tell: (line: string) => void;
}

/** A service that asks to wait longer than this is asked again by the next run. */
const LIMITS = { totalMs: 10 * 60_000, tryMs: 2 * 60_000 };
const MINUTE = 60_000;

/** Opens a service. */
export function createRequests(options: RequestsOf, runtime: Runtime): Requests {
  const { base, name, headers, kept, perMinute, tell } = options;
  const send = createRetryingFetches(runtime, { info: tell, warning: tell })(LIMITS);
  mkdirSync(kept, { recursive: true, mode: 0o700 });
  const count = { sent: 0, kept: 0 };
  let last = Number.NEGATIVE_INFINITY;
  const ask = async (path: string): Promise<string | undefined> => {
    const pause = last + MINUTE / perMinute - runtime.now();
    if (pause > 0) await runtime.sleep(pause);
    last = runtime.now();
    count.sent += 1;
    const url = new URL(base + path);
    const request = {
      url,
      shownUrl: url.href,
      method: 'GET',
      headers: { accept: 'application/json', ...headers },
    } as const;
    const { status, text } = await send(request).catch((error: unknown) => {
      if (!(error instanceof ActionFailure)) throw error;
      throw new ActionFailure('server-unreachable', unreachable(name, url.origin), { cause: error });
    });
    if (status === 404) return undefined;
    if (status !== 200) throw refused(options, { status, path, hasToken: headers.authorization !== undefined });
    return text;
  };
  return {
    count: () => count,
    async get(path) {
      const file = join(kept, `${createHash('sha256').update(`${base}${path}`).digest('hex')}.json`);
      const known = readKept(file);
      if (known !== undefined) {
        count.kept += 1;
        return parse(known, options, path);
      }
      const text = await ask(path);
      const answer = text === undefined ? undefined : parse(text, options, path);
      // Whole, or not there: a run may be stopped at any time.
      writeFileSync(`${file}.part`, text ?? '', { mode: 0o600 });
      renameSync(`${file}.part`, file);
      return answer;
    },
  };
}

function readKept(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** Nothing was answered for an empty text: the service had none. */
function parse(text: string, { name }: RequestsOf, path: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new ActionFailure('answer-not-understood', notJson(name, path), { cause });
  }
}

function refused(
  { name, base }: RequestsOf,
  asked: { readonly status: number; readonly path: string; readonly hasToken: boolean },
): ActionFailure {
  const { status, path, hasToken } = asked;
  if (status === 401 || status === 403)
    return new ActionFailure('server-refused', noAccess(name, { path: base + path, hasToken }));
  const isLater = status === 429 || status >= 500;
  return new ActionFailure('server-refused', isLater ? tryLater(name, status) : oddStatus(name, { status, path }));
}

function noAccess(name: string, { path, hasToken }: { readonly path: string; readonly hasToken: boolean }): string {
  const remedy = hasToken
    ? 'Check that the token in COVERAGE_IMPORT_TOKEN may read the repo.'
    : 'Give a token that may read the repo in the variable COVERAGE_IMPORT_TOKEN.';
  return `${name} does not let this command read ${path}. ${remedy}`;
}

function tryLater(name: string, status: number): string {
  return `${name} answers ${status}. What was read so far is kept: run the same command again later to continue.`;
}

function oddStatus(name: string, { status, path }: { readonly status: number; readonly path: string }): string {
  return `${name} answers ${status} to ${path}. Check --repo and --url.`;
}

function unreachable(name: string, origin: string): string {
  return (
    `${name} cannot be reached at ${origin}. What was read so far is kept: check the network and --url, then run ` +
    'the same command again to continue.'
  );
}

function notJson(name: string, path: string): string {
  return `${name} answers ${path} with something other than JSON. Check --url: it may lead to a sign-in page.`;
}
