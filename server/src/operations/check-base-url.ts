import { findNotSent } from '../platform/outgoing.ts';
import { type Examined, type Finding, failed, KEY_GONE, ok, skipped, warning } from './check.ts';

const SET_BASE_URL = 'Set BASE_URL to the URL at which people and CI reach this server.';

const TIME_LIMIT = 5_000;
/** Bytes: ours has fewer. */
const MAX_READ = 1_000;
const LOCAL = /^(127(\.\d+){3}|\[::1\]|(.+\.)?localhost)$/;

/** Whether this server answers at the address that people and CI use: another one there has another identity. */
export async function checkBaseUrl(deps: Examined): Promise<Finding> {
  const { baseUrl, secrets, database } = deps;
  if (baseUrl === undefined) return skipped('BASE_URL is not set, and PORT is 0.', SET_BASE_URL);
  if (secrets === undefined) return skipped(KEY_GONE);
  const answer = await askIdentity(deps, `${baseUrl}/healthz?identity`);
  if (answer instanceof Error) {
    const seen = `Nothing answers at ${baseUrl} (${reasonOf(answer)}).`;
    return (database.isServed === true ? failed : warning)(
      seen,
      'Start the server; if it runs, check the name, ' +
        'the proxy in front of it, and whether it can be reached from here.',
    );
  }
  if (answer.location !== undefined)
    return failed(`${baseUrl} redirects elsewhere: ${JSON.stringify(answer.location.slice(0, 200))}.`, SET_BASE_URL);
  if (answer.identity !== secrets.serverIdentity())
    return failed(
      `Another server answers at ${baseUrl}, or one with another SECRET_KEY (status ${answer.status}).`,
      SET_BASE_URL,
    );
  return judgeAddress(new URL(baseUrl), deps);
}

/** It leads here; whether others can use it, and safely, is another question. */
function judgeAddress({ href, protocol, hostname }: URL, { isBaseUrlSet }: Examined): Finding {
  if (!isBaseUrlSet) return warning(`BASE_URL is not set: links lead to ${href}.`, SET_BASE_URL);
  if (LOCAL.test(hostname))
    return warning(`This server answers at ${href}, which only this machine can reach.`, SET_BASE_URL);
  if (protocol === 'http:')
    return warning(
      `This server answers at ${href} without encryption.`,
      'Put a proxy with TLS in front of the server, and set BASE_URL to its https URL.',
    );
  return ok(`This server answers at ${href}.`);
}

interface Answer {
  readonly status: number;
  readonly location: string | undefined;
  readonly identity: unknown;
}

async function askIdentity({ fetch, timers }: Examined, address: string): Promise<Answer | Error> {
  const aborting = new AbortController();
  const timer = timers.start(TIME_LIMIT, () => aborting.abort());
  try {
    const answer = await fetch(address, { redirect: 'manual', signal: aborting.signal });
    const location = answer.headers.get('location') ?? undefined;
    return { status: answer.status, location, identity: await readIdentity(answer) };
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    timer.cancel();
  }
}

async function readIdentity({ body }: Response): Promise<unknown> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const part of body ?? []) {
    text += decoder.decode(part, { stream: true });
    if (text.length > MAX_READ) return undefined;
  }
  try {
    const answer: unknown = JSON.parse(text);
    return typeof answer === 'object' && answer !== null && 'identity' in answer ? answer.identity : undefined;
  } catch {
    return undefined;
  }
}

/** The setting that fixes it, else the system's code. */
function reasonOf(error: Error): string {
  const notSent = findNotSent(error)?.message;
  const { cause } = error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : error.name;
  return notSent ?? code;
}
