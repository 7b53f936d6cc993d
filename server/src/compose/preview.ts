import { createGatherClose } from '../closing/gather-close.ts';
import type { GatheredRules } from '../closing/gather-rules.ts';
import type { RegisterRoutes } from '../platform/http/router.ts';
import { createMinuteRate } from '../platform/limiter.ts';
import { createAdmitPreview } from '../uploads/admit-preview.ts';
import { type PreviewRoutesDeps, registerPreview } from '../uploads/http/preview.ts';
import { createPreviewPull, type GatherUnstored } from '../uploads/preview-pull.ts';
import { composeMerging, composePending } from './closing.ts';
import { over, type ServerServices } from './services.ts';

/** `POST /api/v1/preview`; `seen`: they show what is public. */
export function composePreview(
  services: ServerServices,
  seen: ServerServices,
  budget: PreviewRoutesDeps['budget'],
): RegisterRoutes {
  const { config, timers, pool, hosts, secretTexts, identifyReader, addresses } = services;
  const { jobsPerMinute: perMinute } = config.repoLimits;
  return (router) =>
    registerPreview(router, {
      identifyReader,
      addresses,
      budget,
      allocate: pool.allocateBody,
      secretTexts,
      hosts: hosts.all,
      ingestPreview: pool.ingestPreview,
      maxUploadBytes: config.maxUploadBytes,
      admitPreview: createAdmitPreview({
        ...seen,
        rate: createMinuteRate({ perMinute, timers }),
        perMinute,
      }),
      previewPull: createPreviewPull({ ...services, gatherUnstored: gatherUnstored(services) }),
    });
}

/** What gathers every close, over a store that holds one build more, and that nothing is written to. */
function gatherUnstored(services: ServerServices): GatherUnstored {
  return ({ jobs, facts, askProvider }) => {
    const store = { ...services.store, jobs: { ...services.store.jobs, ...jobs }, facts };
    const unstored = { ...over(services, store), askProvider };
    const { rulesGatherer, ...pending } = composePending(unstored);
    return createGatherClose({
      ...pending,
      refreshRepo: async ({ repo }) => ({ repo, unavailable: false }),
      prepareBuild: async ({ build }) => ({ build, refusal: undefined }),
      // Its statuses are asked for, though nobody posts them.
      hasProvider: () => true,
      canAnnotate: () => false,
      ...composeMerging(unstored),
      rulesGatherer: { ...rulesGatherer, gather: async (asked) => withoutUploads(await rulesGatherer.gather(asked)) },
    });
  };
}

/** Who asks for a preview sends all reports at once, however many uploads they will be in CI. */
function withoutUploads(gathered: GatheredRules): GatheredRules {
  const { rules } = gathered.rules;
  const flags = new Map([...rules.flags].map(([flag, rule]) => [flag, { ...rule, uploads: undefined }]));
  return { ...gathered, rules: { ...gathered.rules, rules: { ...rules, uploads: undefined, flags } } };
}
