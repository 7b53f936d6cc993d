import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { Clock } from '../clock.ts';
import type { Measures, Metrics } from '../metrics.ts';
import type { Timers } from '../timers.ts';
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

/** Others come from clients that invent some. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const UPLOAD = 'POST /api/v1/jobs';
/** Seconds. */
const SHORT = [0.005, 0.02, 0.1, 0.5, 1, 2.5, 5, 10, 30];
const LONG = [0.05, 0.25, 1, 2.5, 5, 10, 30, 60, 300];

/** The metrics that count, in a registry. */
function createCounters(registry: Registry): Metrics {
  const counter = (name: string, help: string, ...labelNames: string[]): Counter =>
    new Counter({ name: `coverage_${name}`, help, labelNames, registers: [registry] });
  const histogram = (name: string, help: string, buckets: number[], ...labelNames: string[]): Histogram =>
    new Histogram({ name: `coverage_${name}`, help, buckets, labelNames, registers: [registry] });
  const requests = counter('http_requests_total', 'Requests that were answered.', 'method', 'route', 'status');
  const times = histogram('http_request_duration_seconds', 'Time until the response began.', SHORT, 'method', 'route');
  const uploads = counter('uploads_total', 'Uploads by outcome: accepted, or the code of the failure.', 'outcome');
  const closes = histogram('close_duration_seconds', 'Builds that were closed or evaluated again.', LONG);
  const closeFailures = counter('close_failures_total', 'Closes that failed and will be retried.');
  const calls = counter('provider_calls_total', 'Calls to git hosts.', 'provider', 'operation', 'outcome');
  const callTimes = histogram('provider_call_duration_seconds', 'Calls to git hosts.', SHORT, 'provider');
  return {
    requestAnswered({ method: sent, route = 'none', status, failure, seconds }) {
      const method = METHODS.has(sent) ? sent : 'other';
      requests.inc({ method, route, status });
      times.observe({ method, route }, seconds);
      if (`${method} ${route}` === UPLOAD) uploads.inc({ outcome: failure ?? 'accepted' });
    },
    closeEnded({ seconds, failed }) {
      closes.observe(seconds);
      if (failed) closeFailures.inc();
    },
    providerCalled({ provider, operation, outcome, seconds }) {
      calls.inc({ provider, operation, outcome });
      callTimes.observe({ provider }, seconds);
    },
  };
}
