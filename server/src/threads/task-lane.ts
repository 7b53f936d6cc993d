import { Failure } from '../domain/failure.ts';

export interface TaskLaneOptions {
  /** Tasks at once. */
  readonly width: number;
  /** Tasks that may wait; beyond them callers get a Failure of code unavailable. */
  readonly maxQueue: number;
  /**
   * Milliseconds that a task may wait before its caller gets a Failure of code unavailable; without a bound unless
   * told.
   */
  readonly deadline?: number;
}

/** Lets a number of tasks run at once; the others wait in the order in which they came. */
export interface TaskLane {
  run<Value>(task: () => Promise<Value>): Promise<Value>;
}

export function createTaskLane({ width, maxQueue, deadline }: TaskLaneOptions): TaskLane {
  const waiting = new Set<() => void>();
  let running = 0;

  const enter = (): Promise<void> | undefined => {
    if (running < width) {
      running += 1;
      return undefined;
    }
    if (waiting.size >= maxQueue) throw busy(`${maxQueue} more tasks wait`);
    return new Promise((resolve, reject) => {
      const timer = deadline === undefined ? undefined : setTimeout(giveUp, deadline);
      function begin(): void {
        clearTimeout(timer);
        resolve();
      }
      function giveUp(): void {
        waiting.delete(begin);
        reject(busy(`none was free for ${(deadline ?? 0) / 1_000} s`));
      }
      waiting.add(begin);
    });
  };

  const leave = (): void => {
    const [next] = waiting;
    if (next === undefined) {
      running -= 1;
      return;
    }
    // Its place goes to the next one.
    waiting.delete(next);
    next();
  };

  return {
    async run(task) {
      await enter();
      try {
        return await task();
      } finally {
        leave();
      }
    },
  };
}

function busy(why: string): Failure {
  return new Failure(
    'unavailable',
    `All threads are busy, and ${why}; nothing was stored. Send the request again in a few seconds.`,
  );
}
