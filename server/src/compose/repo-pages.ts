import type { RegisterRoutes } from '../http/router.ts';
import { registerHomeRoutes } from '../http/routes/home.ts';
import { registerBuildListRoutes } from '../http/routes/listings.ts';
import { registerUploadsPage } from '../http/routes/refused-uploads.ts';
import { registerFlagsPage, registerRepoPage, registerTrendRoutes } from '../http/routes/repo-pages.ts';
import { createListBuilds } from '../use-cases/builds/list-builds.ts';
import { createListFlags } from '../use-cases/builds/list-flags.ts';
import { createShowTrend } from '../use-cases/builds/trend.ts';
import { createKnowsRepo } from '../use-cases/repos/knows-repo.ts';
import { createListRepos } from '../use-cases/repos/list-repos.ts';
import { createShowHome } from '../use-cases/repos/show-home.ts';
import { createShowRepo } from '../use-cases/repos/show-repo.ts';
import { createListRefused, createShowUploads } from '../use-cases/uploads/list-refused.ts';
import { renderFlagsPage } from '../web/flags-page.tsx';
import { renderHomePage } from '../web/home-page.tsx';
import { renderJobPage } from '../web/job-page.tsx';
import { renderRepoPage } from '../web/repo-page.tsx';
import { renderUploadsPage } from '../web/uploads-page.tsx';
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
    showHome: createShowHome({ listRepos: createListRepos({ repos, knowAccess }), views, clock }),
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
