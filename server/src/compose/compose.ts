import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { UploaderServices } from '../access/uploaders/uploader-services.ts';
import type { Examination } from '../operations/examine-server.ts';
import { registerApiDescription } from '../operations/http/api-description.ts';
import { registerAppSetupRoutes } from '../operations/http/app-setup-routes.ts';
import { createDocsReader, registerDocs } from '../operations/http/docs-routes.ts';
import { registerPeople } from '../people/http/people-routes.ts';
import { registerAssetRoutes } from '../platform/http/assets.ts';
import { createCommandReader, registerCommandFile } from '../platform/http/command-file.ts';
import { createMetricsServer } from '../platform/http/metrics-server.ts';
import { createHttpServer } from '../platform/http/server.ts';
import type { HistoryServices } from '../repos/history-imports.ts';
import { createApp } from './app.ts';
import { composeExamination, composeHealth } from './doctor.ts';
import { composeHistories } from './histories.ts';
import { openServices } from './open-services.ts';
import { composeRoutes } from './routes.ts';
import type { Parts, ServerServices } from './services.ts';
import { composeSweeping, watchHostApps } from './workers.ts';
/** The running service except for its socket. */
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
  /** Waits for what is in progress, within a bound. */
  stop(): Promise<void>;
}

/** Puts every adapter in its place. */
export function compose(parts: Parts): Service {
  const { services, uploaders, loops, beginStop } = openServices(parts);
  const { closing } = loops;
  const { histories, loop } = composeHistories(services);
  const { mergingAhead, announcing, clock } = loops;
  const others = [loop, composeSweeping(services), clock, watchHostApps(services)];
  const all = [closing, mergingAhead, announcing, ...others];
  const examination = composeExamination(services);
  const onFault = (err: unknown): void => parts.logger.error({ err }, 'the metrics could not be read');
  const metricsListener = createMetricsServer({ scrape: services.metrics.scrape, onFault });
  return {
    ...composeListener(services, { uploaders, histories }, examination.whole),
    metricsListener,
    examine: examination.ofStart,
    start() {
      for (const loop of all) loop?.start();
    },
    beginStop,
    async stop() {
      metricsListener.close();
      metricsListener.closeAllConnections();
      await Promise.all([services.webhookNotes.flush(), services.groups.settled()]);
      await Promise.all(all.map((loop) => loop?.stop()));
      await Promise.all([services.pool.close(), services.highlighter.close()]);
    },
  };
}

/** What answers requests. */
function composeListener(
  services: ServerServices,
  given: { readonly uploaders: UploaderServices; readonly histories: ServerServices & HistoryServices },
  examineServer: Service['examine'],
): Pick<Service, 'listener' | 'routes'> {
  const { config, logger, pageOf, assets } = services;
  const now = (): number => performance.now();
  const { app, routes } = createApp({
    ...services,
    now,
    newRequestId: randomUUID,
    trustProxy: config.trustProxy,
    visitors: services,
    routes: [
      (router) => registerPeople(router, services),
      (router) => registerAppSetupRoutes(router, services),
      ...composeRoutes(services, given),
      (router) => registerAssetRoutes(router, { assets }),
      (router) => registerCommandFile(router, createCommandReader()),
      (router) => registerDocs(router, { readDocs: createDocsReader(), pageOf }),
      (router) => registerApiDescription(router, services),
      composeHealth(services, { examineServer, now }),
    ],
  });
  return { listener: createHttpServer({ app, logger, newRequestId: randomUUID }), routes };
}
