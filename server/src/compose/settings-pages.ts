import { serverStatusNames } from '../domain/announce/status-names.ts';
import type { IdentifyReader } from '../http/middleware/authenticate.ts';
import { takeForm } from '../http/middleware/forms.ts';
import { createAddresses } from '../http/presenters/addresses.ts';
import type { PageOf } from '../http/presenters/page-of.ts';
import type { RegisterRoutes } from '../http/router.ts';
import { registerNewRepo } from '../http/routes/new-repo.ts';
import { registerSettingsPages } from '../http/routes/settings-pages.ts';
import { createCreateRepo } from '../use-cases/repos/create-repo.ts';
import { createKnowsRepo } from '../use-cases/repos/knows-repo.ts';
import { createRemoveRepo } from '../use-cases/repos/remove-repo.ts';
import { createRotateRepoToken } from '../use-cases/repos/rotate-repo-token.ts';
import { createShowSettingsPage } from '../use-cases/repos/show-settings-page.ts';
import { renderNewRepoPage } from '../web/new-repo-page.tsx';
import { renderSettingsPage } from '../web/settings-page.tsx';
import type { WorkLoop } from '../workers/work-loop.ts';
import { composeChanges } from './administration.ts';
import type { Services } from './services.ts';

/** The pages by which people change a repo; to be registered before the page that takes all addresses of repos. */
export function composeSettingsPages(
  services: Services,
  closing: WorkLoop,
  reading: { readonly identifyReader: IdentifyReader; readonly pageOf: PageOf },
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
      removeRepo: createRemoveRepo({ repos, clock, knowAccess, onDue: outbox.nudge }),
      addresses: createAddresses(baseUrl),
      renderSettingsPage,
    });
  };
}
