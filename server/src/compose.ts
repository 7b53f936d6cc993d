import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { composeReading } from './compose-reading.ts';
import type { Config } from './config.ts';
import type { Links } from './domain/announce/links.ts';
import type { Repo } from './domain/repo/repo.ts';
import type { KnownProviders } from './domain/repo/warnings.ts';
import { createApp } from './http/app.ts';
import { authenticate } from './http/middleware/authenticate.ts';
import { createUploadBudget } from './http/middleware/upload-budget.ts';
import { createAddresses } from './http/presenters/addresses.ts';
import type { RegisterRoutes } from './http/router.ts';
import { registerBuildAdminRoutes } from './http/routes/builds-admin/builds-admin.ts';
import { registerHealthRoutes } from './http/routes/health/health.ts';
import { registerHookRoutes } from './http/routes/hooks/hooks.ts';
import { registerJobRoutes } from './http/routes/jobs/jobs.ts';
import { registerRepoRoutes } from './http/routes/repos/repos.ts';
import { registerRerunRoutes } from './http/routes/rerun/rerun.ts';
import { registerSettingsRoutes } from './http/routes/settings/settings.ts';
import { registerWebhookRoutes } from './http/routes/webhook/webhook.ts';
import { createHttpServer } from './http/server.ts';
import { DEFAULT_INGEST_LIMITS } from './ingest/ingest.ts';
import { createDeliverer, type ProviderDirectory } from './outbox/deliverer.ts';
import { createOutboxWorker } from './outbox/outbox-worker.ts';
import type { Clock } from './ports/clock.ts';
import type { Logger } from './ports/logger.ts';
import type { Provider } from './ports/provider.ts';
import type { Secrets } from './ports/secrets.ts';
import type { Store } from './ports/store.ts';
import { createGithubProvider } from './providers/github/github-provider.ts';
import { createOpenTokenView } from './providers/github/token-view.ts';
import { githubLines, githubWebAddress } from './providers/github/web-address.ts';
import { createGithubHook } from './providers/github/webhook.ts';
import { createThreadPool, type ThreadPool } from './threads/thread-pool.ts';
import { createAdoptRepo } from './use-cases/adopt-repo.ts';
import { createAskPatiently } from './use-cases/ask-patiently.ts';
import { type AskProvider, createAskProvider } from './use-cases/ask-provider.ts';
import { createChooseBase } from './use-cases/choose-base.ts';
import { createChooseCarried } from './use-cases/choose-carried.ts';
import { createCloseBuild } from './use-cases/close-build.ts';
import { createCreateRepo } from './use-cases/create-repo.ts';
import { createDiffCarried } from './use-cases/diff-carried.ts';
import { createExcludeBase } from './use-cases/exclude-base.ts';
import { createCompareCommits, createDiffSince, createFindDiffs } from './use-cases/find-diffs.ts';
import { createFindRepoByToken } from './use-cases/find-repo-by-token.ts';
import { createFinishBuild } from './use-cases/finish-build.ts';
import { createHearGithub } from './use-cases/hear-github/hear-github.ts';
import { createIdentifyCaller, createIdentifyReader } from './use-cases/identify-caller.ts';
import { createIdentifyUploader, type IdentifyUploader } from './use-cases/identify-uploader.ts';
import { type AnnouncingDeps, createOpenBuild, createReportTrouble } from './use-cases/open-build.ts';
import { createOpenCarried } from './use-cases/open-carried.ts';
import { createPrepareBuild } from './use-cases/prepare-build.ts';
import { createReadRepo } from './use-cases/read-repo.ts';
import { createRemoveRepo } from './use-cases/remove-repo.ts';
import { createRerunBuild } from './use-cases/rerun-build.ts';
import { createRotateRepoToken } from './use-cases/rotate-repo-token.ts';
import { createSeeRepo } from './use-cases/see-repo.ts';
import { createSettleDueBuilds } from './use-cases/settle-due-builds.ts';
import { createShowBuild, createShowJob } from './use-cases/show-build.ts';
import { createShowSettings } from './use-cases/show-settings.ts';
import { createTellDependants } from './use-cases/tell-dependants.ts';
import { createUpdateRepo } from './use-cases/update-repo.ts';
import { createUpdateSettings } from './use-cases/update-settings.ts';
import { createUploadJob } from './use-cases/upload-job.ts';
import { createVerifyProviderToken } from './use-cases/verify-provider-token.ts';
import { createVerifyRun } from './use-cases/verify-run.ts';
import { withVisibility } from './use-cases/visible-repos.ts';
import { createLaneLoop } from './workers/lane-loop.ts';
import { createStoreClock } from './workers/store-clock.ts';
import { createWorkLoop, type Round, type WorkLoop } from './workers/work-loop.ts';

