import { Failure } from '../../core/failure.ts';
import { counted } from '../../core/sentences.ts';
import { Scheduler } from '../../platform/scheduler.ts';

export interface TaskQueueOptions {
  /** Tasks at once. */
  readonly width: number;
  /** Tasks that may wait, of known and of unknown callers each; beyond them one gets a Failure of code unavailable. */
  readonly maxQueue: number;
  /** Milliseconds that a task may wait before its caller gets a Failure of code unavailable; by default any time. */
  readonly deadline?: number | undefined;
}

/** Lets a number of tasks run in threads at once; the others wait for their turn. */
export type TaskQueue = Pick<Scheduler, 'run'>;

export function createTaskQueue({ width, maxQueue, deadline = 0 }: TaskQueueOptions): Scheduler {
  const reasons = {
    full: counted(maxQueue, 'more task waits', 'more tasks wait'),
    late: `none was free for ${deadline / 1_000} s`,
  };
  return new Scheduler({
    capacity: width,
    wait: {
      max: maxQueue,
      deadline: deadline || undefined,
      refuse: (why) =>
        new Failure(
          'unavailable',
          `All threads are busy, and ${reasons[why]}. Nothing was stored. Send the request again in a few seconds.`,
        ),
    },
  });
}
