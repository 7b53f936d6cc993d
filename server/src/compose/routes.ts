import type { UploaderServices } from '../access/uploaders/uploader-services.ts';
import { registerBadgeRoutes } from '../builds/http/badges-routes.ts';
import { registerBuildAcceptanceRoutes } from '../builds/http/build-acceptance-routes.ts';
import { registerBuildAdminRoutes } from '../builds/http/build-admin-routes.ts';
import { registerBuildRoutes } from '../builds/http/builds-routes.ts';
import { registerFilePages } from '../builds/http/file-pages.ts';
import { registerOldAddresses } from '../builds/http/old-addresses.ts';
import { registerSourceRoutes } from '../builds/http/sources-routes.ts';
import { registerCloseRoutes } from '../closing/http/closes-routes.ts';
import { registerAdminPages } from '../operations/http/admin-pages.ts';
import { registerAuditRoutes } from '../operations/http/audit-routes.ts';
import { registerMetricsRoutes } from '../operations/http/metrics-routes.ts';
import type { RegisterRoutes } from '../platform/http/router.ts';
import type { HistoryServices } from '../repos/history-imports.ts';
import { registerCiFiles } from '../repos/http/ci-files.ts';
import { registerCompareRoutes } from '../repos/http/compare-routes.ts';
import { registerCoverageFileRoutes } from '../repos/http/coverage-file-routes.ts';
import { registerFlippingRoutes } from '../repos/http/flipping-routes.ts';
import { registerHistoryPages } from '../repos/http/history-pages.ts';
import { registerHomeRoutes } from '../repos/http/home-routes.ts';
import { registerBuildListRoutes } from '../repos/http/listings-routes.ts';
import { registerNewRepo } from '../repos/http/new-repo.ts';
import {
  registerFlagsPage,
  registerRepoPage,
  registerSetupPage,
  registerTrendPage,
  registerTrendRoutes,
} from '../repos/http/repo-pages-routes.ts';
import { registerRepoList, registerRepoRoutes } from '../repos/http/repos-routes.ts';
import { registerRulesRoutes } from '../repos/http/rules-routes.ts';
import { registerSettingsPages } from '../repos/http/settings-pages.ts';
import { registerSettingsRoutes } from '../repos/http/settings-routes.ts';
import { withVisibility } from '../repos/visible-repos.ts';
import type { Services } from '../services/services.ts';
import { registerRefusedUploads, registerUploadsPage } from '../uploads/http/refused-uploads.ts';
import { registerUploadSettings } from '../uploads/http/upload-settings.ts';
import { registerUploads } from '../uploads/http/uploads-routes.ts';
import { registerHookRoutes } from '../webhooks/http/hooks-routes.ts';
import { over, type ServerServices } from './services.ts';

type Register = (router: Parameters<RegisterRoutes>[0], services: Services) => void;

/** What changes a repo, and shows its settings as they are stored. For all lists: more general paths come later. */
const OF_REPOS: readonly Register[] = [
  registerRefusedUploads,
  registerSettingsRoutes,
  registerBuildAcceptanceRoutes,
  registerBuildAdminRoutes,
  registerRepoRoutes,
  registerCiFiles,
];

const BESIDE_UPLOADS: readonly Register[] = [registerCoverageFileRoutes, registerUploadSettings];

/** What shows repos as they may be seen. */
const READING: readonly Register[] = [
  registerBadgeRoutes,
  registerBuildRoutes,
  registerCompareRoutes,
  registerTrendRoutes,
  registerTrendPage,
  registerRulesRoutes,
  registerFlagsPage,
  registerSetupPage,
  registerFlippingRoutes,
  registerUploadsPage,
  registerBuildListRoutes,
  registerHomeRoutes,
  // It takes every other address below a service.
  registerRepoPage,
  registerSourceRoutes,
  registerOldAddresses,
];

/** Every route, in the order in which paths are tried. */
export function composeRoutes(
  services: ServerServices,
  { uploaders, histories }: { readonly uploaders: UploaderServices; readonly histories: Services & HistoryServices },
): readonly RegisterRoutes[] {
  const { config, store } = services;
  const seen = over(services, withVisibility(store, config));
  return [
    (router) => registerHookRoutes(router, services),
    (router) => registerMetricsRoutes(router, services),
    (router) => registerRepoList(router, seen),
    ...bind(OF_REPOS, services),
    (router) => registerUploads(router, uploaders, seen),
    (router) => registerCloseRoutes(router, uploaders),
    ...bind(BESIDE_UPLOADS, services),
    (router) => registerFilePages(router, seen),
    (router) => registerNewRepo(router, services),
    (router) => registerHistoryPages(router, histories),
    (router) => registerSettingsPages(router, services),
    (router) => registerAdminPages(router, seen),
    (router) => registerAuditRoutes(router, services),
    ...bind(READING, seen),
  ];
}

function bind(list: readonly Register[], services: Services): readonly RegisterRoutes[] {
  return list.map((register) => (router) => register(router, services));
}
