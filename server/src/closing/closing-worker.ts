import { pauseAfter, SETTLE_BACKOFF } from '../domain/backoff.ts';
import type { Build } from '../domain/builds/build.ts';
import { type DueTask, findTask, nextTask } from '../domain/builds/due-tasks.ts';
import type { BuildStore } from '../ports/build-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { CloseBuild } from './close-build.ts';
import type { PostPending, ReportTrouble } from './post-pending.ts';
import type { ReevaluateDependents } from './reevaluate-dependents.ts';

/** A worker that dies leaves its builds to others after this. */
const LEASE = 60_000;
/** After so many failures in a row the statuses end in `error`, so that no check waits for them for ever (rule 23). */
const FAILURES_TO_REPORT = 3;

export interface ClosingWorkerDeps {
  readonly builds: BuildStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly closeBuild: CloseBuild;
  readonly postPending: PostPending;
  readonly reevaluateDependents: ReevaluateDependents;
  readonly settleLanding: (build: Build) => Promise<void>;
  readonly reportTrouble: ReportTrouble;
  /** Called after a build was worked on, so that what it announces goes out at once. */
  readonly onDone: () => void;
}

/** A worker's two steps: builds in which a task is due are claimed, then that task is done (rules 11 to 13 and 23). */
export interface ClosingWorker {
  claim(limit: number): Promise<readonly Build[]>;
  work(build: Build): Promise<void>;
}

/** What is done for each kind of task. */
type TaskTable = Readonly<Record<DueTask['kind'], (build: Build) => Promise<unknown>>>;

/** A build that fails does not hold up the others: it is tried again, after growing delays. */
export function createClosingWorker(deps: ClosingWorkerDeps): ClosingWorker {
  const { builds, clock, onDone } = deps;
  const table = createTaskTable(deps);
  const failures = new Map<number, number>();
  /** A close that waits long for its turn may outlive its lease: it is not begun a second time here. */
  const atWork = new Set<number>();
  return {
    async claim(limit) {
      const due = await builds.claimDue({ at: clock.now(), lease: LEASE, limit });
      return due.filter((build) => !atWork.has(build.id));
    },
    async work(build) {
      atWork.add(build.id);
      try {
        const task = nextTask(build.due, clock.now());
        if (task !== undefined) await table[task.kind](build);
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
      onDone();
    },
  };
}

function createTaskTable(deps: ClosingWorkerDeps): TaskTable {
  const { closeBuild, postPending, reevaluateDependents, settleLanding } = deps;
  const close = async (build: Build): Promise<void> => {
    const closed = await closeBuild(build.id);
    // At once: builds that wait for this one as their base need no round of their own.
    if (closed !== undefined && findTask(closed.due, 'backfill') !== undefined) await reevaluateDependents(closed);
  };
  return {
    close,
    deadline: close,
    revisit: close,
    'post-pending': postPending,
    backfill: reevaluateDependents,
    landing: settleLanding,
  };
}

async function putOff(
  deps: ClosingWorkerDeps,
  build: Build,
  { failed, error }: { failed: number; error: unknown },
): Promise<void> {
  const { builds, clock, logger, reportTrouble } = deps;
  logger.error({ build: build.id, failed, err: error }, 'a build could not be settled; it will be tried again');
  if (failed >= FAILURES_TO_REPORT) {
    await reportTrouble(build.id).catch((err: unknown) =>
      logger.error({ build: build.id, err }, 'the statuses could not be ended in error'),
    );
  }
  await builds.release({ buildId: build.id, retryAt: clock.now() + pauseAfter(failed, SETTLE_BACKOFF) });
}
