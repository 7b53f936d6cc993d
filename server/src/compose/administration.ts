import { takeForm } from '../access/browser/forms.ts';
import { createAcceptFailure } from '../builds/accept-failure.ts';
import { createExcludeBase } from '../builds/exclude-base.ts';
import { registerBuildAcceptanceRoutes } from '../builds/http/build-acceptance-routes.ts';
import { registerBuildAdminRoutes } from '../builds/http/build-admin-routes.ts';
import { createListSetAside } from '../builds/list-set-aside.ts';
import { createRemoveBuild } from '../builds/remove-build.ts';
import { createReevaluateDependents } from '../closing/reevaluate-dependents.ts';
import { registerMetricsRoutes } from '../operations/http/metrics-routes.ts';
import { createShowMetrics } from '../operations/show-metrics.ts';
import type { RegisterRoutes } from '../platform/http/router.ts';
import type { WorkLoop } from '../platform/timers/work-loop.ts';
import { createAddresses } from '../platform/web/addresses.ts';
import { registerSettingsRoutes } from '../repos/http/settings-routes.ts';
import { createShowSettings } from '../repos/show-settings.ts';
import { createUpdateSettings } from '../repos/update-settings.ts';
import { registerRefusedUploads } from '../uploads/http/refused-uploads.ts';
import { createListRefused } from '../uploads/list-refused.ts';
import { createHandleEvent } from '../webhooks/handle-event.ts';
import { registerHookRoutes } from '../webhooks/http/hooks-routes.ts';
import type { Services } from './services.ts';

/** Settings that the repos API does not have; to be registered before the repo routes, which match more paths. */
export function composeAdministration(
  services: Services,
  closing: WorkLoop,
  identifyCaller: Parameters<typeof registerSettingsRoutes>[1]['identifyCaller'],
): readonly RegisterRoutes[] {
  const { config, store, clock, knowAccess } = services;
  const { repos, builds } = store;
  const { requireSignIn, metricsToken } = config;
  const reevaluateDependents = createReevaluateDependents({ builds, clock });
  const { scrape } = services.metrics;
  const showMetrics = createShowMetrics({ scrape, metricsToken, secrets: services.secrets });
  const { updateSettings, excludeBase } = composeChanges(services, closing);
  return [
    (router) => registerMetricsRoutes(router, { identifyCaller, showMetrics }),
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
