import { Failure } from '../core/failure.ts';
import type { Caller } from '../core/repo/caller.ts';
import type { Secrets } from '../platform/secrets.ts';

/** Who asks for the metrics. */
export interface MetricsAsked {
  /** For the Authorization header. */
  readonly token: string | undefined;
  /** Throws a Failure where nobody known asks. */
  readonly identify: () => Promise<Caller>;
}

/** Answers what `scrape` does to METRICS_TOKEN and to administrators: the metrics tell of all repos together. */
export function createShowMetrics<Shown>(deps: {
  readonly scrape: () => Promise<Shown>;
  /** METRICS_TOKEN, which is known nowhere else. */
  readonly metricsToken: string | undefined;
  readonly secrets: Pick<Secrets, 'equal'>;
}): (asked: MetricsAsked) => Promise<Shown> {
  const { scrape, metricsToken, secrets } = deps;
  return async ({ token, identify }) => {
    if (token !== undefined && metricsToken !== undefined && secrets.equal(token, metricsToken)) return scrape();
    const caller = await identify();
    if (caller.kind === 'user' && caller.role === 'administrator') return scrape();
    throw new Failure(
      'forbidden',
      'Only METRICS_TOKEN and administrators may read the metrics; give Prometheus METRICS_TOKEN.',
    );
  };
}
