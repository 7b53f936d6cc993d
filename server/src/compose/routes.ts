import { setTimeout as sleep } from 'node:timers/promises';
import { authenticate } from '../http/middleware/authenticate.ts';
import { createUploadBudget } from '../http/middleware/upload-budget.ts';
import { createAddresses } from '../http/presenters/addresses.ts';
import type { RegisterRoutes } from '../http/router.ts';
import { registerJobRoutes } from '../http/routes/jobs/jobs.ts';
import { registerRepoRoutes } from '../http/routes/repos/repos.ts';
import { registerRerunRoutes } from '../http/routes/rerun/rerun.ts';
import { registerWebhookRoutes } from '../http/routes/webhook/webhook.ts';
import { createOpenTokenView } from '../providers/github/token-view.ts';
import { createAdoptRepo } from '../use-cases/adopt-repo.ts';
import { createAskPatiently } from '../use-cases/ask-patiently.ts';
import { createCloseBuild } from '../use-cases/close-build.ts';
import { createCreateRepo } from '../use-cases/create-repo.ts';
import { createFindRepoByToken } from '../use-cases/find-repo-by-token.ts';
import { createIdentifyCaller, createIdentifyReader } from '../use-cases/identify-caller.ts';
import { createIdentifyUploader, type IdentifyUploader } from '../use-cases/identify-uploader.ts';
import { createOpenCarried } from '../use-cases/open-carried.ts';
import { createReadRepo } from '../use-cases/read-repo.ts';
import { createRemoveRepo } from '../use-cases/remove-repo.ts';
import { createRerunBuild } from '../use-cases/rerun-build.ts';
import { createRotateRepoToken } from '../use-cases/rotate-repo-token.ts';
import { createShowBuild, createShowJob } from '../use-cases/show-build.ts';
import { createUpdateRepo } from '../use-cases/update-repo.ts';
import { createUploadJob } from '../use-cases/upload-job.ts';
import { createVerifyProviderToken } from '../use-cases/verify-provider-token.ts';
import { createVerifyRun } from '../use-cases/verify-run.ts';
import { withVisibility } from '../use-cases/visible-repos.ts';
import type { WorkLoop } from '../workers/work-loop.ts';
import { composeAdministration, composeGithubHook, knownTo } from './administration.ts';
import type { Machinery } from './machinery.ts';
import { composeReading } from './reading.ts';

/** Every route with its use cases, in the order in which paths are tried. */
export function composeRoutes(machinery: Machinery, closing: WorkLoop): readonly RegisterRoutes[] {
  const { config, store, secrets, clock, pool, outbox } = machinery;
  const { repos, builds } = store;
  const addresses = createAddresses(machinery.baseUrl);
  const known = knownTo(machinery);
  const identifying = { tokens: store.tokens, repos, secrets, clock, adminToken: config.adminToken };
  const identifyCaller = authenticate(createIdentifyCaller(identifying));
  const identifyReader = authenticate(createIdentifyReader(identifying));
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
    ...composeTaking(machinery, closing, { showJob, identifyReader, addresses }),
    ...composeReading({
      store: readable,
      secrets,
      reader: pool,
      identifyReader,
      addresses,
      providers: known,
      showBuild: createShowBuild({ store: readable, providers: known }),
      showJob,
    }),
  ];
}

/** What clients send: jobs, closes, re-runs. */
function composeTaking(
  machinery: Machinery,
  closing: WorkLoop,
  jobs: Pick<Parameters<typeof registerJobRoutes>[1], 'showJob' | 'identifyReader' | 'addresses'>,
): readonly RegisterRoutes[] {
  const { config, store, clock, pool, askProvider, isStopping } = machinery;
  const { builds } = store;
  const { addresses } = jobs;
  const identifyUploader = composeUploaders(machinery);
  const periods = { quiet: config.quietPeriod, late: config.latePeriod };
  const uploadJob = createUploadJob({ store, clock, identifyUploader, periods, onDue: closing.nudge });
  const openCarried = createOpenCarried({ builds, askProvider, clock, quietPeriod: config.quietPeriod });
  const closes = { builds, clock, identifyUploader, sleep, onDue: closing.nudge, isStopping };
  return [
    (router) =>
      registerJobRoutes(router, {
        ...jobs,
        uploadJob,
        ingest: pool.ingest,
        maxUploadBytes: config.maxUploadBytes,
        budget: createUploadBudget({ bytes: config.maxUploadsMemory }),
      }),
    (router) => registerWebhookRoutes(router, { closeBuild: createCloseBuild({ ...closes, openCarried }), addresses }),
    (router) => registerRerunRoutes(router, { rerunBuild: createRerunBuild(closes), addresses }),
  ];
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
