import { authenticate, type IdentifyReader } from '../access/browser/authenticate.ts';
import { createIdentifyCaller } from '../access/identify-caller.ts';
import { createAdoptRepo } from '../access/uploaders/adopt-repo.ts';
import { createCheckRepoName } from '../access/uploaders/check-repo-name.ts';
import { createCheckRuns } from '../access/uploaders/check-runs-once.ts';
import { createForkUploaders } from '../access/uploaders/fork-uploaders.ts';
import { createIdentifyUploader } from '../access/uploaders/identify-uploader.ts';
import { createLimitAddress } from '../access/uploaders/limit-address.ts';
import { createNoteRefusal } from '../access/uploaders/note-refusal.ts';
import { createNoteTokenUse } from '../access/uploaders/note-token-use.ts';
import { createNoteUnproven } from '../access/uploaders/note-unproven.ts';
import { createResolveToken } from '../access/uploaders/resolve-token.ts';
import { createRetryUntilDeadline } from '../access/uploaders/retry-until-deadline.ts';
import { createVerifyForkRun } from '../access/uploaders/verify-fork-run.ts';
import { createVerifyIdToken } from '../access/uploaders/verify-id-token.ts';
import { createVerifyProviderToken } from '../access/uploaders/verify-provider-token.ts';
import { createVerifyPullRun } from '../access/uploaders/verify-pull-run.ts';
import { createVerifyRun } from '../access/uploaders/verify-run.ts';
import { createVouchedTokens } from '../access/uploaders/vouched-tokens.ts';
import { createShowBuild, createShowJob } from '../builds/show-build.ts';
import { registerCloseRoutes } from '../closing/http/closes-routes.ts';
import { createOpenCarried } from '../closing/open-carried.ts';
import { createRequestClose } from '../closing/request-close.ts';
import { createRequestRerun } from '../closing/request-rerun.ts';
import { serverStatusNames } from '../core/announce/status-names.ts';
import { createRefreshRepo } from '../hosts/facts/refresh-repo.ts';
import { createIdTokens } from '../people/openid/id-tokens.ts';
import type { PageOf } from '../platform/http/page-of.ts';
import type { RegisterRoutes } from '../platform/http/router.ts';
import { nextTurn } from '../platform/http/turns.ts';
import { createUploadBudget } from '../platform/http/upload-budget.ts';
import { createMinuteRate } from '../platform/limiter.ts';
import type { WorkLoop } from '../platform/timers/work-loop.ts';
import { createAddresses } from '../platform/web/addresses.ts';
import { createCreateRepo } from '../repos/create-repo.ts';
import type { HistoryImports } from '../repos/history-imports.ts';
import { registerCiFiles } from '../repos/http/ci-files.ts';
import { registerCoverageFileRoutes } from '../repos/http/coverage-file-routes.ts';
import { registerRepoList } from '../repos/http/repo-list.ts';
import { registerRepoRoutes } from '../repos/http/repos-routes.ts';
import { createListRepos } from '../repos/list-repos.ts';
import { createReadRepo } from '../repos/read-repo.ts';
import { createReadUploadSettings } from '../repos/read-upload-settings.ts';
import { createRemoveRepo } from '../repos/remove-repo.ts';
import { createRotateRepoToken } from '../repos/rotate-repo-token.ts';
import { createSetWebhook } from '../repos/set-webhook.ts';
import { createUpdateRepo } from '../repos/update-repo.ts';
import { withVisibility } from '../repos/visible-repos.ts';
import type { Store } from '../storage/store.ts';
import { createFindTurn } from '../uploads/find-turn.ts';
import { type JobRoutesDeps, registerJobRoutes } from '../uploads/http/jobs-routes.ts';
import { registerUploadSettings } from '../uploads/http/upload-settings.ts';
import { createUploadJob } from '../uploads/upload-job.ts';
import { composeAdminPages } from './admin-pages.ts';
import { composeAdministration, composeHooks } from './administration.ts';
import { composeAudit } from './audit.ts';
import { composeFilePages } from './file-pages.ts';
import { composePreview } from './preview.ts';
import { composeReaders, identifyingOf } from './readers.ts';
import { composeReading } from './reading.ts';
import type { Services } from './services.ts';
import { composeSettingsPages } from './settings-pages.ts';
import { composeFetchSource } from './sources.ts';

