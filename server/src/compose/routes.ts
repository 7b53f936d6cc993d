import { createRefreshRepo } from '../facts/refresh-repo.ts';
import { authenticate } from '../http/middleware/authenticate.ts';
import { createUploadBudget } from '../http/middleware/upload-budget.ts';
import { createAddresses } from '../http/presenters/addresses.ts';
import type { RegisterRoutes } from '../http/router.ts';
import { registerCloseRoutes } from '../http/routes/closes.ts';
import { registerJobRoutes } from '../http/routes/jobs.ts';
import { registerRepoList } from '../http/routes/repo-list.ts';
import { registerRepoRoutes } from '../http/routes/repos.ts';
import { createIdentifyCaller } from '../use-cases/access/identify-caller.ts';
import { createShowBuild, createShowJob } from '../use-cases/builds/show-build.ts';
import { createCreateRepo } from '../use-cases/repos/create-repo.ts';
import { createListRepos } from '../use-cases/repos/list-repos.ts';
import { createReadRepo } from '../use-cases/repos/read-repo.ts';
import { createRemoveRepo } from '../use-cases/repos/remove-repo.ts';
import { createRotateRepoToken } from '../use-cases/repos/rotate-repo-token.ts';
import { createUpdateRepo } from '../use-cases/repos/update-repo.ts';
import { withVisibility } from '../use-cases/repos/visible-repos.ts';
import { createAdoptRepo } from '../use-cases/uploads/adopt-repo.ts';
import { createCheckRepoName } from '../use-cases/uploads/check-repo-name.ts';
import { createFindRepoByToken } from '../use-cases/uploads/find-repo-by-token.ts';
import { createIdentifyUploader, type IdentifyUploader } from '../use-cases/uploads/identify-uploader.ts';
import { createOpenCarried } from '../use-cases/uploads/open-carried.ts';
import { createRequestClose } from '../use-cases/uploads/request-close.ts';
import { createRequestRerun } from '../use-cases/uploads/request-rerun.ts';
import { createRetryUntilDeadline } from '../use-cases/uploads/retry-until-deadline.ts';
import { createUploadJob } from '../use-cases/uploads/upload-job.ts';
import { createVerifyProviderToken } from '../use-cases/uploads/verify-provider-token.ts';
import { createVerifyRun } from '../use-cases/uploads/verify-run.ts';
import type { WorkLoop } from '../workers/work-loop.ts';
import { composeAdministration, composeHooks } from './administration.ts';
import { composeReaders } from './readers.ts';
import { composeReading } from './reading.ts';
import type { Services } from './services.ts';

/** Every route with its use cases, in the order in which paths are tried. */
export function composeRoutes(services: Services, closing: WorkLoop): readonly RegisterRoutes[] {
  const { config, store, secrets, clock, pool, outbox, hosts } = services;
  const { repos, builds } = store;
  const addresses = createAddresses(services.baseUrl);
  const identifying = { tokens: store.tokens, repos, secrets, clock, adminToken: config.adminToken, hosts };
  const identifyCaller = authenticate(createIdentifyCaller(identifying));
  const readable = withVisibility(store, config);
  const identifyUploader = composeUploaders(services);
  const readers = composeReaders(services, { store: readable, identifyUploader });
  const showJob = createShowJob({ store: readable });
  return [
    composeHooks(services, closing),
    ...composeAdministration(services, closing, identifyCaller),
    (router) =>
      registerRepoList(router, { identifyCaller, listRepos: createListRepos({ repos: readable.repos }), addresses }),
    (router) =>
      registerRepoRoutes(router, {
        identifyCaller,
        createRepo: createCreateRepo({ repos, secrets, clock }),
        readRepo: createReadRepo({ repos, builds, secrets, hosts }),
        updateRepo: createUpdateRepo({ repos, clock }),
        removeRepo: createRemoveRepo({ repos, clock, onDue: outbox.nudge }),
        rotateRepoToken: createRotateRepoToken({ repos, secrets, clock }),
      }),
    ...composeTaking(services, closing, { ...readers, showJob, addresses, identifyUploader }),
    ...composeReading({
      store: readable,
      secrets,
      reader: pool,
      ...readers,
      addresses,
      hosts,
      showBuild: createShowBuild({ store: readable, hosts }),
      showJob,
    }),
  ];
}

/** What clients send: jobs, closes, re-runs. */
function composeTaking(
  services: Services,
  closing: WorkLoop,
  jobs: Pick<Parameters<typeof registerJobRoutes>[1], 'showJob' | 'identifyJobReader' | 'addresses'> & {
    readonly identifyUploader: IdentifyUploader;
  },
): readonly RegisterRoutes[] {
  const { config, store, clock, timers, pool, hosts, isStopping } = services;
  const { builds, repos } = store;
  const { addresses, identifyUploader } = jobs;
  const refreshRepo = createRefreshRepo({ repos, askProvider: services.askProvider, clock });
  const checkRepoName = createCheckRepoName({ refreshRepo, clock, timers });
  const periods = { quiet: config.quietPeriod, late: config.latePeriod };
  const uploadJob = createUploadJob({ store, clock, identifyUploader, checkRepoName, periods, onDue: closing.nudge });
  const openCarried = createOpenCarried({ ...services, builds, quietPeriod: config.quietPeriod });
  const closes = { builds, clock, identifyUploader, sleep: timers.sleep, onDue: closing.nudge, isStopping };
  return [
    (router) =>
      registerJobRoutes(router, {
        ...jobs,
        hosts: hosts.all,
        uploadJob,
        ingest: pool.ingest,
        maxUploadBytes: config.maxUploadBytes,
        budget: createUploadBudget({ bytes: config.maxUploadsMemory }),
      }),
    (router) =>
      registerCloseRoutes(router, {
        requestClose: createRequestClose({ ...closes, openCarried }),
        requestRerun: createRequestRerun(closes),
        addresses,
      }),
  ];
}

/** Who uploads and closes: by a repo's own token, or by one that its host vouches for. */
function composeUploaders({ config, store, secrets, clock, timers, hosts }: Services): IdentifyUploader {
  const { repos } = store;
  const { allowedOwners, defaultRepoSettings: defaultSettings } = config;
  return createIdentifyUploader({
    hosts,
    repos,
    findRepoByToken: createFindRepoByToken({ repos, secrets, clock, hosts }),
    verifyProviderToken: createVerifyProviderToken({
      retryUntilDeadline: createRetryUntilDeadline({ clock, sleep: timers.sleep }),
      verifyRun: createVerifyRun({ clock }),
    }),
    adoptRepo: createAdoptRepo({ repos, secrets, clock, allowedOwners, defaultSettings }),
  });
}
