import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { availableParallelism } from 'node:os';
import { createDeliverer, type DelivererDeps } from '../announcing/deliverer.ts';
import { createOutboxWorker } from '../announcing/outbox-worker.ts';
import { readVersion } from '../config/version.ts';
import type { RepoService } from '../core/repo/repo.ts';
import { createAskProvider } from '../hosts/facts/ask-provider.ts';
import type { Examination } from '../operations/examine-server.ts';
import { registerApiDescription } from '../operations/http/api-description.ts';
import { createDocsReader } from '../operations/http/docs-file.ts';
import { registerDocs } from '../operations/http/docs-routes.ts';
import { renderApiPage } from '../operations/pages/api-page.tsx';
import { loadAssets } from '../platform/http/assets.ts';
import { registerAssetRoutes } from '../platform/http/assets-routes.ts';
import { createCommandReader } from '../platform/http/command-file.ts';
import { registerCommandFile } from '../platform/http/command-file-routes.ts';
import { createMetricsServer } from '../platform/http/metrics-server.ts';
import { createPageOf } from '../platform/http/page-of.ts';
import { createHttpServer } from '../platform/http/server.ts';
import { createPrometheus } from '../platform/metrics/prometheus.ts';
import { createFetch } from '../platform/outgoing/create-fetch.ts';
import type { WorkLoop } from '../platform/timers/work-loop.ts';
import type { Provider } from '../ports/provider.ts';
import { DEFAULT_INGEST_LIMITS } from '../reports/ingest/ingest.ts';
import { createHighlighter } from '../reports/threads/highlighter.ts';
import { createThreadPool, type ThreadPool } from '../reports/threads/thread-pool.ts';
import type { HistoryImports } from '../repos/history-imports.ts';
import { createNoteWebhook } from '../webhooks/note-webhook.ts';
import { createApp } from './app.ts';
import { composeClosing, composeMergingAhead } from './closing.ts';
import { composeExamination, composeHealth } from './doctor.ts';
import { composeHistories } from './histories.ts';
import { watchHostApps } from './host-apps.ts';
import { connectHosts } from './hosts.ts';
import { composeAccess, composeGroups, composePeople } from './people.ts';
import { composeRoutes } from './routes.ts';
import type { Parts, Services } from './services.ts';
import { composeSweeping, idleOf, keepTime } from './workers.ts';

/** Tasks that wait for a thread before an upload is refused: the last resort, since no client tries again. */
const MAX_WAITING_TASKS = 256;

/** The running service but for its socket. */
export interface Service {
  readonly listener: Server;
  /** Every method and path that is served. */
  readonly routes: readonly string[];
  /** For METRICS_PORT, where that is set. */
  readonly metricsListener: Server;
  /** What it finds about itself: for the log of its start. */
  examine(): Promise<Examination>;
  start(): void;
  /** From now on it says that it is not ready, and each answer ends its connection. */
  beginStop(): void;
  /** Waits for what is under way, within a bound. */
  stop(): Promise<void>;
}

