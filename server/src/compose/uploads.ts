import { createAdoptRepo } from '../access/uploaders/adopt-repo.ts';
import { createCheckRepoName } from '../access/uploaders/check-repo-name.ts';
import { createCheckRuns } from '../access/uploaders/check-runs-once.ts';
import { createForkUploaders } from '../access/uploaders/fork-uploaders.ts';
import { createIdentifyUploader } from '../access/uploaders/identify-uploader.ts';
import { createLimitAddress } from '../access/uploaders/limit-address.ts';
import { createNoteRefusal } from '../access/uploaders/note-refusal.ts';
import { createNoteTokenUse } from '../access/uploaders/note-token-use.ts';
import { createRecordUnauthenticatedUpload } from '../access/uploaders/record-unauthenticated-upload.ts';
import { createRefusedTokens } from '../access/uploaders/refused-tokens.ts';
import { createResolveToken } from '../access/uploaders/resolve-token.ts';
import { createRetryUntilDeadline } from '../access/uploaders/retry-until-deadline.ts';
import { createVerifyForkRun } from '../access/uploaders/verify-fork-run.ts';
import { createVerifyIdToken } from '../access/uploaders/verify-id-token.ts';
import { createVerifyProviderToken } from '../access/uploaders/verify-provider-token.ts';
import { createVerifyPullRun } from '../access/uploaders/verify-pull-run.ts';
import { createVerifyRun } from '../access/uploaders/verify-run.ts';
import { createVouchedTokens } from '../access/uploaders/vouched-tokens.ts';
import { showJob } from '../builds/show-build.ts';
import { registerCloseRoutes } from '../closing/http/closes-routes.ts';
import { createOpenCarried } from '../closing/open-carried.ts';
import { createRequestClose } from '../closing/request-close.ts';
import { createRequestRerun } from '../closing/request-rerun.ts';
import { createRefreshRepo } from '../hosts/facts/refresh-repo.ts';
import { createIdTokens } from '../people/openid/id-tokens.ts';
import type { RegisterRoutes } from '../platform/http/router.ts';
import { createUploadBudget } from '../platform/http/upload-budget.ts';
import { createMinuteRate } from '../platform/limiter.ts';
import { createFindQueueKey } from '../uploads/find-queue-key.ts';
import { type JobRoutesDeps, registerJobRoutes } from '../uploads/http/jobs-routes.ts';
import { createUploadJob } from '../uploads/upload-job.ts';
import { composePreview } from './preview.ts';
import type { ServerServices } from './services.ts';
export type Uploaders = ReturnType<typeof composeUploaders>;

/** What clients send: jobs, closes, re-runs. */
export function composeTaking(
  services: ServerServices,
  /** They show what is public. */
  seen: ServerServices,
  uploaders: Uploaders,
): readonly RegisterRoutes[] {
  const { config, builds, clock, timers, pool, hosts, secretTexts, isStopping, addresses, onDue } = services;
  const { identifyUploader } = uploaders;
  const openCarried = createOpenCarried({ ...services, quietPeriod: config.quietPeriod });
  const budget = createUploadBudget({ bytes: config.maxUploadsMemory });
  const closes = { builds, clock, identifyUploader, sleep: timers.sleep, onDue, isStopping };
  return [
    (router) =>
      registerJobRoutes(router, {
        addresses,
        identifyJobReader: services.identifyJobReader,
        showJob: (asked) => showJob(seen, asked),
        ...composeUploads(services, uploaders),
        hosts: hosts.all,
        ingest: pool.ingest,
        secretTexts,
        noteRefusal: createNoteRefusal(services),
        recordUnauthenticatedUpload: createRecordUnauthenticatedUpload(services),
        maxUploadBytes: config.maxUploadBytes,
        budget,
        allocate: pool.allocateBody,
        logger: services.logger,
        now: () => performance.now(),
      }),
    composePreview(services, seen, budget),
    (router) =>
      registerCloseRoutes(router, {
        requestClose: createRequestClose({ ...closes, openCarried }),
        requestRerun: createRequestRerun(closes),
        addresses,
        logger: services.logger,
      }),
  ];
}

/** Where uploads wait, how many there may be, and what becomes of them. */
function composeUploads(
  services: ServerServices,
  { identifyUploader, resolveToken, verifyIdToken, vouchedTokens }: Uploaders,
): Pick<JobRoutesDeps, 'uploadJob' | 'findQueueKey' | 'limitAddress'> {
  const { config, clock, timers, hosts } = services;
  const { repoLimits: limits } = config;
  const refreshRepo = createRefreshRepo(services);
  return {
    findQueueKey: createFindQueueKey({ hosts, resolveToken, verifyIdToken, vouchedTokens }),
    limitAddress: createLimitAddress({ limits: config.addressLimits, clock, timers }),
    uploadJob: createUploadJob({
      ...services,
      identifyUploader,
      checkRepoName: createCheckRepoName({ refreshRepo, clock, timers }),
      periods: { quiet: config.quietPeriod, late: config.latePeriod },
      limits,
      unverifiedLimits: config.unverifiedLimits,
      rate: createMinuteRate({ perMinute: limits.jobsPerMinute, timers }),
      vouchedTokens,
      noteTokenUse: createNoteTokenUse(services),
    }),
  };
}

/** Who uploads and closes: by a repo's own token, or by one that its host vouches for. */
export function composeUploaders(services: ServerServices) {
  const { config, repos, secrets, clock, timers, hosts } = services;
  const { allowedOwners, defaultRepoSettings: defaultSettings, requireSignIn, runChecksPerMinute: perMinute } = config;
  const vouchedTokens = createVouchedTokens({ clock, secrets });
  const verifyForkRun = createVerifyForkRun({ clock });
  const checkRuns = createCheckRuns({ perMinute, clock, timers });
  const adoptRepo = createAdoptRepo({ repos, secrets, clock, allowedOwners, defaultSettings });
  const verifyIdToken = createVerifyIdToken({
    ...services,
    idTokens: createIdTokens({
      ...services,
      issuers: hosts.all.flatMap(({ idTokens }) => idTokens?.issuers ?? []),
      audience: services.baseUrl,
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
      refusedTokens: createRefusedTokens({ clock, secrets, vouchedTokens }),
      retryUntilDeadline: createRetryUntilDeadline({ clock, sleep: timers.sleep }),
      verifyRun: createVerifyRun({ clock }),
      verifyForkRun,
    }),
    forkUploaders: createForkUploaders({ hosts, repos, verifyForkRun, checkRuns, timers, requireSignIn }),
    verifyIdToken,
    adoptRepo,
  });
  return { identifyUploader, resolveToken, verifyIdToken, vouchedTokens };
}
