import { createGatherClose } from '../closing/gather-close.ts';
import { type GatheredRules, gatherRules } from '../closing/gather-rules.ts';
import type { GatherUnstored } from '../uploads/preview-pull.ts';
import { composeMerging, composePending } from './closing.ts';
import { over, type ServerServices } from './services.ts';

/** What gathers every close, over a store that holds one build more, and that nothing is written to. */
export function gatherUnstored(services: ServerServices): GatherUnstored {
  return ({ jobs, facts, askProvider }) => {
    const store = { ...services.store, jobs: { ...services.store.jobs, ...jobs }, facts };
    const unstored = { ...over(services, store), askProvider };
    const pending = composePending(unstored);
    return createGatherClose({
      ...pending,
      refreshRepo: async ({ repo }) => ({ repo, unavailable: false }),
      prepareBuild: async ({ build }) => ({ build, refusal: undefined }),
      // Its statuses are asked for, though nobody posts them.
      hasProvider: () => true,
      canAnnotate: () => false,
      ...composeMerging(unstored),
      gatherRules: async (asked) => withoutUploads(await gatherRules(unstored, asked)),
    });
  };
}

/** Who asks for a preview sends all reports at once, however many uploads they will be in CI. */
function withoutUploads(gathered: GatheredRules): GatheredRules {
  const { rules } = gathered.rules;
  const flags = new Map([...rules.flags].map(([flag, rule]) => [flag, { ...rule, uploads: undefined }]));
  return { ...gathered, rules: { ...gathered.rules, rules: { ...rules, uploads: undefined, flags } } };
}
