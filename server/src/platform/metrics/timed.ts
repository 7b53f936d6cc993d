import type { Host } from '../../ports/host.ts';
import { ProviderFailure } from '../../ports/provider.ts';
import type { Ended, Metrics } from '../metrics.ts';

type Work<Input extends unknown[], Value> = (...input: Input) => Promise<Value>;

/** The same work; `onEnd` is told how long each call took, and what it threw. */
export function timed<Input extends unknown[], Value>(
  work: Work<Input, Value>,
  onEnd: (end: Ended, error: unknown) => void,
): Work<Input, Value> {
  return async (...input) => {
    const since = performance.now();
    const end = (failed: boolean, error?: unknown): void =>
      onEnd({ seconds: (performance.now() - since) / 1_000, failed }, error);
    try {
      const value = await work(...input);
      end(false);
      return value;
    } catch (error) {
      end(true, error);
      throw error;
    }
  };
}

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