/** Every route with its use cases, in the order in which paths are tried. */
export function composeRoutes(
  services: Services,
  closing: WorkLoop,
  { pageOf, imports }: { readonly pageOf: PageOf; readonly imports: HistoryImports },
): readonly RegisterRoutes[] {
  const { config, store, secrets, clock, timers, pool, highlighter, outbox, hosts, knowAccess } = services;
  const { repos, views } = store;
  const fetchSource = composeFetchSource(services, store);
  const addresses = createAddresses(services.baseUrl);
  const identifyCaller = authenticate(createIdentifyCaller(identifyingOf(services)));
  const readable = withVisibility(store, config);
  const uploaders = composeUploaders(services);
  const readers = composeReaders(services, { store: readable, ...uploaders });
  const showJob = createShowJob({ store: readable, knowAccess });
  return [
    composeHooks(services, closing),
    ...composeAdministration(services, closing, identifyCaller),
    (router) =>
      registerRepoList(router, {
        identifyCaller,
        listRepos: createListRepos({ repos: readable.repos, knowAccess }),
        addresses,
      }),
    (router) =>
      registerRepoRoutes(router, {
        identifyCaller,
        createRepo: createCreateRepo({ repos, secrets, clock, knowAccess }),
        readRepo: createReadRepo({ repos, views, secrets, hosts, knowAccess, clock, tokenUses: store.tokenUses }),
        updateRepo: createUpdateRepo({ repos, clock, knowAccess }),
        removeRepo: createRemoveRepo({ repos, clock, knowAccess, onDue: outbox.nudge }),
        rotateRepoToken: createRotateRepoToken({ repos, secrets, clock, knowAccess }),
        setWebhook: createSetWebhook({ ...services, ...store }),
      }),
    (router) => registerCiFiles(router, { hosts, addresses }),
    ...composeTaking(services, closing, { ...readers, showJob, addresses, uploaders, store: readable }),
    (router) => registerCoverageFileRoutes(router, { ...readers, addresses }),
    (router) => registerUploadSettings(router, { ...readers, readUploadSettings: createReadUploadSettings({ repos }) }),
    composeFilePages(services, { store: readable, ...readers, pageOf, fetchSource }),
    composeSettingsPages(services, closing, { ...readers, pageOf, imports }),
    composeAdminPages(services, closing, { ...readers, pageOf }),
    composeAudit(services, { ...readers, pageOf }),
    ...composeReading({
      store: readable,
      secrets,
      knowAccess,
      reader: pool,
      engine: pool,
      clock,
      timers,
      ...readers,
      identifyCaller,
      addresses,
      pageOf,
      hosts,
      fetchSource,
      highlighter,
      showBuild: createShowBuild({ store: readable, hosts, knowAccess, turn: nextTurn }),
      showJob,
      ownNames: serverStatusNames(config.statusContext),
    }),
  ];
}

/** What clients send: jobs, closes, re-runs. */
function composeTaking(
  services: Services,
  closing: WorkLoop,
  jobs: Pick<JobRoutesDeps, 'showJob' | 'identifyJobReader' | 'addresses'> & {
    readonly uploaders: ReturnType<typeof composeUploaders>;
    readonly identifyReader: IdentifyReader;
    /** Shows what is public. */
    readonly store: Store;
  },
): readonly RegisterRoutes[] {
  const { config, store, clock, timers, pool, hosts, secretTexts, isStopping } = services;
  const { builds } = store;
  const { addresses, uploaders } = jobs;
  const { identifyUploader } = uploaders;
  const openCarried = createOpenCarried({ ...services, builds, quietPeriod: config.quietPeriod });
  const noting = { refusals: store.refusals, clock, logger: services.logger };
  const budget = createUploadBudget({ bytes: config.maxUploadsMemory });
  const closes = { builds, clock, identifyUploader, sleep: timers.sleep, onDue: closing.nudge, isStopping };
  return [
    (router) =>
      registerJobRoutes(router, {
        ...jobs,
        ...composeUploads(services, closing, uploaders),
        hosts: hosts.all,
        ingest: pool.ingest,
        secretTexts,
        noteRefusal: createNoteRefusal({ ...noting, secretTexts }),
        noteUnproven: createNoteUnproven({ ...noting, repos: store.repos }),
        maxUploadBytes: config.maxUploadBytes,
        budget,
        allocate: pool.allocateBody,
        logger: services.logger,
        now: () => performance.now(),
      }),
    composePreview(services, { ...jobs, budget }),
    (router) =>
      registerCloseRoutes(router, {
        requestClose: createRequestClose({ ...closes, openCarried }),
        requestRerun: createRequestRerun(closes),
        addresses,
        logger: services.logger,
      }),
  ];
}

