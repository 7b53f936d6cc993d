import { createExamineServer, type Examination } from '../operations/examine-server.ts';
import { registerHealthRoutes } from '../operations/http/health-routes.ts';
import type { RegisterRoutes } from '../platform/http/router.ts';
import { createKeyCheck } from '../platform/secrets/check-key.ts';
import { describeOpened } from '../storage/open/inspect-store.ts';
import { readDoctorSettings } from './doctor-settings.ts';
import type { ServerServices } from './services.ts';

/** What the server finds about itself; `ofStart`: without a question to hosts that it has no credential for. */
export function composeExamination(
  services: ServerServices,
): Readonly<Record<'whole' | 'ofStart', () => Promise<Examination>>> {
  const { config, baseUrl, hosts } = services;
  const database = describeOpened(config.databaseUrl);
  // Where it listens is known only once it does.
  const deps = () => ({ ...services, ...readDoctorSettings(config), database, baseUrl: baseUrl() });
  const used = () => ({ of: hosts.of, all: hosts.all.filter(({ provider }) => provider !== undefined) });
  return {
    whole: createExamineServer(deps),
    ofStart: createExamineServer(() => ({ ...deps(), hosts: used() })),
  };
}

/** Whether the server lives and is ready, and what it finds about itself. */
export function composeHealth(
  services: ServerServices,
  { examineServer, now }: { readonly examineServer: () => Promise<Examination>; readonly now: () => number },
): RegisterRoutes {
  const { store, secrets, webhookNotes } = services;
  const checkKey = createKeyCheck({ repos: store.repos, secrets });
  return (router) =>
    registerHealthRoutes(router, services, {
      async checkStore() {
        await store.check();
        // One process has a file to itself, and looked at its key as it started.
        if (store.isShared) await checkKey();
      },
      async examineServer() {
        // What was counted of webhooks is looked at, too.
        await webhookNotes.flush();
        return examineServer();
      },
      now,
    });
}
