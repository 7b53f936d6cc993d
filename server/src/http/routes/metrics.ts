import type Router from '@koa/router';
import type { Caller } from '../../domain/repo/caller.ts';
import { type IdentifyCaller, requireCaller } from '../middleware/authenticate.ts';

export interface MetricsRoutesDeps {
  readonly identifyCaller: IdentifyCaller;
  readonly showMetrics: (caller: Caller) => Promise<{ readonly contentType: string; readonly text: string }>;
}

/** `GET /metrics`, for administrators; METRICS_PORT serves the same to everybody who can reach it. */
export function registerMetricsRoutes(router: Router, { identifyCaller, showMetrics }: MetricsRoutesDeps): void {
  router.get('/metrics', requireCaller(identifyCaller), async (context) => {
    const { contentType, text } = await showMetrics(context.state.caller);
    context.set('Cache-Control', 'no-store');
    context.type = contentType;
    context.body = text;
  });
}
