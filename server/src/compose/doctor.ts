import type { Config } from '../config.ts';
import { authenticate } from '../http/middleware/authenticate.ts';
import type { RegisterRoutes } from '../http/router.ts';
import { registerHealthRoutes } from '../http/routes/health.ts';
import { describeOpened } from '../store/inspect-store.ts';
import { createIdentifyCaller } from '../use-cases/access/identify-caller.ts';
import type { DoctorDeps } from '../use-cases/doctor/check.ts';
import { createExamineServer } from '../use-cases/doctor/examine-server.ts';
import { createShowExamination } from '../use-cases/doctor/show-examination.ts';
import { identifyingOf } from './readers.ts';
import type { Services } from './services.ts';

/** Whether the server lives and is ready, and what it finds about itself. */
export function composeHealth(services: Services, now: () => number): RegisterRoutes {
  const { config, store, secrets, baseUrl, webhookNotes, isStopping } = services;
  const database = describeOpened(config.databaseUrl);
  // Where it listens is known only once it does.
  const examineServer = createExamineServer(() => ({
    ...services,
    ...readDoctorSettings(config),
    database,
    baseUrl: baseUrl(),
  }));
  return (router) =>
    registerHealthRoutes(router, {
      checkStore: store.check,
      isStopping,
      now,
      identity: secrets.serverIdentity,
      identifyCaller: authenticate(createIdentifyCaller(identifyingOf(services))),
      showExamination: createShowExamination({ examineServer, flush: webhookNotes.flush }),
    });
}

/** What the checks know of the settings. */
export function readDoctorSettings({
  baseUrl,
  minFreeDisk,
  outgoing,
}: Config): Pick<DoctorDeps, 'isBaseUrlSet' | 'minFreeDisk' | 'outgoing'> {
  const { httpsProxy, httpProxy, noProxy, ca } = outgoing;
  const set = { HTTPS_PROXY: httpsProxy, HTTP_PROXY: httpProxy, NO_PROXY: noProxy, CA_FILE: ca };
  const names = Object.entries(set).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  return { isBaseUrlSet: baseUrl !== undefined, minFreeDisk, outgoing: names };
}
