import { authenticate } from '../http/middleware/authenticate.ts';
import type { RegisterRoutes } from '../http/router.ts';
import { registerHealthRoutes } from '../http/routes/health.ts';
import { describeOpened } from '../store/inspect-store.ts';
import { createIdentifyCaller } from '../use-cases/access/identify-caller.ts';
import { createExamineServer } from '../use-cases/doctor/examine-server.ts';
import { createShowExamination } from '../use-cases/doctor/show-examination.ts';
import { readDoctorSettings } from './doctor-settings.ts';
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
