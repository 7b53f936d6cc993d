import { setTimeout as sleep } from 'node:timers/promises';
import { coverageApi } from '../coverage-api.ts';
import { encodeJob } from '../job-bodies.ts';
import { jobPayload } from './job-payload.ts';
import { type ChaosReply, judgeReply } from './judge-reply.ts';
import type { Ledger } from './ledger.ts';
import type { PlannedRequest } from './plan-requests.ts';
import { addFindings, countRetry, type Tally } from './tally.ts';

export interface ChaosClientDeps {
  /** Addresses of the instances, living and dead. */
  readonly urls: readonly string[];
  /** Repo tokens by repo. */
  readonly tokens: ReadonlyMap<string, string>;
  /** Whether uploads name the head of a merge commit. */
  readonly statesHeads: boolean;
  readonly ledger: Ledger;
  readonly tally: Tally;
}

/**
 * Sends a request until it is answered as it should, each attempt to any instance. Never fails: what is wrong becomes a
 * finding.
 */
export type SendUntilAnswered = (request: PlannedRequest) => Promise<void>;

/** Milliseconds for one attempt: the server promises an answer, be it 503, in half of it. */
const ATTEMPT_LIMIT = 30_000;
/** Milliseconds after which a client gives up: longer than any outage that is planned. */
const GIVE_UP = 120_000;
/** Milliseconds; shorter than Retry-After asks for, as hasty clients do. */
const PAUSE = { min: 50, max: 500 };

export function createChaosClient(deps: ChaosClientDeps): SendUntilAnswered {
  const { urls, tally } = deps;
  return async (request) => {
    const first = anyOf(urls);
    const second = anyOf(urls.length > 1 ? urls.filter((url) => url !== first) : urls);
    const copies = request.twice ? [first, second] : [first];
    tally.requests += copies.length;
    await Promise.all(copies.map((url) => repeat(deps, request, url)));
  };
}

async function repeat(deps: ChaosClientDeps, request: PlannedRequest, firstUrl: string): Promise<void> {
  const { urls, ledger, tally } = deps;
  const begin = performance.now();
  let url = firstUrl;
  while (performance.now() - begin < GIVE_UP) {
    const promised = { exists: ledger.exists(request.build), youngest: ledger.youngest(request.build.repo.name) };
    const reply = await attempt(deps, request, url);
    const judged = judgeReply(request, reply, promised);
    if (judged.kind === 'finding') addFindings(tally, [`${request.name}: ${judged.what}`]);
    if (judged.kind === 'too early') tally.tooEarly += 1;
    if (judged.kind === 'accepted' && request.kind === 'upload')
      ledger.accepted(request.build, request.job, judged.receipt);
    const repeats = judged.kind === 'again' || (judged.kind === 'finding' && judged.repeat === true);
    if (!repeats) {
      tally.worstWait = Math.max(tally.worstWait, performance.now() - begin);
      return;
    }
    countRetry(tally, judged.kind === 'again' ? judged.why : 'answered as it should not');
    await sleep(PAUSE.min + Math.random() * (PAUSE.max - PAUSE.min));
    url = anyOf(urls);
  }
  addFindings(tally, [`${request.name}: not answered as it should within ${GIVE_UP} ms`]);
}

async function attempt(deps: ChaosClientDeps, request: PlannedRequest, url: string): Promise<ChaosReply> {
  const { ledger, tally } = deps;
  if (request.kind === 'upload') ledger.sending(request.job);
  if (request.kind === 'close' && request.last) ledger.closing(request.build);
  const begin = performance.now();
  const signal = AbortSignal.timeout(ATTEMPT_LIMIT);
  try {
    const { path, init } = httpOf(request, {
      repoToken: deps.tokens.get(request.build.repo.name) ?? '',
      statesHeads: deps.statesHeads,
    });
    const { status, text } = await coverageApi(url, '').send(path, { ...init, signal });
    tally.slowestAnswer = Math.max(tally.slowestAnswer, performance.now() - begin);
    return { status, text };
  } catch {
    if (!signal.aborted) return { nothing: 'connection cut' };
    addFindings(tally, [`${request.name}: no answer, not even 503, within ${ATTEMPT_LIMIT} ms`]);
    return { nothing: 'no answer' };
  }
}

function httpOf(
  request: PlannedRequest,
  by: { readonly repoToken: string; readonly statesHeads: boolean },
): { readonly path: string; readonly init: RequestInit } {
  const { build } = request;
  if (request.kind === 'upload') {
    const { headers, body } = encodeJob(jobPayload(build, request.job, by), request.encoding);
    return { path: '/api/v1/jobs', init: { method: 'POST', headers, body } };
  }
  const query = new URLSearchParams({ repo_token: by.repoToken });
  if (request.kind === 'rerun') {
    query.set('build_num', build.number ?? '');
    return { path: `/rerun_build?${query}`, init: {} };
  }
  if (build.carryforward !== undefined) query.set('carryforward', build.carryforward);
  const payload = { ...(request.named ? { build_num: build.number } : {}), status: 'done' };
  const headers = { 'content-type': 'application/json' };
  return { path: `/webhook?${query}`, init: { method: 'POST', headers, body: JSON.stringify({ payload }) } };
}

function anyOf(urls: readonly string[]): string {
  return urls[Math.floor(Math.random() * urls.length)] ?? '';
}
