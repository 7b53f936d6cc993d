import { closeBuild } from '../closing/close-build.ts';
import { createClosingWorker } from '../closing/closing-worker.ts';
import { createMergeAhead, type MergeAhead } from '../closing/merge-ahead.ts';
import { postPending, reportTrouble } from '../closing/post-pending.ts';
import { reevaluateDependents } from '../closing/reevaluate-dependents.ts';
import type { Build } from '../core/builds/build.ts';
import { timed } from '../platform/metrics/timed.ts';
import { createSlotLoop, createWorkLoop, type WorkLoop } from '../platform/timers/work-loop.ts';
import { settleLanding } from '../webhooks/settle-landing.ts';
import { type Parts, type ServerServices, storedOf } from './services.ts';
import { idleOf } from './workers.ts';

/** Builds of one repo that are closed at once: more than threads, since some of them wait for the provider. */
const SLOTS_PER_REPO = 8;
/** Builds of all repos: what one repo's merges hold up leaves slots for others. */
const CLOSING_SLOTS = 3 * SLOTS_PER_REPO;

/** The worker that does what is due in builds (rules 11 to 13). */
export function composeClosing(services: ServerServices): WorkLoop {
  const { store, logger, clock, timers, metrics } = services;
  const tasks = {
    closeBuild: timed((id: number) => closeBuild(services, id), metrics.closeEnded),
    postPending: (build: Build) => postPending(services, build),
    reevaluateDependents: (base: Build) => reevaluateDependents(services, base),
    settleLanding: (build: Build) => settleLanding(services, build),
    reportTrouble: (id: number) => reportTrouble(services, id),
  };
  return createSlotLoop({
    name: 'closing',
    slots: CLOSING_SLOTS,
    ...createClosingWorker(services, tasks, SLOTS_PER_REPO),
    clock,
    timers,
    logger,
    ...idleOf(store),
  });
}

/** Merges reports of builds that are still open. */
export interface MergingAhead extends Pick<MergeAhead, 'noteJob'> {
  readonly loop: WorkLoop;
}

export function composeMergingAhead(
  { store, timers, logger }: Parts,
  { pool: engine, clock }: Pick<ServerServices, 'pool' | 'clock'>,
): MergingAhead {
  const { noteJob, run } = createMergeAhead({ ...storedOf(store), engine, logger }, () => loop.nudge());
  const loop = createWorkLoop({
    name: 'merge-ahead',
    run: async () => ({ nextAt: undefined, didWork: await run() }),
    clock,
    timers,
    logger,
  });
  return { noteJob, loop };
}
