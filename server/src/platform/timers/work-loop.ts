import { LONGEST_IDLE, pauseAfter, WORKER_BACKOFF } from '../../core/backoff.ts';
import type { Timestamp } from '../../core/time.ts';
import type { Clock } from '../clock.ts';
import type { Logger } from '../logger.ts';
import type { Timers } from '../timers.ts';

/** What one run found. */
export interface Round {
  /** When something is due next, ms since 1970; undefined: nothing that is known. */
  readonly nextAt: Timestamp | undefined;
  /** There may be more at once. */
  readonly didWork: boolean;
}

export interface WorkLoop {
  /** Runs from now on. Again: no effect. */
  start(): void;
  /** Something may be due: runs now, or again if a run is in progress. Does not shorten the pause after an error. */
  nudge(): void;
  /** Starts no further run and waits for the one in progress, `stopWithin` at most. A stopped loop stays stopped. */
  stop(): Promise<void>;
}

/** A sleep that can be ended early. */
interface Pause {
  readonly over: Promise<void>;
  end(): void;
}

export interface WorkLoopOptions {
  /** For log lines. */
  readonly name: string;
  readonly run: () => Promise<Round>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Longest sleep in ms, after which it looks whether another instance left work. Default: LONGEST_IDLE. */
  readonly maxIdle?: number;
  /** Milliseconds that `stop` waits. Default 4,000. */
  readonly stopWithin?: number;
  readonly timers: Timers;
}

/** When something is due that a run did not take (a clock of another machine, a lease): no busy loop. */
const SHORTEST_IDLE = 50;

/** Runs a task whenever something is due: again while there is work, else at `nextAt`, a nudge or after `maxIdle`. */
export function createWorkLoop(options: WorkLoopOptions): WorkLoop {
  const { stopWithin = 4_000, timers } = options;
  const state: LoopState = { stopping: false, nudged: false, failures: 0, idle: undefined };
  let ended: Promise<void> | undefined;
  return {
    start() {
      if (!state.stopping) ended ??= keepRunning(options, state);
    },
    nudge() {
      state.nudged = true;
      if (state.failures === 0) state.idle?.end();
    },
    async stop() {
      state.stopping = true;
      state.idle?.end();
      if (ended === undefined) return;
      const bound = pause(timers, stopWithin);
      await Promise.race([ended, bound.over]);
      bound.end();
    },
  };
}

interface LoopState {
  stopping: boolean;
  /** Since the last run began. */
  nudged: boolean;
  /** Runs in a row that threw. */
  failures: number;
  idle: Pause | undefined;
}

async function keepRunning(options: WorkLoopOptions, state: LoopState): Promise<void> {
  while (!state.stopping) {
    state.nudged = false;
    const idleFor = await runOnce(options, state);
    if (state.stopping) return;
    // Even without a wait others get a turn: a store that answers synchronously would starve the whole process.
    state.idle = pause(options.timers, state.nudged && state.failures === 0 ? 0 : idleFor);
    await state.idle.over;
    state.idle = undefined;
  }
}

/** One run; answers for how many ms nothing is to be done. */
async function runOnce(
  { run, name, clock, logger, maxIdle = LONGEST_IDLE }: WorkLoopOptions,
  state: LoopState,
): Promise<number> {
  try {
    const { nextAt, didWork } = await run();
    state.failures = 0;
    if (didWork) return 0;
    return nextAt === undefined ? maxIdle : Math.min(Math.max(nextAt - clock.now(), SHORTEST_IDLE), maxIdle);
  } catch (error) {
    state.failures += 1;
    const wait = pauseAfter(state.failures, WORKER_BACKOFF);
    logger.error({ worker: name, failures: state.failures, wait, err: error }, 'a run failed; it will be repeated');
    return wait;
  }
}

/** A sleep of `ms`, 0 meaning one turn of the event loop. */
function pause(timers: Timers, ms: number): Pause {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = timers.start(ms, resolve);
  // The listening server keeps the process alive; a sleeping worker must not.
  timer.unref();
  const end = (): void => {
    timer.cancel();
    resolve();
  };
  return { over: promise, end };
}
