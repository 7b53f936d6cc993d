import { pauseAfter, SETTLE_BACKOFF } from '../core/backoff.ts';
import type { Build, BuildResult } from '../core/builds/build.ts';
import { type DueTask, findTask, nextTask } from '../core/builds/due-tasks.ts';
import { Failure } from '../core/failure.ts';
import type { Timestamp } from '../core/time.ts';
import type { Services } from '../services/services.ts';

/** A worker that dies leaves its builds to others after this. */
const LEASE = 60_000;
/** After this many failures in a row, the statuses end in `error`, so no check waits for them forever (rule 23). */
const FAILURES_TO_REPORT = 3;
/** How often it is looked for other repos' builds while one repo has all its slots, in ms. */
const FULL_PAUSE = 1_000;
const SET_ASIDE = 'a build could not be closed for too often; it is set aside until a rerun asks for it';

/** What the worker does with a build. */
export interface ClosingTasks {
  readonly closeBuild: (buildId: number) => Promise<Build | undefined>;
  readonly postPending: (build: Build) => Promise<Build | undefined>;
  readonly reevaluateDependents: (base: Build) => Promise<void>;
  readonly settleLanding: (build: Build) => Promise<void>;
  readonly reportTrouble: (buildId: number) => Promise<void>;
}

type Working = Pick<Services, 'builds' | 'clock' | 'logger' | 'onResumed'>;

/** A worker's two steps: builds in which a task is due are claimed, then that task is done (rules 11 to 13 and 23). */
export interface ClosingWorker {
  claim(limit: number): Promise<readonly Build[]>;
  work(build: Build): Promise<void>;
  nextDueAt(): Promise<Timestamp | undefined>;
}

/** What is done for each kind of task. */
type TaskTable = Readonly<Record<DueTask['kind'], (build: Build) => Promise<unknown>>>;

/**
 * A build that fails does not hold up the others: it is tried again, after growing delays. `slotsPerRepo`: builds of
 * one repo that are worked on at once.
 */
export function createClosingWorker(services: Working, tasks: ClosingTasks, slotsPerRepo: number): ClosingWorker {
  const { builds, clock } = services;
  const table = tableOf(services, tasks);
  /** For this process; attempts to close are counted in the store too. */
  const failures = new Map<number, number>();
  const slots = createClosingSlots(slotsPerRepo);
  return {
    async claim(limit) {
      const due = await builds.claimDue({ at: clock.now(), lease: LEASE, ...slots.claimOf(limit) });
      return due.filter((build) => !slots.has(build));
    },
    async work(build) {
      slots.enter(build);
      const task = nextTask(build.due, clock.now());
      try {
        if (task !== undefined) await table[task.kind](build);
        failures.delete(build.id);
        await builds.release({ buildId: build.id, retryAt: undefined });
      } catch (error) {
        const inARow = (failures.get(build.id) ?? 0) + 1;
        failures.set(build.id, inARow);
        await putOff(services, tasks, build, { inARow, error });
        if ((await builds.find(build.id)) === undefined) failures.delete(build.id);
      } finally {
        slots.leave(build);
      }
      // What it announces goes out at once.
      services.onResumed();
    },
    async nextDueAt() {
      const next = await builds.nextDueAt();
      // What is due may be of a repo that has all its slots: the end of one of them is noticed at once.
      return next === undefined || !slots.isAnyFull() ? next : Math.max(next, clock.now() + FULL_PAUSE);
    },
  };
}

function tableOf(services: Working, tasks: ClosingTasks): TaskTable {
  const { postPending, reevaluateDependents, settleLanding } = tasks;
  const close = (build: Build): Promise<void> => attemptClose(services, tasks, build);
  return {
    close,
    deadline: close,
    revisit: close,
    'post-pending': postPending,
    backfill: reevaluateDependents,
    landing: settleLanding,
  };
}

