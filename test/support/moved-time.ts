import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../server/src/ports/clock.ts';
import type { Timers } from '../../server/src/ports/timers.ts';
import { systemTimers } from '../../server/src/workers/system-timers.ts';

/** Time that a test moves on instead of waiting; it goes on by itself too. */
export interface MovedTime {
  readonly clock: Clock;
  readonly timers: Timers;
  /** So many milliseconds are over: everything that waited for a moment before their end goes on. */
  pass(ms: number): Promise<void>;
  /** Ends the shortest pause, unless an answer is waited for, or the pause is longer than `SKIPPED`. */
  skipPause(): void;
  /** Ends the shortest wait, for an answer that will never come too, unless it is longer than `SKIPPED`. */
  skipWait(): void;
}

/** Leases and the longest idle time of workers are beyond this, in ms. */
const SKIPPED = 30_000;

interface Waiting {
  readonly end: number;
  /** Nothing is under way that an early end would cut off. */
  isPause: boolean;
  fire(): void;
}

/** The machine's time, and what a test adds to it. */
export function createMovedTime(): MovedTime {
  let moved = 0;
  const waiting = new Set<Waiting>();
  const elapsed = (): number => performance.now() + moved;
  const move = (ms: number): void => {
    moved += ms;
    const over = [...waiting].filter(({ end }) => end <= elapsed()).sort((a, b) => a.end - b.end);
    for (const one of over) one.fire();
  };
  const start = (ms: number, run: () => void, isPause: boolean) => {
    if (ms <= 0) return systemTimers.start(ms, run);
    const fire = (): void => {
      if (waiting.delete(one)) run();
      clearTimeout(timer);
    };
    const timer = setTimeout(fire, ms);
    const one: Waiting = { end: elapsed() + ms, isPause, fire };
    waiting.add(one);
    return {
      cancel() {
        waiting.delete(one);
        clearTimeout(timer);
      },
      unref() {
        one.isPause = true;
        timer.unref();
      },
    };
  };
  const skipWait = (): void => {
    const left = Math.min(...[...waiting].map(({ end }) => end)) - elapsed();
    if (left > 0 && left <= SKIPPED) move(Math.ceil(left));
  };
  return {
    clock: { now: () => Date.now() + moved },
    timers: {
      elapsed,
      start: (ms, run) => start(ms, run, false),
      sleep: (ms) => new Promise((resolve) => void start(ms, resolve, true)),
    },
    pass: async (ms) => move(ms),
    skipPause() {
      if ([...waiting].every(({ isPause }) => isPause)) skipWait();
    },
    skipWait,
  };
}

/** For a store that goes by a clock of its own, which nobody here can move: tests wait. */
export function createRealTime(): MovedTime {
  const nothing = (): void => {};
  return {
    clock: { now: Date.now },
    timers: systemTimers,
    pass: (ms) => sleep(ms),
    skipPause: nothing,
    skipWait: nothing,
  };
}
