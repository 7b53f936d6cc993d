import PQueue from 'p-queue';
import { Failure } from '../domain/failure.ts';

export interface TaskLaneOptions {
  /** Tasks at once. */
  readonly width: number;
  /** Tasks that may wait; beyond them callers get a Failure of code unavailable. */
  readonly maxQueue: number;
  /** Milliseconds that a task may wait before its caller gets a Failure of code unavailable; by default any time. */
  readonly deadline?: number;
}

/** Lets a number of tasks run at once; the others wait in the order in which they came. */
export interface TaskLane {
  run<Value>(task: () => Promise<Value>): Promise<Value>;
}

export function createTaskLane({ width, maxQueue, deadline }: TaskLaneOptions): TaskLane {
  const queue = new PQueue({ concurrency: width });
  return {
    async run(task) {
      if (queue.pending >= width && queue.size >= maxQueue) throw busy(`${maxQueue} more tasks wait`);
      if (deadline === undefined) return queue.add(task);
      const waiting = new AbortController();
      const timer = setTimeout(() => waiting.abort(busy(`none was free for ${deadline / 1_000} s`)), deadline);
      const begin = (): ReturnType<typeof task> => {
        clearTimeout(timer);
        return task();
      };
      return queue.add(begin, { signal: waiting.signal });
    },
  };
}

function busy(why: string): Failure {
  return new Failure(
    'unavailable',
    `All threads are busy, and ${why}; nothing was stored. Send the request again in a few seconds.`,
  );
}
