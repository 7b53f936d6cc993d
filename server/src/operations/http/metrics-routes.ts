import type Router from '@koa/router';
import { headerToken } from '../../access/browser/authenticate.ts';
import type { Services } from '../../services/services.ts';
import { type Scraped, showMetrics } from '../show-metrics.ts';

/** `GET /metrics`, for METRICS_TOKEN and administrators; METRICS_PORT serves the same to everybody who can reach it. */
export function registerMetricsRoutes(
  router: Router,
  services: Services & Scraped<{ readonly contentType: string; readonly text: string }>,
): void {
  router.get('/metrics', async (context) => {
    const { contentType, text } = await showMetrics(services, {
      token: headerToken(context),
      identify: () => services.identifyCaller(context),
    });
    context.set('Cache-Control', 'no-store');
    context.type = contentType;
    context.body = text;
  });
}
