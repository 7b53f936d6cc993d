import type { LaneLoad } from '../ports/metrics.ts';
import type { TaskLane } from './task-lane.ts';

/** The same lane, which knows how many tasks wait and run in it. */
export interface WatchedLane extends TaskLane {
  load(): LaneLoad;
}

export function watchLane(lane: string, { run }: TaskLane): WatchedLane {
  let [waiting, running] = [0, 0];
  return {
    load: () => ({ lane, waiting, running }),
    async run(task, ...rest) {
      let begun = false;
      waiting += 1;
      const begin = (): ReturnType<typeof task> => {
        begun = true;
        waiting -= 1;
        running += 1;
        return task();
      };
      try {
        return await run(begin, ...rest);
      } finally {
        if (begun) running -= 1;
        else waiting -= 1;
      }
    },
  };
}
