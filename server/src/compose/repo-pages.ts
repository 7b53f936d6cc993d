import { type CompareBuilds, createCompareBuilds } from '../builds/compare-builds.ts';
import { createFindKnownDiffs } from '../builds/find-changed-lines.ts';
import { createFindBuildInRepo } from '../builds/find-in-repo.ts';
import { createFindNamedBuild } from '../builds/find-named-build.ts';
import { createListBuilds } from '../builds/list-builds.ts';
import { createListFlags } from '../builds/list-flags.ts';
import { createListFlipping } from '../builds/list-flipping.ts';
import { renderComparePage } from '../builds/pages/compare-page.tsx';
import { renderFlippingPage } from '../builds/pages/flipping-page.tsx';
import { renderJobPage } from '../builds/pages/job-page.tsx';
import { createShowTrend } from '../builds/trend.ts';
import { createReadSentDiff } from '../closing/sent-diff.ts';
import { Failure } from '../core/failure.ts';
import type { RegisterRoutes } from '../platform/http/router.ts';
import { Scheduler } from '../platform/scheduler.ts';
import { registerCompareRoutes } from '../repos/http/compare-routes.ts';
import { registerFlippingRoutes } from '../repos/http/flipping-routes.ts';
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
  const compareBuilds = composeComparison(parts);
  const pages = {
    ...parts,
    listBuilds: createListBuilds({ repos, views, hosts, knowAccess }),
    showTrend: createShowTrend({ repos, views, clock, knowAccess }),
    showRepo: createShowRepo({ repos, views, refusals: store.refusals, secrets, hosts, clock, knowAccess }),
    knowsRepo: createKnowsRepo({ repos, knowAccess }),
    renderRepoPage,
    listFlags: createListFlags({ repos, views, clock, knowAccess, ownNames }),
    renderFlagsPage,
    listFlipping: createListFlipping({ repos, views, flipLedgers: store.flipLedgers, clock, knowAccess }),
    renderFlippingPage,
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
    (router) => registerCompareRoutes(router, { ...pages, repos, views, compareBuilds, renderComparePage }),
    (router) => registerTrendRoutes(router, pages),
    (router) => registerFlagsPage(router, pages),
    (router) => registerFlippingRoutes(router, pages),
    (router) => registerUploadsPage(router, pages),
    (router) => registerBuildListRoutes(router, { ...pages, showJob, renderJobPage }),
    (router) => registerHomeRoutes(router, pages),
    (router) => registerRepoPage(router, pages),
  ];
}

/** Comparisons of whole reports at once, requests that may wait for one, and for how long (ms). */
const COMPARISONS = { most: 2, waiting: 20, deadline: 10_000 };

function composeComparison({ store, engine, reader, knowAccess, timers }: ReadingParts): CompareBuilds {
  const { repos, builds, views, facts, jobs } = store;
  const findBuildInRepo = createFindBuildInRepo({ repos, views, knowAccess });
  const refuse = () =>
    new Failure('unavailable', 'The server is comparing as many builds as it can. Ask again in a few seconds.');
  const wait = { most: COMPARISONS.waiting, deadline: COMPARISONS.deadline, refuse };
  return createCompareBuilds({
    findNamedBuild: createFindNamedBuild({ repos, views, knowAccess, findBuildInRepo }),
    findKnownDiffs: createFindKnownDiffs({ facts, views, readSent: createReadSentDiff({ jobs, engine }) }),
    places: new Scheduler({ capacity: COMPARISONS.most, wait, timers }),
    builds,
    views,
    facts,
    engine,
    reader,
  });
}
