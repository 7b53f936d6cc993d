import { createExportReport } from '../builds/export-report.ts';
import { createFindChange } from '../builds/find-change.ts';
import { createFindKnownDiffs } from '../builds/find-changed-lines.ts';
import { createFindGained } from '../builds/find-gained.ts';
import { createFindBuildInRepo, createLocateBuild } from '../builds/find-in-repo.ts';
import { createFindReadableBuild } from '../builds/find-readable.ts';
import { registerBadgeRoutes } from '../builds/http/badges-routes.ts';
import { registerBuildRoutes } from '../builds/http/builds-routes.ts';
import { registerOldAddresses } from '../builds/http/old-addresses.ts';
import { registerSourceRoutes } from '../builds/http/sources-routes.ts';
import { createListSourceFiles } from '../builds/list-source-files.ts';
import { createReadPageMark } from '../builds/page-mark.ts';
import { renderBuildPage } from '../builds/pages/build-page.tsx';
import { renderCommitsPage } from '../builds/pages/commits-page.tsx';
import { renderPullPage } from '../builds/pages/pull-page.tsx';
import { renderReviewPage } from '../builds/pages/review-page.tsx';
import { createReadFlagChange } from '../builds/read-flag-change.ts';
import { createReadHits } from '../builds/read-hits.ts';
import { createReadLinesOfChecks } from '../builds/read-lines-of-checks.ts';
import { createReadExcerpts, createReadLinesToCover } from '../builds/read-lines-to-cover.ts';
import { createReadText } from '../builds/read-text.ts';
import { createReviewChange } from '../builds/review-change.ts';
import { createShowBadge } from '../builds/show-badge.ts';
import { createShowBuildPage } from '../builds/show-build-page.ts';
import { createFindNewestPush, createShowPull } from '../builds/show-pull.ts';
import { createReadSentDiff } from '../closing/sent-diff.ts';
import { createLargeAnswers } from '../platform/http/large-answers.ts';
import type { RegisterRoutes } from '../platform/http/router.ts';
import { nextTurn } from '../platform/http/turns.ts';
import type { ReadingParts } from './reading-parts.ts';
import { composeRepoPages } from './repo-pages.ts';

/** The hits of one file of 2^24 lines take 64 MiB, or twice that where they are counts beyond 31 bits. */
const LARGE_ANSWERS = { most: 2, waiting: 100, deadline: 5_000 };

/**
 * The part of compose.ts that only reads: builds, lists, files, badges, as JSON and as pages. To be registered after
 * the jobs' JSON.
 */
export function composeReading(parts: ReadingParts): readonly RegisterRoutes[] {
  const { store, secrets, reader, identifyReader, identifyBuildReader, addresses, timers } = parts;
  const { showBuild, knowAccess, pageOf } = parts;
  const { repos, builds, views } = store;
  const files = { findReadableBuild: createFindReadableBuild({ repos, views, knowAccess }), builds, reader };
  const reading = { identifyReader, addresses, pageOf };
  return [
    // Before the lists, which match more paths.
    (router) =>
      registerBadgeRoutes(router, {
        identifyReader,
        showBadge: createShowBadge({ repos, views, secrets, knowAccess }),
      }),
    (router) =>
      registerBuildRoutes(router, {
        ...reading,
        ...composeBuildPages(parts),
        identifyBuildReader,
        showBuild,
        renderBuildPage,
        renderPullPage,
        renderCommitsPage,
      }),
    ...composeRepoPages(parts),
    (router) =>
      registerSourceRoutes(router, {
        ...reading,
        listSourceFiles: createListSourceFiles(files),
        readHits: createReadHits(files),
        exportReport: createExportReport(files),
        locateBuild: createLocateBuild({ ...files, views }),
        awaitPlace: createLargeAnswers(LARGE_ANSWERS, timers),
      }),
    (router) => registerOldAddresses(router, { addresses }),
  ];
}

/** What the pages of builds and of pull requests show beside a build's JSON. */
function composeBuildPages(parts: ReadingParts) {
  const { store, reader, engine, hosts, showBuild, knowAccess, fetchSource, highlighter } = parts;
  const { repos, builds, views, jobs, facts } = store;
  const readSent = createReadSentDiff({ jobs, engine });
  const findChange = createFindChange({ facts, readSent });
  const findKnownDiffs = createFindKnownDiffs({ facts, views, readSent });
  const readText = createReadText({ jobs, reader, fetchSource });
  const excerpts = { builds, views, reader, findChange, readText, highlighter };
  const readFlagChange = createReadFlagChange({ jobs, reader, findChange });
  const readLinesToCover = createReadLinesToCover(excerpts);
  return {
    showBuildPage: createShowBuildPage({
      showBuild,
      readLinesOfChecks: createReadLinesOfChecks({ readLinesToCover, readFlagChange }),
      findGained: createFindGained({ builds, reader, findKnownDiffs }),
      builds,
      hosts,
    }),
    findBuildInRepo: createFindBuildInRepo({ repos, views, knowAccess }),
    showPull: createShowPull({ repos, views, hosts, knowAccess, turn: nextTurn }),
    reviewChange: createReviewChange({
      repos,
      views,
      knowAccess,
      findChange,
      findNewestPush: createFindNewestPush(views),
      readExcerpts: createReadExcerpts(excerpts),
    }),
    renderReviewPage,
    readPageMark: createReadPageMark({ findReadableBuild: createFindReadableBuild({ repos, views, knowAccess }) }),
  };
}
