import { Failure } from '../core/failure.ts';
import type { Caller } from '../core/repo/caller.ts';
import * as say from '../messages/access.ts';

/** Answers what `scrape` does, to administrators alone: the metrics tell of all repos together. */
export function createShowMetrics<Shown>({
  scrape,
}: {
  readonly scrape: () => Promise<Shown>;
}): (caller: Caller) => Promise<Shown> {
  return async (caller) => {
    if (caller.kind === 'user' && caller.role === 'administrator') return scrape();
    throw new Failure('forbidden', say.METRICS_FORBIDDEN);
  };
}
