import type { IdentifyReader } from '../access/browser/authenticate.ts';
import { takeForm } from '../access/browser/forms.ts';
import { serverStatusNames } from '../core/announce/status-names.ts';
import type { PageOf } from '../platform/http/page-of.ts';
import type { RegisterRoutes } from '../platform/http/router.ts';
import type { WorkLoop } from '../platform/timers/work-loop.ts';
import { createAddresses } from '../platform/web/addresses.ts';
import { createCreateRepo } from '../repos/create-repo.ts';
import type { HistoryImports } from '../repos/history-imports.ts';
import { registerHistoryPages } from '../repos/http/history-pages.ts';
import { registerNewRepo } from '../repos/http/new-repo.ts';
import { registerSettingsPages } from '../repos/http/settings-pages.ts';
import { createKnowsRepo } from '../repos/knows-repo.ts';
import { renderHistoryPage } from '../repos/pages/history-page.tsx';
import { renderNewRepoPage } from '../repos/pages/new-repo-page.tsx';
import { renderSettingsPage } from '../repos/pages/settings-page.tsx';
import { createRemoveRepo } from '../repos/remove-repo.ts';
import { createRotateRepoToken } from '../repos/rotate-repo-token.ts';
import { createSetHostToken } from '../repos/set-host-token.ts';
import { createSetWebhook } from '../repos/set-webhook.ts';
import { createShowSettingsPage } from '../repos/show-settings-page.ts';
import { composeChanges } from './administration.ts';
import type { Services } from './services.ts';

/** The pages by which people change a repo; to be registered before the page that takes all addresses of repos. */
export function composeSettingsPages(
  services: Services,
  closing: WorkLoop,
  reading: { readonly identifyReader: IdentifyReader; readonly pageOf: PageOf; readonly imports: HistoryImports },
): RegisterRoutes {
  const { config, store, secrets, clock, hosts, outbox, baseUrl, knowAccess } = services;
  const { repos, views } = store;
  const { requireSignIn } = config;
  const ownNames = serverStatusNames(config.statusContext);
  return (router) => {
    registerNewRepo(router, {
      createRepo: createCreateRepo({ repos, secrets, clock, knowAccess }),
      takeForm: takeForm({ baseUrl }),
      pageOf: reading.pageOf,
      renderNewRepoPage,
    });
    registerHistoryPages(router, {
      ...reading,
      takeForm: takeForm({ baseUrl, forPrograms: true }),
      knowsRepo: createKnowsRepo({ repos, knowAccess }),
      baseUrl,
      addresses: createAddresses(baseUrl),
      renderHistoryPage,
    });
    registerSettingsPages(router, {
      ...reading,
      ...composeChanges(services, closing),
      takeForm: takeForm({ baseUrl, forPrograms: true }),
      knowsRepo: createKnowsRepo({ repos, knowAccess }),
      showSettingsPage: createShowSettingsPage({
        repos,
        views,
        tokenUses: store.tokenUses,
        clock,
        secrets,
        hosts,
        ownNames,
        requireSignIn,
        knowAccess,
      }),
      rotateRepoToken: createRotateRepoToken({ repos, secrets, clock, knowAccess }),
      setHostToken: createSetHostToken({
        ...services,
        ...store,
        learn: (secret) => services.secretTexts.learn([secret]),
        onUnparked: outbox.nudge,
      }),
      setWebhook: createSetWebhook({ ...services, ...store }),
      removeRepo: createRemoveRepo({ repos, clock, knowAccess, onDue: outbox.nudge }),
      addresses: createAddresses(baseUrl),
      renderSettingsPage,
    });
  };
}