/** Tasks that wait for a thread before an upload is refused: the last resort, since no client tries again. */
const MAX_WAITING_TASKS = 256;

/** Builds that are closed at once: more than threads, since some of them wait for the provider. */
const CLOSING_LANES = 8;

/** How soon work is noticed that another instance left behind, in ms. */
const SHARED_IDLE = 3_000;
/** How often the database's clock is asked, in ms. */
const CLOCK_PAUSE = 30_000;
/** How often it is looked for what nothing refers to, in ms. */
const SWEEP_PAUSE = 30 * 60_000;

export interface Parts {
  readonly config: Config;
  readonly store: Store;
  readonly secrets: Secrets;
  readonly logger: Logger;
  /** BASE_URL, or where the server listens; asked only once it does. */
  readonly baseUrl: () => string;
}

/** The running service but for its socket. */
export interface Service {
  readonly listener: Server;
  start(): void;
  /** From now on new requests are refused. */
  beginStop(): void;
  /** Waits for what is under way, within a bound. */
  stop(): Promise<void>;
}

interface Machinery extends Parts {
  readonly clock: Clock;
  readonly pool: ThreadPool;
  readonly providers: ProviderDirectory;
  readonly outbox: WorkLoop;
  readonly askProvider: AskProvider;
  readonly isStopping: () => boolean;
}

/** Puts every adapter in its place. The only file that knows them all. */
export function compose(parts: Parts): Service {
  const { config, store, logger } = parts;
  const timekeeping = keepTime(parts);
  const { clock } = timekeeping;
  const pool = createThreadPool({
    threads: config.workerThreads ?? Math.max(1, availableParallelism() - 1),
    limits: { ...DEFAULT_INGEST_LIMITS, reportBytes: config.maxReportBytes },
    maxQueue: MAX_WAITING_TASKS,
    onFault: (error) => logger.error({ err: error }, 'a thread ended unexpectedly'),
  });
  const providers = connectProviders(config, { clock, logger });
  const deliver = createDeliverer({ outbox: store.outbox, providers, clock, logger, random: Math.random });
  const outbox = createOutboxWorker({ outbox: store.outbox, deliver, clock, logger, ...idleOf(store) });
  let stopping = false;
  const isStopping = (): boolean => stopping;
  const providerOf = (repo: Repo): Provider | undefined => providers.for(repo.service);
  const askProvider = createAskProvider({ facts: store.facts, providerOf, clock, logger });
  const machinery: Machinery = { ...parts, clock, pool, providers, outbox, askProvider, isStopping };
  const closing = composeClosing(machinery);
  const sweeping = composeSweeping(machinery);
  const now = (): number => performance.now();
  const app = createApp({
    logger,
    now,
    newRequestId: randomUUID,
    trustProxy: config.trustProxy,
    basePath: config.baseUrl === undefined ? '' : new URL(config.baseUrl).pathname.replace(/\/$/, ''),
    isStopping,
    routes: [
      ...composeRoutes(machinery, closing),
      (router) => registerHealthRoutes(router, { checkStore: store.check, isStopping, now }),
    ],
  });
  return {
    listener: createHttpServer({ app, logger, newRequestId: randomUUID }),
    start() {
      closing.start();
      outbox.start();
      sweeping.start();
      timekeeping.loop?.start();
    },
    beginStop() {
      stopping = true;
    },
    async stop() {
      await Promise.all([closing.stop(), outbox.stop(), sweeping.stop(), timekeeping.loop?.stop()]);
      await pool.close();
    },
  };
}

