import { createReevaluateDependents } from '../closing/reevaluate-dependents.ts';
import { takeForm } from '../http/middleware/forms.ts';
import { createAddresses } from '../http/presenters/addresses.ts';
import type { RegisterRoutes } from '../http/router.ts';
import { registerBuildAcceptanceRoutes } from '../http/routes/build-acceptance.ts';
import { registerBuildAdminRoutes } from '../http/routes/build-admin.ts';
import { registerHookRoutes } from '../http/routes/hooks.ts';
import { registerMetricsRoutes } from '../http/routes/metrics.ts';
import { registerRefusedUploads } from '../http/routes/refused-uploads.ts';
import { registerSettingsRoutes } from '../http/routes/settings.ts';
import { createShowMetrics } from '../use-cases/access/show-metrics.ts';
import { createAcceptFailure } from '../use-cases/builds/accept-failure.ts';
import { createExcludeBase } from '../use-cases/builds/exclude-base.ts';
import { createListSetAside } from '../use-cases/builds/list-set-aside.ts';
import { createRemoveBuild } from '../use-cases/builds/remove-build.ts';
import { createHandleEvent } from '../use-cases/provider-events/handle-event.ts';
import { createShowSettings } from '../use-cases/repos/show-settings.ts';
import { createUpdateSettings } from '../use-cases/repos/update-settings.ts';
import { createListRefused } from '../use-cases/uploads/list-refused.ts';
import type { WorkLoop } from '../workers/work-loop.ts';
import type { Services } from './services.ts';

/** Settings that the repos API does not have; to be registered before the repo routes, which match more paths. */
export function composeAdministration(
  services: Services,
  closing: WorkLoop,
  identifyCaller: Parameters<typeof registerSettingsRoutes>[1]['identifyCaller'],
): readonly RegisterRoutes[] {
  const { config, store, clock, knowAccess } = services;
  const { repos, builds } = store;
  const { requireSignIn } = config;
  const reevaluateDependents = createReevaluateDependents({ builds, clock });
  const { updateSettings, excludeBase } = composeChanges(services, closing);
  return [
    (router) => registerMetricsRoutes(router, { identifyCaller, showMetrics: createShowMetrics(services.metrics) }),
    (router) =>
      registerRefusedUploads(router, {
        identifyCaller,
        listRefused: createListRefused({ repos, knowAccess, refusals: store.refusals, clock }),
      }),
    (router) =>
      registerSettingsRoutes(router, {
        identifyCaller,
        showSettings: createShowSettings({ repos, knowAccess, requireSignIn }),
        updateSettings,
      }),
    (router) =>
      registerBuildAcceptanceRoutes(router, {
        identifyCaller,
        addresses: createAddresses(services.baseUrl),
        takeForm: takeForm({ baseUrl: services.baseUrl, forPrograms: true }),
        acceptFailure: createAcceptFailure({ builds, repos, knowAccess, clock, onDue: closing.nudge }),
      }),
    (router) => {
      const changing = { builds, repos, knowAccess, clock, reevaluateDependents, onDue: closing.nudge };
      registerBuildAdminRoutes(router, {
        identifyCaller,
        addresses: createAddresses(services.baseUrl),
        excludeBase,
        removeBuild: createRemoveBuild(changing),
        listSetAside: createListSetAside({ builds, repos }),
      });
    },
  ];
}

/** What both the API and the pages may change. */
export function composeChanges(services: Services, closing: WorkLoop) {
  const { config, store, clock, timers, askProvider, hosts, knowAccess } = services;
  const { repos, builds } = store;
  const { requireSignIn } = config;
  const reevaluateDependents = createReevaluateDependents({ builds, clock });
  const onDue = closing.nudge;
  return {
    updateSettings: createUpdateSettings({
      repos,
      knowAccess,
      builds,
      askProvider,
      clock,
      timers,
      requireSignIn,
      hosts,
      onDue,
    }),
    excludeBase: createExcludeBase({ builds, repos, knowAccess, clock, reevaluateDependents, onDue }),
  };
}

/** Events that git hosts send. */
export function composeHooks(services: Services, closing: WorkLoop): RegisterRoutes {
  const { config, store, clock, timers, askProvider, hosts, outbox } = services;
  const handleEvent = createHandleEvent({
    ...store,
    hosts,
    askProvider,
    clock,
    timers,
    quietPeriod: config.quietPeriod,
    onUnparked: outbox.nudge,
    onDue: closing.nudge,
  });
  return (router) =>
    registerHookRoutes(router, {
      hosts,
      handleEvent,
      noteMessage: services.webhookNotes.note,
      logger: services.logger,
    });
}
