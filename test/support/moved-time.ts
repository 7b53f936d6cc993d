import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../server/src/platform/clock.ts';
import { systemTimers } from '../../server/src/platform/timers/system-timers.ts';
import type { Timer, Timers } from '../../server/src/platform/timers.ts';

/** Time that a test moves on instead of waiting; it continues by itself too. */
export interface MovedTime {
  readonly clock: Clock;
  readonly timers: Timers;
  /** Lets this many milliseconds pass: everything that waited for a moment before their end continues. */
  pass(ms: number): Promise<void>;
  /** Ends the shortest pause, unless an answer is waited for, or the pause is longer than `SKIPPED`. */
  skipPause(): void;
  /** Ends the shortest wait, for an answer that will never come too, unless it is longer than `SKIPPED`. */
  skipWait(): void;
}

/** Leases and the longest idle time of workers are beyond this, in ms. */
const SKIPPED = 30_000;

interface Waiting {
  /** Nothing is in progress that an early end would cut off. */
  readonly isPause: boolean;
  /** Milliseconds until its end. */
  left(): number;
  fire(): void;
}

/**
 * The machine's time, and what a test adds to it. Pauses end by themselves; a limit of the wait for an answer ends only
 * when the test moves the time, however busy the machine is.
 */
export function createMovedTime(): MovedTime {
  let moved = 0;
  const waiting = new Set<Waiting>();
  const move = (ms: number): void => {
    moved += ms;
    const over = [...waiting].filter((one) => one.left() <= 0).sort((a, b) => a.left() - b.left());
    for (const one of over) one.fire();
  };
  const add = (ms: number, run: () => void, isPause: boolean) => {
    const fire = (): void => {
      if (waiting.delete(one)) run();
      clearTimeout(timer);
    };
    const timer = isPause ? setTimeout(fire, ms) : undefined;
    const now = (): number => moved + (isPause ? performance.now() : 0);
    const end = now() + ms;
    const one: Waiting = { isPause, left: () => end - now(), fire };
    waiting.add(one);
    const cancel = (): void => {
      waiting.delete(one);
      clearTimeout(timer);
    };
    return { cancel, unref: () => void timer?.unref() };
  };
  const start = (ms: number, run: () => void): Timer => {
    if (ms <= 0) return systemTimers.start(ms, run);
    let timer = add(ms, run, false);
    return {
      cancel: () => timer.cancel(),
      // A timer that does not keep the process alive limits no wait for an answer.
      unref() {
        timer.cancel();
        timer = add(ms, run, true);
        timer.unref();
      },
    };
  };
  const skipWait = (): void => {
    const left = Math.min(...[...waiting].map((one) => one.left()));
    if (left > 0 && left <= SKIPPED) move(Math.ceil(left));
  };
  return {
    clock: { now: () => Date.now() + moved },
    timers: {
      elapsed: () => moved,
      start,
      sleep: (ms) => new Promise((resolve) => void add(ms, resolve, true)),
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
