import { createListBuilds } from '../builds/list-builds.ts';
import { createListFlags } from '../builds/list-flags.ts';
import { renderJobPage } from '../builds/pages/job-page.tsx';
import { createShowTrend } from '../builds/trend.ts';
import type { RegisterRoutes } from '../platform/http/router.ts';
import { registerHomeRoutes } from '../repos/http/home-routes.ts';
import { registerBuildListRoutes } from '../repos/http/listings-routes.ts';
import { registerFlagsPage, registerRepoPage, registerTrendRoutes } from '../repos/http/repo-pages-routes.ts';
import { createKnowsRepo } from '../repos/knows-repo.ts';
import { createListRepos } from '../repos/list-repos.ts';
import { renderFlagsPage } from '../repos/pages/flags-page.tsx';
import { renderHomePage } from '../repos/pages/home-page.tsx';
import { renderRepoPage } from '../repos/pages/repo-page.tsx';
import { createSearchTexts } from '../repos/search-texts.ts';
import { createShowHome } from '../repos/show-home.ts';
import { createShowRepo } from '../repos/show-repo.ts';
import { registerUploadsPage } from '../uploads/http/refused-uploads.ts';
import { createListRefused, createShowUploads } from '../uploads/list-refused.ts';
import { renderUploadsPage } from '../uploads/pages/uploads-page.tsx';
import type { ReadingParts } from './reading-parts.ts';

/** The pages of a repo, each before those whose addresses would take it too. */
export function composeRepoPages(parts: ReadingParts): readonly RegisterRoutes[] {
  const { store, secrets, hosts, clock, showJob, knowAccess, ownNames } = parts;
  const { repos, views } = store;
  const pages = {
    ...parts,
    listBuilds: createListBuilds({ repos, views, hosts, knowAccess }),
    showTrend: createShowTrend({ repos, views, clock, knowAccess }),
    showRepo: createShowRepo({ repos, views, refusals: store.refusals, secrets, hosts, clock, knowAccess }),
    knowsRepo: createKnowsRepo({ repos, knowAccess }),
    renderRepoPage,
    listFlags: createListFlags({ repos, views, clock, knowAccess, ownNames }),
    renderFlagsPage,
    showHome: createShowHome({
      listRepos: createListRepos({ repos, knowAccess }),
      views,
      searchTexts: createSearchTexts({ views, builds: store.builds, reader: parts.reader }),
      clock,
    }),
    renderHomePage,
    showUploads: createShowUploads({
      listRefused: createListRefused({ repos, refusals: store.refusals, clock, knowAccess }),
      views,
      clock,
    }),
    renderUploadsPage,
  };
  return [
    (router) => registerTrendRoutes(router, pages),
    (router) => registerFlagsPage(router, pages),
    (router) => registerUploadsPage(router, pages),
    (router) => registerBuildListRoutes(router, { ...pages, showJob, renderJobPage }),
    (router) => registerHomeRoutes(router, pages),
    (router) => registerRepoPage(router, pages),
  ];
}
