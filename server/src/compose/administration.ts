import { createReevaluateDependents } from '../closing/reevaluate-dependents.ts';
import type { KnownProviders } from '../domain/repo/warnings.ts';
import type { RegisterRoutes } from '../http/router.ts';
import { registerBuildAdminRoutes } from '../http/routes/builds-admin/builds-admin.ts';
import { registerHookRoutes } from '../http/routes/hooks/hooks.ts';
import { registerSettingsRoutes } from '../http/routes/settings/settings.ts';
import { createGithubHook } from '../providers/github/webhook.ts';
import { createExcludeBase } from '../use-cases/builds/exclude-base.ts';
import { createHandleEvent } from '../use-cases/provider-events/handle-event.ts';
import { createShowSettings } from '../use-cases/repos/show-settings.ts';
import { createUpdateSettings } from '../use-cases/repos/update-settings.ts';
import type { WorkLoop } from '../workers/work-loop.ts';
import type { Services } from './services.ts';

/** What is set beyond the six of the API; before the repo routes, whose paths are wider. */
export function composeAdministration(
  services: Services,
  closing: WorkLoop,
  identifyCaller: Parameters<typeof registerSettingsRoutes>[1]['identifyCaller'],
): readonly RegisterRoutes[] {
  const { config, store, clock, timers, askProvider } = services;
  const { repos, builds } = store;
  const { requireSignIn } = config;
  const reevaluateDependents = createReevaluateDependents({ builds, clock });
  return [
    (router) =>
      registerSettingsRoutes(router, {
        identifyCaller,
        showSettings: createShowSettings({ repos, requireSignIn }),
        updateSettings: createUpdateSettings({
          repos,
          builds,
          askProvider,
          clock,
          timers,
          requireSignIn,
          providers: knownTo(services),
          onDue: closing.nudge,
        }),
      }),
    (router) =>
      registerBuildAdminRoutes(router, {
        identifyCaller,
        excludeBase: createExcludeBase({ builds, repos, clock, reevaluateDependents, onDue: closing.nudge }),
      }),
  ];
}

/** Whom the server speaks to, for those who only ask. */
export function knownTo({ providers, githubApp }: Services): KnownProviders {
  return { has: (service) => providers.for(service) !== undefined, githubApp: githubApp?.id };
}

/** What GitHub tells by itself. */
export function composeGithubHook(
  { config, store, clock, timers, askProvider, githubApp, outbox }: Services,
  closing: WorkLoop,
): readonly RegisterRoutes[] {
  const { quietPeriod } = config;
  const following = { ...store, githubApp, onUnparked: outbox.nudge };
  return [
    (router) =>
      registerHookRoutes(router, {
        githubHook: createGithubHook({ secret: config.githubWebhookSecret }),
        handleEvent: createHandleEvent({ ...following, askProvider, clock, timers, quietPeriod, onDue: closing.nudge }),
      }),
  ];
}
