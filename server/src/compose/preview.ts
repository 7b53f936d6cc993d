import { createGatherClose } from '../closing/gather-close.ts';
import type { RegisterRoutes } from '../platform/http/router.ts';
import { createMinuteRate } from '../platform/limiter.ts';
import type { Store } from '../storage/store.ts';
import { createAdmitPreview } from '../uploads/admit-preview.ts';
import { type PreviewRoutesDeps, registerPreview } from '../uploads/http/preview.ts';
import { createPreviewPull, type GatherUnstored } from '../uploads/preview-pull.ts';
import { composeMerging, composePending } from './closing.ts';
import type { Services } from './services.ts';

/** `POST /api/v1/preview`; `store` shows what is public. */
export function composePreview(
  services: Services,
  deps: Pick<PreviewRoutesDeps, 'identifyReader' | 'addresses' | 'budget'> & { readonly store: Store },
): RegisterRoutes {
  const { config, clock, timers, pool, hosts, secretTexts, knowAccess } = services;
  const { jobsPerMinute: perMinute } = config.repoLimits;
  const { identifyReader, addresses, budget, store } = deps;
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
        repos: store.repos,
        knowAccess,
        rate: createMinuteRate({ perMinute, timers }),
        perMinute,
      }),
      previewPull: createPreviewPull({
        store: services.store,
        engine: pool,
        hosts,
        gatherUnstored: gatherUnstored(services),
        clock,
        timers,
      }),
    });
}

/** What gathers every close, over a store that holds one build more, and that nothing is written to. */
function gatherUnstored(services: Services): GatherUnstored {
  return ({ jobs, facts, askProvider }) => {
    const store = { ...services.store, jobs: { ...services.store.jobs, ...jobs }, facts };
    const unstored = { ...services, store, askProvider };
    return createGatherClose({
      ...composePending(unstored),
      refreshRepo: async ({ repo }) => ({ repo, unavailable: false }),
      prepareBuild: async ({ build }) => ({ build, refusal: undefined }),
      // Its statuses are asked for, though nobody posts them.
      hasProvider: () => true,
      canAnnotate: () => false,
      ...composeMerging(unstored),
    });
  };
}
