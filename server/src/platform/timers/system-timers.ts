import { setTimeout as sleep } from 'node:timers/promises';
import type { Timers } from '../timers.ts';

/** The machine's own timers. */
export const systemTimers: Timers = {
  elapsed: () => performance.now(),
  sleep: (ms) => sleep(ms),
  start(ms, run) {
    if (ms <= 0) {
      const turn = setImmediate(run);
      // It keeps no process alive for longer than a turn; one that is unreferenced waits for the next other event.
      return { cancel: () => clearImmediate(turn), unref: () => {} };
    }
    const timer = setTimeout(run, ms);
    return { cancel: () => clearTimeout(timer), unref: () => void timer.unref() };
  },
};