/** Puts every adapter in its place. The only file that knows them all. */
export function compose(parts: Parts): Service {
  const { store, timers, logger } = parts;
  const timekeeping = keepTime(parts);
  const { clock } = timekeeping;
  const pool = openPool(parts);
  const highlighter = createHighlighter({ timers });
  const measures = { store: () => store.measure(clock.now()), lanes: pool.loads, threads: pool.memory };
  const metrics = createPrometheus({ measures, clock, timers });
  const fetch = createFetch(parts.config.outgoing);
  const { hosts, useApp } = connectHosts({ ...parts, repos: store.repos }, { fetch, clock, metrics });
  const providerOf = (repo: { readonly service: RepoService }): Provider | undefined => hosts.of(repo)?.provider;
  const webhookNotes = createNoteWebhook({ webhooks: store.webhooks, clock, logger });
  const outbox = composeOutbox(parts, { providerOf, clock });
  const mergingAhead = composeMergingAhead(parts, { pool, clock });
  let stopping = false;
  const services: Services = {
    ...parts,
    clock,
    fetch,
    pool,
    highlighter,
    hosts,
    useApp,
    metrics,
    webhookNotes,
    outbox,
    noteJob: mergingAhead.noteJob,
    askProvider: createAskProvider({ facts: store.facts, providerOf, clock, logger }),
    isStopping: () => stopping,
    knowAccess: composeAccess(parts, { clock, hosts }),
    ...composeGroups(parts, { clock, fetch }),
  };
  const closing = composeClosing(services);
  const histories = composeHistories(services, closing);
  const others = [histories.loop, composeSweeping(services), timekeeping.loop, watchHostApps(services)];
  const loops = [closing, mergingAhead.loop, outbox, ...others];
  const examination = composeExamination(services);
  const onFault = (err: unknown): void => logger.error({ err }, 'the metrics could not be read');
  const metricsListener = createMetricsServer({ scrape: metrics.scrape, onFault });
  return {
    ...composeListener(services, { closing, imports: histories.imports }, examination.whole),
    metricsListener,
    examine: examination.ofStart,
    start() {
      for (const loop of loops) loop?.start();
    },
    beginStop() {
      stopping = true;
    },
    async stop() {
      metricsListener.close();
      metricsListener.closeAllConnections();
      await Promise.all([webhookNotes.flush(), services.groups.settled()]);
      await Promise.all(loops.map((loop) => loop?.stop()));
      await Promise.all([pool.close(), highlighter.close()]);
    },
  };
}

/** What is announced, sent until it has arrived. */
function composeOutbox(
  { store, timers, logger }: Parts,
  parts: Pick<DelivererDeps, 'providerOf' | 'clock'>,
): Services['outbox'] {
  const { outbox, repos } = store;
  const deliver = createDeliverer({ ...parts, outbox, repos, logger, random: Math.random });
  return createOutboxWorker({ ...parts, outbox, deliver, timers, logger, ...idleOf(store) });
}

function openPool({ config, logger }: Parts): ThreadPool {
  return createThreadPool({
    threads: config.workerThreads ?? Math.max(1, availableParallelism() - 1),
    limits: { ...DEFAULT_INGEST_LIMITS, reportBytes: config.maxReportBytes },
    maxQueue: MAX_WAITING_TASKS,
    merge: { memory: config.maxMergeMemory, time: config.maxMergeTime },
    onFault: (error) => logger.error({ err: error }, 'a thread ended unexpectedly'),
  });
}

/** What answers requests. */
function composeListener(
  services: Services,
  { closing, imports }: { readonly closing: WorkLoop; readonly imports: HistoryImports },
  examineServer: Service['examine'],
): Pick<Service, 'listener' | 'routes'> {
  const { config, logger, secretTexts, isStopping, metrics } = services;
  const now = (): number => performance.now();
  const basePath = config.baseUrl === undefined ? '' : new URL(config.baseUrl).pathname.replace(/\/$/, '');
  const assets = loadAssets();
  const { baseUrl, clock, hosts } = services;
  const version = readVersion();
  const pageOf = createPageOf({ assets, basePath, baseUrl, version, hosts, signIn: true, now: clock.now, secretTexts });
  const people = composePeople(services, basePath, pageOf);
  const { app, routes } = createApp({
    logger,
    now,
    newRequestId: randomUUID,
    requestScope: services.requestScope,
    secretTexts,
    trustProxy: config.trustProxy,
    basePath,
    pageOf,
    visitors: people.visitors,
    isStopping,
    metrics,
    routes: [
      ...people.routes,
      ...composeRoutes(services, closing, { pageOf, imports }),
      (router) => registerAssetRoutes(router, { assets }),
      (router) => registerCommandFile(router, createCommandReader()),
      (router) => registerDocs(router, { readDocs: createDocsReader(), pageOf }),
      (router) => registerApiDescription(router, { baseUrl, version, pageOf, renderApiPage }),
      composeHealth(services, { examineServer, now }),
    ],
  });
  return { listener: createHttpServer({ app, logger, newRequestId: randomUUID }), routes };
}
