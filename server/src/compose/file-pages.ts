import { createReadSentDiff } from '../closing/sent-diff.ts';
import type { IdentifyReader } from '../http/middleware/authenticate.ts';
import type { PageOf } from '../http/presenters/page-of.ts';
import type { RegisterRoutes } from '../http/router.ts';
import { registerFilePages } from '../http/routes/file-pages.ts';
import type { Store } from '../ports/store.ts';
import { createBrowseFiles } from '../use-cases/builds/browse-files.ts';
import type { FetchSource } from '../use-cases/builds/fetch-source.ts';
import { createFindChangedLines, createFindKnownDiffs } from '../use-cases/builds/find-changed-lines.ts';
import { createFindFileFlags } from '../use-cases/builds/find-file-flags.ts';
import { createFindBuildInRepo } from '../use-cases/builds/find-in-repo.ts';
import { createShowSource } from '../use-cases/builds/show-source.ts';
import { renderCommitsPage } from '../web/commits-page.tsx';
import { renderFilePage } from '../web/file-page.tsx';
import { renderFilesPage } from '../web/files-page.tsx';
import type { Services } from './services.ts';

/** The pages of a build's files. To be registered before those of repos, whose addresses are shorter. */
export function composeFilePages(
  services: Services,
  reading: {
    readonly store: Store;
    readonly identifyReader: IdentifyReader;
    readonly pageOf: PageOf;
    readonly fetchSource: FetchSource;
  },
): RegisterRoutes {
  const { pool, hosts, highlighter, knowAccess } = services;
  const { store, identifyReader, pageOf, fetchSource } = reading;
  const { builds, views, jobs, facts } = store;
  const readSent = createReadSentDiff({ jobs, engine: pool });
  const findKnownDiffs = createFindKnownDiffs({ facts, views, readSent });
  const findBuild = createFindBuildInRepo({ ...store, knowAccess });
  return (router) =>
    registerFilePages(router, {
      identifyReader,
      pageOf,
      browseFiles: createBrowseFiles({ findBuild, builds, views, jobs, reader: pool, findKnownDiffs }),
      showSource: createShowSource({
        findBuild,
        builds,
        views,
        jobs,
        reader: pool,
        fetchSource,
        highlighter,
        findChangedLines: createFindChangedLines({ findKnownDiffs }),
        findFileFlags: createFindFileFlags({ jobs, reader: pool }),
        hosts,
      }),
      renderFilesPage,
      renderFilePage,
      renderCommitsPage,
    });
}
