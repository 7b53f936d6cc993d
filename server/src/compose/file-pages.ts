import type { IdentifyReader } from '../access/browser/authenticate.ts';
import { createBrowseFiles } from '../builds/browse-files.ts';
import type { FetchSource } from '../builds/fetch-source.ts';
import { createFindChangedLines, createFindKnownDiffs } from '../builds/find-changed-lines.ts';
import { createFindFileFlags } from '../builds/find-file-flags.ts';
import { createFindBuildInRepo } from '../builds/find-in-repo.ts';
import { registerFilePages } from '../builds/http/file-pages.ts';
import { renderCommitsPage } from '../builds/pages/commits-page.tsx';
import { renderFilePage } from '../builds/pages/file-page.tsx';
import { renderFilesPage } from '../builds/pages/files-page.tsx';
import { createShowSource } from '../builds/show-source.ts';
import { createReadSentDiff } from '../closing/sent-diff.ts';
import type { PageOf } from '../platform/http/page-of.ts';
import type { RegisterRoutes } from '../platform/http/router.ts';
import type { Store } from '../storage/store.ts';
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
