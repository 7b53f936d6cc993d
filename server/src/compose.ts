import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { availableParallelism } from 'node:os';
import { composeClosing } from './compose/closing.ts';
import { connectHosts } from './compose/hosts.ts';
import { composeRoutes } from './compose/routes.ts';
import type { Parts, Services } from './compose/services.ts';
import { composeSweeping, idleOf, keepTime } from './compose/workers.ts';
import type { RepoService } from './domain/repo/repo.ts';
import { createAskProvider } from './facts/ask-provider.ts';
import { createApp } from './http/app.ts';
import { registerHealthRoutes } from './http/routes/health.ts';
import { createHttpServer } from './http/server.ts';
import { DEFAULT_INGEST_LIMITS } from './ingest/ingest.ts';
import { createDeliverer } from './outbox/deliverer.ts';
import { createOutboxWorker } from './outbox/outbox-worker.ts';
import type { Provider } from './ports/provider.ts';
import { createThreadPool } from './threads/thread-pool.ts';
import type { WorkLoop } from './workers/work-loop.ts';

/** Tasks that wait for a thread before an upload is refused: the last resort, since no client tries again. */
const MAX_WAITING_TASKS = 256;

/** The running service but for its socket. */
export interface Service {
  readonly listener: Server;
  start(): void;
  /** From now on new requests are refused. */
  beginStop(): void;
  /** Waits for what is under way, within a bound. */
  stop(): Promise<void>;
}

/** Puts every adapter in its place. The only file that knows them all. */
export function compose(parts: Parts): Service {
  const { config, store, timers, logger } = parts;
  const timekeeping = keepTime(parts);
  const { clock } = timekeeping;
  const pool = createThreadPool({
    threads: config.workerThreads ?? Math.max(1, availableParallelism() - 1),
    limits: { ...DEFAULT_INGEST_LIMITS, reportBytes: config.maxReportBytes },
    maxQueue: MAX_WAITING_TASKS,
    merge: { memory: config.maxMergeMemory, time: config.maxMergeTime },
    onFault: (error) => logger.error({ err: error }, 'a thread ended unexpectedly'),
  });
  const hosts = connectHosts(parts, clock);
  const providerOf = (repo: { readonly service: RepoService }): Provider | undefined => hosts.of(repo)?.provider;
  const deliver = createDeliverer({
    outbox: store.outbox,
    repos: store.repos,
    providerOf,
    clock,
    logger,
    random: Math.random,
  });
  const outbox = createOutboxWorker({ outbox: store.outbox, deliver, clock, timers, logger, ...idleOf(store) });
  let stopping = false;
  const isStopping = (): boolean => stopping;
  const askProvider = createAskProvider({ facts: store.facts, providerOf, clock, logger });
  const services: Services = {
    ...parts,
    clock,
    pool,
    hosts,
    outbox,
    askProvider,
    isStopping,
  };
  const closing = composeClosing(services);
  const sweeping = composeSweeping(services);
  return {
    listener: composeListener(services, closing),
    start() {
      closing.start();
      outbox.start();
      sweeping.start();
      timekeeping.loop?.start();
    },
    beginStop() {
      stopping = true;
    },
    async stop() {
      await Promise.all([closing.stop(), outbox.stop(), sweeping.stop(), timekeeping.loop?.stop()]);
      await pool.close();
    },
  };
}

/** What answers requests. */
function composeListener(services: Services, closing: WorkLoop): Server {
  const { config, store, logger, isStopping } = services;
  const now = (): number => performance.now();
  const app = createApp({
    logger,
    now,
    newRequestId: randomUUID,
    trustProxy: config.trustProxy,
    basePath: config.baseUrl === undefined ? '' : new URL(config.baseUrl).pathname.replace(/\/$/, ''),
    isStopping,
    routes: [
      ...composeRoutes(services, closing),
      (router) => registerHealthRoutes(router, { checkStore: store.check, isStopping, now }),
    ],
  });
  return createHttpServer({ app, logger, newRequestId: randomUUID });
}
