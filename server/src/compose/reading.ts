import { createLargeAnswers } from '../http/middleware/large-answers.ts';
import type { RegisterRoutes } from '../http/router.ts';
import { registerBadgeRoutes } from '../http/routes/badges.ts';
import { registerBuildRoutes } from '../http/routes/builds.ts';
import { registerOldAddresses } from '../http/routes/old-addresses.ts';
import { registerSourceRoutes } from '../http/routes/sources.ts';
import { createFindReadableBuild } from '../use-cases/builds/find-readable.ts';
import { createListSourceFiles } from '../use-cases/builds/list-source-files.ts';
import { createReadHits, createReadSource } from '../use-cases/builds/read-source.ts';
import { createShowBadge } from '../use-cases/builds/show-badge.ts';
import { renderBuildPage } from '../web/build-page.tsx';
import { renderSourceFilesPage } from '../web/source-files-page.tsx';
import { renderSourcePage } from '../web/source-page.tsx';
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
  const { showBuild, pageOf } = parts;
  const { repos, builds, views, jobs } = store;
  const files = { findReadableBuild: createFindReadableBuild({ repos, views }), builds, reader };
  const reading = { identifyReader, addresses, pageOf };
  return [
    (router) => registerBuildRoutes(router, { ...reading, identifyBuildReader, showBuild, renderBuildPage }),
    (router) => registerBadgeRoutes(router, { identifyReader, showBadge: createShowBadge({ repos, views, secrets }) }),
    ...composeRepoPages(parts),
    (router) =>
      registerSourceRoutes(router, {
        ...reading,
        listSourceFiles: createListSourceFiles(files),
        readHits: createReadHits(files),
        readSource: createReadSource({ ...files, jobs }),
        awaitPlace: createLargeAnswers(LARGE_ANSWERS, timers),
        renderSourceFilesPage,
        renderSourcePage,
      }),
    (router) => registerOldAddresses(router, { addresses }),
  ];
}
