import { readHostApps } from '../platform/secrets/host-apps.ts';
import { createWorkLoop, type WorkLoop } from '../platform/timers/work-loop.ts';
import type { HostApp } from '../ports/host-apps.ts';
import type { ServerServices } from './services.ts';

/** How soon an App is used here that was made at another instance, in ms. */
const APPS_PAUSE = 10_000;

/** Signs in as an App from now on, unless it does so already; what was given up without it is tried again. */
export function createUseApp(services: Pick<ServerServices, 'useApp' | 'outbox' | 'clock' | 'onResumed'>) {
  const { useApp, outbox, clock, onResumed } = services;
  return async (app: HostApp): Promise<void> => {
    if (!useApp(app)) return;
    await outbox.resume(clock.now());
    onResumed();
  };
}

/** Where several processes share a store, an App may be made, or replaced, by any of them. */
export function watchHostApps(services: ServerServices): WorkLoop | undefined {
  const { store, secrets, clock, timers, logger } = services;
  if (!store.isShared) return undefined;
  const use = createUseApp(services);
  return createWorkLoop({
    name: 'apps',
    async run() {
      // Only a start seals them with the current key.
      const { apps } = await readHostApps({ hostApps: store.hostApps, secrets, hasPreviousKey: false });
      for (const app of apps) await use(app);
      return { nextAt: undefined, didWork: false };
    },
    maxIdle: APPS_PAUSE,
    clock,
    timers,
    logger,
  });
}
