import type { RouterContext } from '@koa/router';
import type { Middleware } from 'koa';
import type { Metrics } from '../metrics.ts';
import type { AppState } from './app-state.ts';

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
