import type Router from '@koa/router';
import { headerToken, type IdentifyCaller } from '../../access/browser/authenticate.ts';
import type { MetricsAsked } from '../show-metrics.ts';

export interface MetricsRoutesDeps {
  readonly identifyCaller: IdentifyCaller;
  readonly showMetrics: (asked: MetricsAsked) => Promise<{ readonly contentType: string; readonly text: string }>;
}

/** `GET /metrics`, for METRICS_TOKEN and administrators; METRICS_PORT serves the same to everybody who can reach it. */
export function registerMetricsRoutes(router: Router, { identifyCaller, showMetrics }: MetricsRoutesDeps): void {
  router.get('/metrics', async (context) => {
    const { contentType, text } = await showMetrics({
      token: headerToken(context),
      identify: () => identifyCaller(context),
    });
    context.set('Cache-Control', 'no-store');
    context.type = contentType;
    context.body = text;
  });
}
