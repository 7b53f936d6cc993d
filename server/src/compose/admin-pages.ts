import type { IdentifyReader } from '../http/middleware/authenticate.ts';
import { takeForm } from '../http/middleware/forms.ts';
import type { PageOf } from '../http/presenters/page-of.ts';
import type { RegisterRoutes } from '../http/router.ts';
import { registerAdminPages } from '../http/routes/admin-pages.ts';
import { createAdministerServer } from '../use-cases/access/administer-server.ts';
import { createListSetAside } from '../use-cases/builds/list-set-aside.ts';
import { createListRepos } from '../use-cases/repos/list-repos.ts';
import { withVisibility } from '../use-cases/repos/visible-repos.ts';
import { renderAdminPage } from '../web/admin-page.tsx';
import type { WorkLoop } from '../workers/work-loop.ts';
import { composeChanges } from './administration.ts';
import type { Services } from './services.ts';

/** What administrators see of all repos together. */
export function composeAdminPages(
  services: Services,
  closing: WorkLoop,
  reading: { readonly identifyReader: IdentifyReader; readonly pageOf: PageOf },
): RegisterRoutes {
  const { config, store, clock, outbox, baseUrl, knowAccess } = services;
  const { repos } = withVisibility(store, config);
  const administer = createAdministerServer({
    ...store,
    store,
    repos,
    listRepos: createListRepos({ repos, knowAccess }),
    excludeBase: composeChanges(services, closing).excludeBase,
    listSetAside: createListSetAside({ builds: store.builds, repos }),
    clock,
    onUnparked: outbox.nudge,
    onDue: closing.nudge,
  });
  return (router) =>
    registerAdminPages(router, {
      ...reading,
      takeForm: takeForm({ baseUrl, forPrograms: true }),
      administer,
      renderAdminPage,
    });
}
