import type { Host } from '../../ports/host.ts';
import { ProviderFailure } from '../../ports/provider.ts';
import type { Metrics } from '../metrics.ts';
import { timed } from './timed.ts';

/** The same git host, whose calls are counted. */
export function countCalls<Counted extends Host>(host: Counted, metrics: Pick<Metrics, 'providerCalled'>): Counted {
  const { service: provider } = host;
  const count = <Calls extends object>(calls: Calls): Calls => {
    const entries = Object.entries(calls).map(([operation, call]) => {
      if (typeof call !== 'function') return [operation, call];
      const counted = timed(call.bind(calls), ({ seconds }, error) =>
        metrics.providerCalled({ provider, operation, outcome: outcomeOf(error), seconds }),
      );
      return [operation, counted];
    });
    return Object.fromEntries(entries) as Calls;
  };
  return {
    ...host,
    provider: host.provider && count(host.provider),
    openTokenView: (opening) => count(host.openTokenView(opening)),
  };
}

function outcomeOf(error: unknown) {
  if (error === undefined) return 'ok';
  return error instanceof ProviderFailure ? error.kind : 'error';
}
