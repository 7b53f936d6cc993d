import { useMadeApp } from '../operations/set-up-app.ts';
import { readHostApps } from '../platform/host-apps.ts';
import { createWorkLoop, type WorkLoop } from '../platform/timers/work-loop.ts';
import type { ServerServices } from './services.ts';

/** How soon an App is used here that was made at another instance, in ms. */
const APPS_PAUSE = 10_000;

/** Where several processes share a store, an App may be made, or replaced, by any of them. */
export function watchHostApps(services: ServerServices): WorkLoop | undefined {
  const { store, secrets, clock, timers, logger } = services;
  if (!store.isShared) return undefined;
  return createWorkLoop({
    name: 'apps',
    async run() {
      // Only a start seals them with the current key.
      const { apps } = await readHostApps({ hostApps: store.hostApps, secrets, hasPreviousKey: false });
      for (const app of apps) await useMadeApp(services, app);
      return { nextAt: undefined, didWork: false };
    },
    maxIdle: APPS_PAUSE,
    clock,
    timers,
    logger,
  });
}
