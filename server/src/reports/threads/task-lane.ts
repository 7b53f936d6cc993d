import { Failure } from '../../core/failure.ts';
import { FairQueue } from '../../core/fair-queue.ts';
import * as say from '../../messages/uploads.ts';
import type { UploadTurn } from '../ingest/ingest.ts';

export interface TaskLaneOptions {
  /** Tasks at once. */
  readonly width: number;
  /** Tasks that may wait, of known and of unknown callers each; beyond them one gets a Failure of code unavailable. */
  readonly maxQueue: number;
  /** Milliseconds that a task may wait before its caller gets a Failure of code unavailable; by default any time. */
  readonly deadline?: number;
}

/** Lets a number of tasks run at once; the others wait for their turn. */
export interface TaskLane {
  run<Value>(task: () => Promise<Value>, turn?: UploadTurn): Promise<Value>;
}

interface Waiting {
  begin(): void;
  refuse(why: string): void;
}

/** The turn of tasks that run in the order in which they came. */
export const ONE_SHARE: UploadTurn = { known: true, share: '' };

export function createTaskLane({ width, maxQueue, deadline }: TaskLaneOptions): TaskLane {
  const queue = new FairQueue<Waiting>(maxQueue);
  let running = 0;
  const begin = async <Value>(task: () => Promise<Value>): Promise<Value> => {
    running += 1;
    try {
      return await task();
    } finally {
      running -= 1;
      queue.take()?.begin();
    }
  };
  return {
    run(task, turn = ONE_SHARE) {
      if (running < width) return begin(task);
      return new Promise((resolve, reject) => {
        const waiting: Waiting = {
          begin() {
            clearTimeout(timer);
            resolve(begin(task));
          },
          refuse(why) {
            clearTimeout(timer);
            reject(busy(why));
          },
        };
        const giveUp = (): void => {
          queue.remove(turn, waiting);
          waiting.refuse(say.noneFree((deadline ?? 0) / 1_000));
        };
        const timer = deadline === undefined ? undefined : setTimeout(giveUp, deadline);
        queue.add(turn, waiting)?.refuse(say.othersWait(maxQueue));
      });
    },
  };
}

function busy(why: string): Failure {
  return new Failure('unavailable', say.threadsBusy(why));
}
