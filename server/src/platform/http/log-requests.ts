import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import type { SecretTexts } from '../../core/secret-texts.ts';
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
