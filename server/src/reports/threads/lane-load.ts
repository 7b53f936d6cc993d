import type { LaneLoad } from '../../platform/metrics.ts';
import type { TaskLane } from './task-lane.ts';

/** Counts the tasks that wait and run. */
export interface TaskWatch {
  load(): LaneLoad;
  /** `start` is given the task to begin, now or later. */
  run<Value>(start: (begun: () => Promise<Value>) => Promise<Value>, task: () => Promise<Value>): Promise<Value>;
}

/** A lane which knows how many tasks wait and run in it. */
export interface WatchedLane extends TaskLane {
  load(): LaneLoad;
}

export function watchTasks(lane: string): TaskWatch {
  let [waiting, running] = [0, 0];
  return {
    load: () => ({ lane, waiting, running }),
    async run(start, task) {
      let begun = false;
      waiting += 1;
      const begin = (): ReturnType<typeof task> => {
        begun = true;
        waiting -= 1;
        running += 1;
        return task();
      };
      try {
        return await start(begin);
      } finally {
        if (begun) running -= 1;
        else waiting -= 1;
      }
    },
  };
}

export function watchLane(lane: string, { run }: TaskLane): WatchedLane {
  const watch = watchTasks(lane);
  return { load: watch.load, run: (task, turn) => watch.run((begun) => run(begun, turn), task) };
}
