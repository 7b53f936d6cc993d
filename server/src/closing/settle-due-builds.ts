import { pauseAfter, SETTLE_BACKOFF } from '../domain/backoff.ts';
import type { Build } from '../domain/builds/build.ts';
import { closeReason } from '../domain/builds/close-due.ts';
import type { BuildStore } from '../ports/build-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { CloseBuild } from './close-build.ts';
import type { PostPending, ReportTrouble } from './post-pending.ts';
import type { ReevaluateDependents } from './reevaluate-dependents.ts';

/** A worker that dies leaves its builds to others after this. */
const LEASE = 60_000;
/**
 * After so many failures in a row the commit is told, so that nobody waits for a status that may never end (rule 23).
 */
const FAILURES_TO_TELL = 3;

export interface SettleDeps {
  readonly builds: BuildStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly postPending: PostPending;
  readonly closeBuild: CloseBuild;
  readonly reportTrouble: ReportTrouble;
  readonly reevaluateDependents: ReevaluateDependents;
  readonly settleLanding: (build: Build) => Promise<void>;
  /** Called after a close or an opening was written, so that what it announces goes out at once. */
  readonly onSettled: () => void;
}

/** A worker's two steps: what is due is claimed, then opened or closed (rules 11 to 13 and 23). */
export interface SettleDueBuilds {
  claim(limit: number): Promise<readonly Build[]>;
  settle(build: Build): Promise<void>;
}

/** A build that fails does not hold up the others: it is tried again, after growing pauses. */
export function createSettleDueBuilds(deps: SettleDeps): SettleDueBuilds {
  const { builds, clock, onSettled } = deps;
  const failures = new Map<number, number>();
  /** A close that waits long for its turn may outlive its lease: it is not begun a second time here. */
  const atWork = new Set<number>();
  return {
    async claim(limit) {
      const due = await builds.claimDue({ at: clock.now(), lease: LEASE, limit });
      return due.filter((build) => !atWork.has(build.id));
    },
    async settle(build) {
      atWork.add(build.id);
      try {
        await settleOnce(deps, build);
        failures.delete(build.id);
        await builds.release({ buildId: build.id, retryAt: undefined });
      } catch (error) {
        const failed = (failures.get(build.id) ?? 0) + 1;
        failures.set(build.id, failed);
        await putOff(deps, build, { failed, error });
        if ((await builds.find(build.id)) === undefined) failures.delete(build.id);
      } finally {
        atWork.delete(build.id);
      }
      onSettled();
    },
  };
}

async function putOff(
  deps: SettleDeps,
  build: Build,
  { failed, error }: { failed: number; error: unknown },
): Promise<void> {
  const { builds, clock, logger, reportTrouble } = deps;
  logger.error({ build: build.id, failed, err: error }, 'a build could not be settled; it will be tried again');
  if (failed >= FAILURES_TO_TELL) {
    await reportTrouble(build.id).catch((err: unknown) =>
      logger.error({ build: build.id, err }, 'the trouble could not be told'),
    );
  }
  await builds.release({ buildId: build.id, retryAt: clock.now() + pauseAfter(failed, SETTLE_BACKOFF) });
}

async function settleOnce(deps: SettleDeps, build: Build): Promise<void> {
  const { clock, postPending, closeBuild, reevaluateDependents, settleLanding } = deps;
  if (closeReason(build, clock.now()) !== undefined) {
    const closed = await closeBuild(build.id);
    if (closed?.backfillDue === true) await reevaluateDependents(closed);
  } else if (build.openingDue) await postPending(build);
  else if (build.backfillDue === true) await reevaluateDependents(build);
  else if (build.landingDue !== undefined && build.landingDue.at <= clock.now()) await settleLanding(build);
}
