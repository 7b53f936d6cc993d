import type { IncomingMessage } from 'node:http';
import type { RouterContext } from '@koa/router';
import type { Middleware } from 'koa';
import type { SecretTexts } from '../../core/secret-texts.ts';
import type { Metrics } from '../metrics.ts';
import type { AppLogger, AppState } from './app-state.ts';

const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/** One line per request. Without the query: it may hold a repo or badge token. */
export function logRequests(
  { logger, secretTexts }: { readonly logger: AppLogger; readonly secretTexts: Pick<SecretTexts, 'hide'> },
  now: () => number,
  findAddress: (req: IncomingMessage) => string,
): Middleware<AppState> {
  return async (ctx, next) => {
    const start = now();
    // A path may hold a token by mistake.
    const path = secretTexts.hide((ctx.originalUrl.split('?', 1)[0] ?? '').slice(0, 500));
    ctx.request.ip = findAddress(ctx.req);
    await next();
    const fields = {
      request: ctx.state.requestId,
      method: ctx.method,
      path,
      status: ctx.status,
      ...(ctx.state.failure === undefined ? {} : { failure: ctx.state.failure }),
      ...(ctx.req.socket.destroyed ? { clientGone: true } : {}),
      ms: Math.round(now() - start),
      ip: ctx.request.ip,
    };
    // Probes come every few seconds and say nothing while all is well.
    if (PROBES.has(path) && ctx.status === 200) logger.debug(fields, 'answered');
    else logger.info(fields, 'answered');
  };
}

/** Long enough for any tracing header, and nothing that could break a log line or a header. */
const HARMLESS = /^[\w.:/+=@-]{1,128}$/;

/** A shorter one may be part of a credential by chance. */
const MIN_TOKEN = 20;

/**
 * Every answer has X-Request-Id: the caller's own where it is harmless, else a new one (wire.md, "Failures"). A token
 * sent as one would be in the answer, and in the log under a name that nobody takes for a secret's.
 */
export function assignRequestId(deps: {
  readonly newRequestId: () => string;
  readonly secretTexts: Pick<SecretTexts, 'find'>;
  readonly requestScope?: { run<T>(requestId: string, work: () => T): T } | undefined;
}): Middleware<AppState> {
  const { newRequestId, secretTexts, requestScope } = deps;
  return (ctx, next) => {
    const given = ctx.get('X-Request-Id');
    const credentials = given.length < MIN_TOKEN ? '' : `${ctx.get('Authorization')} ${ctx.querystring}`;
    const isToken = secretTexts.find(given) !== undefined || credentials.includes(given);
    ctx.state.requestId = HARMLESS.test(given) && !isToken ? given : newRequestId();
    ctx.set('X-Request-Id', ctx.state.requestId);
    return requestScope === undefined ? next() : requestScope.run(ctx.state.requestId, next);
  };
}

/**
 * Counts each request by its route's pattern: a path would be a name that a caller chose. `now`: milliseconds since any
 * fixed moment.
 */
export function countRequests(metrics: Pick<Metrics, 'requestAnswered'>, now: () => number): Middleware<AppState> {
  return async (ctx, next) => {
    const start = now();
    await next();
    const { _matchedRoute: route, routeMatched } = ctx as unknown as RouterContext;
    metrics.requestAnswered({
      method: ctx.method,
      route: routeMatched === true ? String(route) : undefined,
      status: ctx.status,
      failure: ctx.state.failure,
      seconds: (now() - start) / 1_000,
    });
  };
}
