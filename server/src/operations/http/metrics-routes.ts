import type Router from '@koa/router';
import { headerToken } from '../../access/browser/authenticate.ts';
import { Failure } from '../../core/failure.ts';
import type { Caller } from '../../core/repo/caller.ts';
import type { Services } from '../../services/services.ts';

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

interface Scraped<Shown> {
  readonly metrics: { scrape(): Promise<Shown> };
}

/** Who asks for the metrics. */
interface MetricsAsked {
  /** For the Authorization header. */
  readonly token: string | undefined;
  /** Throws a Failure if nobody known asks. */
  readonly identify: () => Promise<Caller>;
}

/** The metrics, to METRICS_TOKEN and to administrators: they tell of all repos together. */
async function showMetrics<Shown>(
  { config, secrets, metrics }: Pick<Services, 'config' | 'secrets'> & Scraped<Shown>,
  { token, identify }: MetricsAsked,
): Promise<Shown> {
  const { metricsToken } = config;
  if (token !== undefined && metricsToken !== undefined && secrets.equal(token, metricsToken)) return metrics.scrape();
  const caller = await identify();
  if (caller.kind === 'user' && caller.role === 'administrator') return metrics.scrape();
  throw new Failure(
    'forbidden',
    'Only METRICS_TOKEN and administrators may read the metrics; give Prometheus METRICS_TOKEN.',
  );
}