/** The attempt is counted before it begins: one that ends the whole server must not be repeated without end. */
async function attemptClose(services: Working, tasks: ClosingTasks, { id: buildId }: Build): Promise<void> {
  const { builds, clock, logger } = services;
  const begun = await builds.revise({ buildId, revision: { kind: 'attempt', at: clock.now() } });
  if (begun?.attempts?.setAside) {
    logger.error({ build: buildId, attempts: begun.attempts }, SET_ASIDE);
    return endStatuses(services, tasks, buildId);
  }
  const since = clock.now();
  const closed = await tasks.closeBuild(buildId);
  if (closed?.result !== undefined && closed.result.closeCount !== begun?.result?.closeCount)
    logger.info({ ...describeClose(closed, closed.result), ms: clock.now() - since }, 'build closed');
  // At once: builds that wait for this one as their base need no round of their own.
  if (closed !== undefined && findTask(closed.due, 'backfill') !== undefined) await tasks.reevaluateDependents(closed);
}

async function putOff(
  services: Working,
  tasks: ClosingTasks,
  build: Build,
  { inARow, error }: { readonly inARow: number; readonly error: unknown },
): Promise<void> {
  const { builds, clock, logger } = services;
  const revision = { kind: 'attempt-failed', at: clock.now(), reason: reasonOf(error) } as const;
  const { attempts } = (await builds.revise({ buildId: build.id, revision }).catch(() => undefined)) ?? {};
  const failed = Math.max(inARow, attempts?.count ?? 0);
  const what = attempts?.setAside ? SET_ASIDE : 'a build could not be settled; it will be tried again';
  logger.error({ build: build.id, failed, err: error }, what);
  if (failed >= FAILURES_TO_REPORT) await endStatuses(services, tasks, build.id);
  await builds.release({ buildId: build.id, retryAt: clock.now() + pauseAfter(failed, SETTLE_BACKOFF) });
}

function endStatuses({ logger }: Working, { reportTrouble }: ClosingTasks, buildId: number): Promise<void> {
  return reportTrouble(buildId).catch((err: unknown) =>
    logger.error({ build: buildId, err }, 'could not set the statuses to error'),
  );
}

/** A Failure's message is made to be read; what else went wrong is for the log. */
function reasonOf(error: unknown): string {
  return error instanceof Failure
    ? error.message
    : "An internal error of this server; the server's log has the details.";
}

/** What a log line says of a close. Texts from uploads are fields. */
function describeClose(build: Build, result: BuildResult): object {
  const { id, repoId, number, commit, pullRequest, jobs, trust } = build;
  const { closeCount, closedBy, verdict, base } = result;
  const found = { state: verdict.state, rule: verdict.rule, base: base?.buildId };
  return { repoId, build: id, number, commit, pullRequest, jobs, trust, closeCount, closedBy, ...found };
}

/** The builds that this process works on, so that no repo takes all of its slots. */
interface ClosingSlots {
  /** What to claim if this many slots are free. */
  claimOf(free: number): { readonly limit: number; readonly except: readonly number[] };
  /** A close that waits long for its turn may outlive its lease: it is not begun a second time here. */
  has(build: Build): boolean;
  enter(build: Build): void;
  leave(build: Build): void;
  /** Whether a repo has all the slots that it may have. */
  isAnyFull(): boolean;
}

function createClosingSlots(perRepo: number): ClosingSlots {
  const atWork = new Map<number, number>();
  const countByRepo = (): ReadonlyMap<number, number> => {
    const counts = new Map<number, number>();
    for (const repoId of atWork.values()) counts.set(repoId, (counts.get(repoId) ?? 0) + 1);
    return counts;
  };
  return {
    claimOf(free) {
      const counts = [...countByRepo()];
      const except = counts.filter(([, count]) => count >= perRepo).map(([repoId]) => repoId);
      const max = Math.max(0, ...counts.map(([, count]) => count).filter((count) => count < perRepo));
      return { limit: Math.min(free, perRepo - max), except };
    },
    has: ({ id }) => atWork.has(id),
    enter: ({ id, repoId }) => void atWork.set(id, repoId),
    leave: ({ id }) => void atWork.delete(id),
    isAnyFull: () => [...countByRepo().values()].some((count) => count >= perRepo),
  };
}
