import * as say from '../messages/doctor.ts';
import { findNotSent } from '../platform/outgoing.ts';
import { type DoctorDeps, type Finding, failed, ok, skipped, warning } from './check.ts';

const TIME_LIMIT = 5_000;
/** Bytes: ours has fewer. */
const MOST_READ = 1_000;
const LOCAL = /^(127(\.\d+){3}|\[::1\]|(.+\.)?localhost)$/;

/** Whether this server answers at the address that people and CI use: another one there has another identity. */
export async function checkBaseUrl(deps: DoctorDeps): Promise<Finding> {
  const { baseUrl, secrets, database } = deps;
  if (baseUrl === undefined) return skipped(say.NO_BASE_URL, say.SET_BASE_URL);
  if (secrets === undefined) return skipped(say.KEY_GONE);
  const answer = await askIdentity(deps, `${baseUrl}/healthz?identity`);
  if (answer instanceof Error) {
    const seen = say.baseUrlSilent(baseUrl, reasonOf(answer));
    return (database.isServed === true ? failed : warning)(seen, say.REACH_BASE_URL);
  }
  if (answer.location !== undefined) return failed(say.baseUrlRedirects(baseUrl, answer.location), say.SET_BASE_URL);
  if (answer.identity !== secrets.serverIdentity())
    return failed(say.otherServer(baseUrl, answer.status), say.SET_BASE_URL);
  return judgeAddress(new URL(baseUrl), deps);
}

/** It leads here; whether others can use it, and safely, is another question. */
function judgeAddress({ href, protocol, hostname }: URL, { isBaseUrlSet }: DoctorDeps): Finding {
  if (!isBaseUrlSet) return warning(say.baseUrlUnset(href), say.SET_BASE_URL);
  if (LOCAL.test(hostname)) return warning(say.baseUrlLocal(href), say.SET_BASE_URL);
  if (protocol === 'http:') return warning(say.baseUrlReadable(href), say.USE_TLS);
  return ok(say.baseUrlAnswers(href));
}

interface Answer {
  readonly status: number;
  readonly location: string | undefined;
  readonly identity: unknown;
}

async function askIdentity({ fetch, timers }: DoctorDeps, address: string): Promise<Answer | Error> {
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
    if (text.length > MOST_READ) return undefined;
  }
  try {
    const answer: unknown = JSON.parse(text);
    return typeof answer === 'object' && answer !== null && 'identity' in answer ? answer.identity : undefined;
  } catch {
    return undefined;
  }
}

/** The setting that mends it, else the system's code. */
function reasonOf(error: Error): string {
  const notSent = findNotSent(error)?.message;
  const { cause } = error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : error.name;
  return notSent ?? code;
}
