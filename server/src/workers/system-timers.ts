import { setTimeout as sleep } from 'node:timers/promises';
import type { Timers } from '../ports/timers.ts';

/** The machine's own timers. */
export const systemTimers: Timers = {
  elapsed: () => performance.now(),
  sleep: (ms) => sleep(ms),
  start(ms, run) {
    if (ms <= 0) {
      const turn = setImmediate(run);
      return { cancel: () => clearImmediate(turn), unref: () => void turn.unref() };
    }
    const timer = setTimeout(run, ms);
    return { cancel: () => clearTimeout(timer), unref: () => void timer.unref() };
  },
};
