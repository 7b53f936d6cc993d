import { Failure } from '../../core/failure.ts';
import * as say from '../../messages/uploads.ts';
import { Scheduler } from '../../platform/scheduler.ts';

export interface TaskLaneOptions {
  /** Tasks at once. */
  readonly width: number;
  /** Tasks that may wait, of known and of unknown callers each; beyond them one gets a Failure of code unavailable. */
  readonly maxQueue: number;
  /** Milliseconds that a task may wait before its caller gets a Failure of code unavailable; by default any time. */
  readonly deadline?: number | undefined;
}

/** Lets a number of tasks run in threads at once; the others wait for their turn. */
export type TaskLane = Pick<Scheduler, 'run'>;

export function createTaskLane({ width, maxQueue, deadline = 0 }: TaskLaneOptions): Scheduler {
  const reasons = { full: say.othersWait(maxQueue), late: say.noneFree(deadline / 1_000) };
  return new Scheduler({
    capacity: width,
    wait: {
      most: maxQueue,
      deadline: deadline || undefined,
      refuse: (why) => new Failure('unavailable', say.threadsBusy(reasons[why])),
    },
  });
}
