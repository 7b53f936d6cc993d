import type { Middleware } from 'koa';
import type { AppState } from '../app-state.ts';

/** Long enough for any tracing header, and nothing that could break a log line or a header. */
const HARMLESS = /^[\w.:/+=@-]{1,128}$/;

/** Every answer has X-Request-Id: the caller's own where it is harmless, else a new one (wire.md, "Failures"). */
export function assignRequestId(deps: { readonly newRequestId: () => string }): Middleware<AppState> {
  const { newRequestId } = deps;
  return (ctx, next) => {
    const given = ctx.get('X-Request-Id');
    ctx.state.requestId = HARMLESS.test(given) ? given : newRequestId();
    ctx.set('X-Request-Id', ctx.state.requestId);
    return next();
  };
}