function connectProviders(config: Config, means: { readonly clock: Clock; readonly logger: Logger }): ProviderDirectory {
  const { githubApiUrl: apiUrl, githubToken: token, githubWritesPerSecond: writesPerSecond } = config;
  const github = token === undefined ? undefined : createGithubProvider({ apiUrl, token, writesPerSecond, ...means });
  return { for: (service) => (service === 'github' ? github : undefined) };
}

/** The worker that opens and closes builds (rules 11 to 13). */
function composeClosing(machinery: Machinery): WorkLoop {
  const { config, store, logger, clock, providers, pool, outbox, askProvider } = machinery;
  const hasProvider = (repo: Repo): boolean => providers.for(repo.service) !== undefined;
  const { builds } = store;
  const compareCommits = createCompareCommits(askProvider);
  const announcing: AnnouncingDeps = {
    store,
    clock,
    chooseBase: createChooseBase({ builds, askProvider }),
    prepareBuild: createPrepareBuild({ builds, askProvider, hasProvider, clock }),
    seeRepo: createSeeRepo({ repos: store.repos, askProvider, clock }),
    hasProvider,
    contextWord: config.statusContext,
    linksOf: (repo) => linksOf(machinery, repo),
  };
  const settling = createSettleDueBuilds({
    builds: store.builds,
    clock,
    logger,
    openBuild: createOpenBuild(announcing),
    finishBuild: createFinishBuild({
      ...announcing,
      chooseCarried: createChooseCarried(store),
      diffCarried: createDiffCarried({ jobs: store.jobs, engine: pool }),
      diffSince: createDiffSince(compareCommits, askProvider),
      findDiffs: createFindDiffs(compareCommits),
      engine: pool,
      latePeriod: config.latePeriod,
    }),
    reportTrouble: createReportTrouble(announcing),
    tellDependants: createTellDependants({ builds, clock }),
    onSettled: outbox.nudge,
  });
  const { claim, settle } = settling;
  return createLaneLoop({
    name: 'closing',
    lanes: CLOSING_LANES,
    claim,
    work: settle,
    nextDueAt: store.builds.nextDueAt,
    clock,
    logger,
    ...idleOf(store),
  });
}

/** Nobody tells a process what another has stored: it looks often. */
function idleOf(store: Store): { readonly maxIdle?: number } {
  return store.isShared ? { maxIdle: SHARED_IDLE } : {};
}

/** The machine's clock; where several processes share a store, the store's. */
function keepTime({ store, logger }: Parts): { readonly clock: Clock; readonly loop?: WorkLoop } {
  const machine: Clock = { now: Date.now };
  if (!store.isShared) return { clock: machine };
  const clock = createStoreClock({ readStoreTime: store.now, machine, logger });
  const run = async (): Promise<Round> => {
    await clock.adjust();
    return { nextAt: undefined, didWork: false };
  };
  return { clock, loop: createWorkLoop({ name: 'clock', run, maxIdle: CLOCK_PAUSE, clock: machine, logger }) };
}

/** Takes away what processes that died left behind. */
function composeSweeping({ store, clock, logger }: Machinery): WorkLoop {
  return createWorkLoop({
    name: 'sweep',
    async run() {
      const swept = await store.sweep();
      if (swept !== undefined && Object.values(swept).some((count) => count > 0))
        logger.info({ ...swept }, 'took away leftovers');
      return { nextAt: undefined, didWork: false };
    },
    maxIdle: SWEEP_PAUSE,
    clock,
    logger,
  });
}

function linksOf({ config, baseUrl }: Machinery, repo: Repo): Links {
  const lines = repo.service === 'github' ? githubLines(githubWebAddress(config.githubApiUrl), repo.name) : undefined;
  return { base: baseUrl(), build: createAddresses(baseUrl).build, lines };
}

/** Who uploads and closes: by a repo's own token, or by one that GitHub vouches for. */
function composeUploaders({ config, store, secrets, clock, logger }: Machinery): IdentifyUploader {
  const { repos } = store;
  const { githubApiUrl: apiUrl, allowedOwners, defaultRepoSettings: defaultSettings } = config;
  return createIdentifyUploader({
    repos,
    findRepoByToken: createFindRepoByToken({ repos, secrets, clock }),
    verifyProviderToken: createVerifyProviderToken({
      openTokenView: createOpenTokenView({ apiUrl, clock, logger }),
      askPatiently: createAskPatiently({ clock, sleep }),
      verifyRun: createVerifyRun({ clock }),
    }),
    adoptRepo: createAdoptRepo({ repos, secrets, clock, allowedOwners, defaultSettings }),
  });
}

