import type { IdentifyReader } from '../access/browser/authenticate.ts';
import { takeForm } from '../access/browser/forms.ts';
import { createListSetAside } from '../builds/list-set-aside.ts';
import { createAdministerServer } from '../operations/administer-server.ts';
import { registerAdminPages } from '../operations/http/admin-pages.ts';
import { renderAdminPage } from '../operations/pages/admin-page.tsx';
import type { PageOf } from '../platform/http/page-of.ts';
import type { RegisterRoutes } from '../platform/http/router.ts';
import type { WorkLoop } from '../platform/timers/work-loop.ts';
import { createListRepos } from '../repos/list-repos.ts';
import { withVisibility } from '../repos/visible-repos.ts';
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
