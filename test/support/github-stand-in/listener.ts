import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Answer } from './answer.ts';
import { failure } from './answer.ts';
import { type ApiDependencies, handle } from './api.ts';
import { answerOf, type Fault, type FaultRule, takesEffect } from './faults.ts';
import { conditional, loggedHeaders, parseBody, readText, send, tokenOf } from './http-message.ts';
import { answerIdTokens } from './id-tokens.ts';
import { answerManifestForm } from './manifest-flow.ts';
import { answerOauth } from './oauth.ts';
import type { RequestLog } from './request-log.ts';

interface ListenerDependencies {
  readonly api: ApiDependencies;
  readonly log: RequestLog;
  readonly pickFault: FaultRule;
  readonly basePath: string;
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** The transport: logs each request, lets faults have their way with it, and hands it to the API. */
export function createListener(deps: ListenerDependencies): Listener {
  return (request, response) => {
    serve(deps, request, response).catch((error: unknown) => {
      // A caller that hangs up while it sends is no fault of the stand-in's.
      if (request.destroyed && !request.complete) return;
      const problem = `the stand-in failed: ${error instanceof Error ? error.stack : error}`;
      deps.api.report({ what: 'answer', method: request.method ?? '', path: request.url ?? '', problem });
      send(response, failure(500, 'Server Error'), {});
    });
  };
}

async function serve(deps: ListenerDependencies, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { api, log, pickFault } = deps;
  const text = await readText(request);
  const parsed = parseBody(text);
  const seen = { method: request.method ?? 'GET', path: request.url ?? '/', body: parsed.value };
  const index = log.arrived({ ...seen, at: api.world.now(), headers: loggedHeaders(request) });
  const fault = pickFault({ ...seen, index });
  log.became(index, { fault: fault?.kind });
  if (fault?.kind === 'slow') await wait(fault.delayMs);
  const runs = !fault || takesEffect(fault);
  log.became(index, { processed: runs });
  if (fault?.kind === 'duplicate') process(deps, request, parsed);
  const honest = () =>
    answerOauth(api.world, request, text) ??
    answerIdTokens(api.world, request) ??
    answerManifestForm(api.world, request, text) ??
    process(deps, request, parsed);
  const answer = answerUnder(fault, runs ? honest() : undefined);
  if (!answer) {
    if (fault?.kind === 'drop') request.socket.destroy();
    log.became(index, { hangs: fault?.kind === 'hang' });
    response.once('close', () => log.became(index, { hangs: false }));
    return;
  }
  const token = tokenOf(request) ?? '';
  if (answer.status === 304) api.rateLimit.giveBack(token);
  log.became(index, { status: answer.status });
  const date = new Date(api.world.now()).toUTCString();
  send(response, answer, { ...api.rateLimit.headers(token), date, 'x-github-request-id': `STAND-IN:${index}` });
}

/** Runs the operation; answers what GitHub would say without a fault. */
function process(
  deps: ListenerDependencies,
  request: IncomingMessage,
  parsed: { value: unknown; broken: boolean },
): Answer {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stand-in');
  if (!pathname.startsWith(`${deps.basePath}/`)) return failure(404, 'Not Found');
  const answer = handle(deps.api, {
    method: request.method ?? 'GET',
    path: pathname.slice(deps.basePath.length),
    query: searchParams,
    token: tokenOf(request),
    userAgent: request.headers['user-agent'],
    contentType: request.headers['content-type'],
    body: parsed.value,
    bodyBroken: parsed.broken,
  });
  return conditional(request, answer);
}

/** What is sent under a fault; undefined if nothing is. */
function answerUnder(fault: Fault | undefined, honest: Answer | undefined): Answer | undefined {
  if (!fault || fault.kind === 'slow' || fault.kind === 'duplicate') return honest;
  return fault.kind === 'drop' || fault.kind === 'hang' ? undefined : answerOf(fault);
}