function composeRoutes(machinery: Machinery, closing: WorkLoop): readonly RegisterRoutes[] {
  const { config, store, secrets, clock, providers, pool, outbox, askProvider, baseUrl, isStopping } = machinery;
  const { repos, builds } = store;
  const addresses = createAddresses(baseUrl);
  const known: KnownProviders = { has: (service) => providers.for(service) !== undefined };
  const identifyUploader = composeUploaders(machinery);
  const identifying = { tokens: store.tokens, repos, secrets, clock, adminToken: config.adminToken };
  const identifyCaller = authenticate(createIdentifyCaller(identifying));
  const identifyReader = authenticate(createIdentifyReader(identifying));
  const periods = { quiet: config.quietPeriod, late: config.latePeriod };
  const uploadJob = createUploadJob({ store, clock, identifyUploader, periods, onDue: closing.nudge });
  const openCarried = createOpenCarried({ builds, askProvider, clock, quietPeriod: config.quietPeriod });
  const closes = { builds, clock, identifyUploader, sleep, onDue: closing.nudge, isStopping };
  const readable = withVisibility(store, config);
  const showJob = createShowJob({ store: readable });
  return [
    ...composeGithubHook(machinery, closing),
    ...composeAdministration(machinery, closing, identifyCaller),
    (router) =>
      registerRepoRoutes(router, {
        identifyCaller,
        createRepo: createCreateRepo({ repos, secrets, clock }),
        readRepo: createReadRepo({ repos, builds, secrets, providers: known }),
        updateRepo: createUpdateRepo({ repos, clock }),
        removeRepo: createRemoveRepo({ repos, clock, onDue: outbox.nudge }),
        rotateRepoToken: createRotateRepoToken({ repos, secrets, clock }),
      }),
    (router) =>
      registerJobRoutes(router, {
        uploadJob,
        showJob,
        ingest: pool.ingest,
        identifyReader,
        addresses,
        maxUploadBytes: config.maxUploadBytes,
        budget: createUploadBudget({ bytes: config.maxUploadsMemory }),
      }),
    (router) => registerWebhookRoutes(router, { closeBuild: createCloseBuild({ ...closes, openCarried }), addresses }),
    (router) => registerRerunRoutes(router, { rerunBuild: createRerunBuild(closes), addresses }),
    ...composeReading({
      store: readable,
      secrets,
      reader: pool,
      identifyReader,
      addresses,
      showBuild: createShowBuild({ store: readable, providers: known }),
      showJob,
    }),
  ];
}

/** What is set beyond the six of the API; before the repo routes, whose paths are wider. */
function composeAdministration(
  { config, store, clock }: Machinery,
  closing: WorkLoop,
  identifyCaller: Parameters<typeof registerSettingsRoutes>[1]['identifyCaller'],
): readonly RegisterRoutes[] {
  const { repos, builds } = store;
  const { requireSignIn } = config;
  const tellDependants = createTellDependants({ builds, clock });
  return [
    (router) =>
      registerSettingsRoutes(router, {
        identifyCaller,
        showSettings: createShowSettings({ repos, requireSignIn }),
        updateSettings: createUpdateSettings({ repos, clock, requireSignIn }),
      }),
    (router) =>
      registerBuildAdminRoutes(router, {
        identifyCaller,
        excludeBase: createExcludeBase({ builds, repos, clock, tellDependants, onDue: closing.nudge }),
      }),
  ];
}

/** What GitHub tells by itself. */
function composeGithubHook({ config, store, clock, askProvider }: Machinery, closing: WorkLoop): readonly RegisterRoutes[] {
  const { repos, builds, facts } = store;
  const { quietPeriod } = config;
  return [
    (router) =>
      registerHookRoutes(router, {
        githubHook: createGithubHook({ secret: config.githubWebhookSecret }),
        hearGithub: createHearGithub({ repos, builds, facts, askProvider, clock, quietPeriod, onDue: closing.nudge }),
      }),
  ];
}