/** Whose turn uploads take, how many there may be, and what becomes of them. */
function composeUploads(
  { config, store, secrets, clock, timers, hosts, askProvider, noteJob, secretTexts, logger }: Services,
  closing: WorkLoop,
  { identifyUploader, resolveToken, verifyIdToken }: ReturnType<typeof composeUploaders>,
): Pick<JobRoutesDeps, 'uploadJob' | 'findTurn' | 'limitAddress'> {
  const { repos } = store;
  const { repoLimits: limits } = config;
  const vouchedTokens = createVouchedTokens({ clock, secrets });
  const refreshRepo = createRefreshRepo({ repos, askProvider, clock });
  return {
    findTurn: createFindTurn({ hosts, resolveToken, verifyIdToken, vouchedTokens }),
    limitAddress: createLimitAddress({ limits: config.addressLimits, clock, timers }),
    uploadJob: createUploadJob({
      store,
      clock,
      hosts,
      identifyUploader,
      checkRepoName: createCheckRepoName({ refreshRepo, clock, timers }),
      periods: { quiet: config.quietPeriod, late: config.latePeriod },
      limits,
      unverifiedLimits: config.unverifiedLimits,
      secrets,
      rate: createMinuteRate({ perMinute: limits.jobsPerMinute, timers }),
      vouchedTokens,
      noteTokenUse: createNoteTokenUse({ tokenUses: store.tokenUses, secretTexts, clock, logger }),
      onDue: closing.nudge,
      noteJob,
    }),
  };
}

/** Who uploads and closes: by a repo's own token, or by one that its host vouches for. */
function composeUploaders(services: Services) {
  const { config, store, secrets, fetch, clock, timers, hosts } = services;
  const { repos } = store;
  const { allowedOwners, defaultRepoSettings: defaultSettings, requireSignIn, runChecksPerMinute: perMinute } = config;
  const verifyForkRun = createVerifyForkRun({ clock });
  const checkRuns = createCheckRuns({ perMinute, clock, timers });
  const adoptRepo = createAdoptRepo({ repos, secrets, clock, allowedOwners, defaultSettings });
  const verifyIdToken = createVerifyIdToken({
    ...services,
    ...store,
    idTokens: createIdTokens({
      issuers: hosts.all.flatMap(({ idTokens }) => idTokens?.issuers ?? []),
      audience: services.baseUrl,
      fetch,
      clock,
      timers,
    }),
    verifyPullRun: createVerifyPullRun({ clock, timers }),
    adoptRepo,
    allowedOwners,
  });
  const resolveToken = createResolveToken({ hosts, repos, secrets, clock, verifyIdToken });
  const identifyUploader = createIdentifyUploader({
    hosts,
    repos,
    resolveToken,
    verifyProviderToken: createVerifyProviderToken({
      retryUntilDeadline: createRetryUntilDeadline({ clock, sleep: timers.sleep }),
      verifyRun: createVerifyRun({ clock }),
      verifyForkRun,
    }),
    forkUploaders: createForkUploaders({ hosts, repos, verifyForkRun, checkRuns, timers, requireSignIn }),
    verifyIdToken,
    adoptRepo,
  });
  return { identifyUploader, resolveToken, verifyIdToken };
}
