import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Clock } from '../clock.ts';
import type { Measures, Metrics } from '../metrics.ts';
import type { Timers } from '../timers.ts';
import { createCounters } from './counters.ts';
import { createGauges } from './gauges.ts';

/** How long a part may take to answer, in ms: a scrape ends, whatever a database does. */
const MEASURE_LIMIT = 2_000;

/** All metrics as Prometheus reads them. */
export interface Exposition {
  readonly contentType: string;
  readonly text: string;
}

export interface Prometheus extends Metrics {
  /** The metrics of now. Several at once ask each part once. */
  scrape(): Promise<Exposition>;
}

export function createPrometheus(deps: {
  readonly measures: Measures;
  readonly clock: Clock;
  readonly timers: Timers;
}): Prometheus {
  const { measures, clock, timers } = deps;
  const registry = new Registry();
  const setGauges = createGauges(registry);
  const readStore = withinLimit(measures.store, timers);
  const readThreads = withinLimit(measures.threads, timers);
  let hasProcess = false;
  return {
    ...createCounters(registry),
    async scrape() {
      // From the first scrape on: its observers cost something.
      if (!hasProcess) collectDefaultMetrics({ register: registry });
      hasProcess = true;
      const [store, threads] = await Promise.all([readStore(), readThreads()]);
      setGauges({ at: clock.now(), queues: measures.queues(), threads, store });
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}

/** Undefined: it failed, or took too long. While one answer is waited for, no other is asked for. */
function withinLimit<Value>(read: () => Promise<Value>, timers: Timers): () => Promise<Value | undefined> {
  let reading: Promise<Value | undefined> | undefined;
  return async () => {
    reading ??= read()
      .catch(() => undefined)
      .finally(() => {
        reading = undefined;
      });
    const { promise: limit, resolve } = Promise.withResolvers<undefined>();
    const timer = timers.start(MEASURE_LIMIT, () => resolve(undefined));
    return Promise.race([reading, limit]).finally(timer.cancel);
  };
}
