import type { Build } from '../domain/build/build.ts';
import { closeReason } from '../domain/build/close-due.ts';
import type { Timestamp } from '../domain/build/job.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { BuildStore } from '../ports/store.ts';
import type { FinishBuild } from './finish-build.ts';
import type { OpenBuild } from './open-build.ts';

/** Longer than any close takes; a worker that dies leaves its builds to others after this. */
const LEASE = 60_000;
const BATCH = 4;
/** How long a build that could not be settled is left alone. */
const RETRY_PAUSE = 5_000;

export interface SettleDeps {
  readonly builds: BuildStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly openBuild: OpenBuild;
  readonly finishBuild: FinishBuild;
  /** Called after closes and openings were written, so that what they announce goes out at once. */
  readonly onSettled: () => void;
}

/** One round of a worker: opens and closes the builds in which something is due (rules 11 to 13 and 23). */
export function createSettleDueBuilds(
  deps: SettleDeps,
): () => Promise<{ readonly didWork: boolean; readonly nextAt: Timestamp | undefined }> {
  const { builds, clock, onSettled } = deps;
  return async () => {
    const due = await builds.claimDue({ at: clock.now(), lease: LEASE, limit: BATCH });
    await Promise.all(due.map((build) => settle(deps, build)));
    if (due.length > 0) onSettled();
    return { didWork: due.length > 0, nextAt: await builds.nextDueAt() };
  };
}

/** A build that fails does not hold up the others: it is tried again after a pause. */
async function settle(deps: SettleDeps, build: Build): Promise<void> {
  const { builds, clock, logger, openBuild, finishBuild } = deps;
  let retryAt: Timestamp | undefined;
  try {
    if (closeReason(build, clock.now()) !== undefined) await finishBuild(build.id);
    else if (build.openingDue) await openBuild(build);
  } catch (error) {
    logger.error({ build: build.id, err: error }, 'a build could not be settled; it will be tried again');
    retryAt = clock.now() + RETRY_PAUSE;
  }
  await builds.release({ buildId: build.id, retryAt });
}
