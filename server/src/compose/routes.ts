import { serverStatusNames } from '../domain/announce/status-names.ts';
import { createRefreshRepo } from '../facts/refresh-repo.ts';
import { authenticate, type IdentifyReader } from '../http/middleware/authenticate.ts';
import { nextTurn } from '../http/middleware/turns.ts';
import { createUploadBudget } from '../http/middleware/upload-budget.ts';
import { createAddresses } from '../http/presenters/addresses.ts';
import type { PageOf } from '../http/presenters/page-of.ts';
import type { RegisterRoutes } from '../http/router.ts';
import { registerCloseRoutes } from '../http/routes/closes.ts';
import { type JobRoutesDeps, registerJobRoutes } from '../http/routes/jobs.ts';
import { registerRepoList } from '../http/routes/repo-list.ts';
import { registerRepoRoutes } from '../http/routes/repos.ts';
import { registerUploadSettings } from '../http/routes/upload-settings.ts';
import { createIdTokens } from '../openid/id-tokens.ts';
import type { Store } from '../ports/store.ts';
import { createIdentifyCaller } from '../use-cases/access/identify-caller.ts';
import { createShowBuild, createShowJob } from '../use-cases/builds/show-build.ts';
import { createCreateRepo } from '../use-cases/repos/create-repo.ts';
import { createListRepos } from '../use-cases/repos/list-repos.ts';
import { createReadRepo } from '../use-cases/repos/read-repo.ts';
import { createReadUploadSettings } from '../use-cases/repos/read-upload-settings.ts';
import { createRemoveRepo } from '../use-cases/repos/remove-repo.ts';
import { createRotateRepoToken } from '../use-cases/repos/rotate-repo-token.ts';
import { createUpdateRepo } from '../use-cases/repos/update-repo.ts';
import { withVisibility } from '../use-cases/repos/visible-repos.ts';
import { createAdoptRepo } from '../use-cases/uploads/adopt-repo.ts';
import { createCheckRepoName } from '../use-cases/uploads/check-repo-name.ts';
import { createCheckRuns } from '../use-cases/uploads/check-runs-once.ts';
import { createFindRepoByToken } from '../use-cases/uploads/find-repo-by-token.ts';
import { createFindTurn } from '../use-cases/uploads/find-turn.ts';
import { createForkUploaders } from '../use-cases/uploads/fork-uploaders.ts';
import { createIdentifyUploader } from '../use-cases/uploads/identify-uploader.ts';
import { createLimitAddress } from '../use-cases/uploads/limit-address.ts';
import { createMinuteRate } from '../use-cases/uploads/minute-rate.ts';
import { createNoteRefusal } from '../use-cases/uploads/note-refusal.ts';
import { createNoteTokenUse } from '../use-cases/uploads/note-token-use.ts';
import { createNoteUnproven } from '../use-cases/uploads/note-unproven.ts';
import { createOpenCarried } from '../use-cases/uploads/open-carried.ts';
import { createRequestClose } from '../use-cases/uploads/request-close.ts';
import { createRequestRerun } from '../use-cases/uploads/request-rerun.ts';
import { createRetryUntilDeadline } from '../use-cases/uploads/retry-until-deadline.ts';
import { createUploadJob } from '../use-cases/uploads/upload-job.ts';
import { createVerifyForkRun } from '../use-cases/uploads/verify-fork-run.ts';
import { createVerifyIdToken } from '../use-cases/uploads/verify-id-token.ts';
import { createVerifyProviderToken } from '../use-cases/uploads/verify-provider-token.ts';
import { createVerifyPullRun } from '../use-cases/uploads/verify-pull-run.ts';
import { createVerifyRun } from '../use-cases/uploads/verify-run.ts';
import { createVouchedTokens } from '../use-cases/uploads/vouched-tokens.ts';
import type { WorkLoop } from '../workers/work-loop.ts';
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
export function composeRoutes(services: Services, closing: WorkLoop, pageOf: PageOf): readonly RegisterRoutes[] {
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
      }),
    ...composeTaking(services, closing, { ...readers, showJob, addresses, uploaders, store: readable }),
    (router) => registerUploadSettings(router, { ...readers, readUploadSettings: createReadUploadSettings({ repos }) }),
    composeFilePages(services, { store: readable, ...readers, pageOf, fetchSource }),
    composeSettingsPages(services, closing, { ...readers, pageOf }),
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
  { identifyUploader, findRepoByToken, verifyIdToken }: ReturnType<typeof composeUploaders>,
): Pick<JobRoutesDeps, 'uploadJob' | 'findTurn' | 'limitAddress'> {
  const { repos } = store;
  const { repoLimits: limits } = config;
  const vouchedTokens = createVouchedTokens({ clock, secrets });
  const refreshRepo = createRefreshRepo({ repos, askProvider, clock });
  return {
    findTurn: createFindTurn({ repos, secrets, clock, hosts, findRepoByToken, verifyIdToken, vouchedTokens }),
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
  const findRepoByToken = createFindRepoByToken({ repos, secrets, clock, hosts });
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
  const identifyUploader = createIdentifyUploader({
    hosts,
    repos,
    findRepoByToken,
    verifyProviderToken: createVerifyProviderToken({
      retryUntilDeadline: createRetryUntilDeadline({ clock, sleep: timers.sleep }),
      verifyRun: createVerifyRun({ clock }),
      verifyForkRun,
    }),
    forkUploaders: createForkUploaders({ hosts, repos, verifyForkRun, checkRuns, timers, requireSignIn }),
    verifyIdToken,
    adoptRepo,
  });
  return { identifyUploader, findRepoByToken, verifyIdToken };
}
