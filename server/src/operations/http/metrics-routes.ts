import type Router from '@koa/router';
import { type IdentifyCaller, requireCaller } from '../../access/browser/authenticate.ts';
import type { Caller } from '../../core/repo/caller.ts';

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
