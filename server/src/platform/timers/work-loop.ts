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

interface WorkLoopOptions {
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

interface SlotLoopOptions<Item> extends Omit<WorkLoopOptions, 'run'> {
  /** How many items are worked on at once. */
  readonly slots: number;
  /** Leases what is due, at most `limit` items; the lease keeps an item out of a second slot. */
  readonly claim: (limit: number) => Promise<readonly Item[]>;
  /** Works on one item. It handles its own failures: what it throws is a bug, and is logged. */
  readonly work: (item: Item) => Promise<void>;
  readonly nextDueAt: () => Promise<Timestamp | undefined>;
}

/**
 * A work loop in which each item takes a slot and frees it when it ends, so that a slow one holds up no other. `stop`
 * ends after `stopWithin` at the latest; what is cut off then continues after its lease.
 */
export function createSlotLoop<Item>(options: SlotLoopOptions<Item>): WorkLoop {
  const { slots: count, claim, work, nextDueAt, name, logger, timers, stopWithin = 4_000 } = options;
  const slots = new Set<Promise<void>>();

  const run = async (): Promise<Round> => {
    const free = count - slots.size;
    // A slot that becomes free nudges the loop.
    if (free <= 0) return { nextAt: undefined, didWork: false };
    const claimed = await claim(free);
    for (const item of claimed) occupy(item);
    if (claimed.length === free) return { nextAt: undefined, didWork: false };
    return { nextAt: await nextDueAt(), didWork: claimed.length > 0 };
  };

  const occupy = (item: Item): void => {
    const slot = work(item)
      .catch((error: unknown) =>
        logger.error({ loop: name, err: error }, 'unexpected failure; it goes on after its lease'),
      )
      .then(() => {
        slots.delete(slot);
        loop.nudge();
      });
    slots.add(slot);
  };

  const loop = createWorkLoop({ ...options, run });
  return {
    start: loop.start,
    nudge: loop.nudge,
    stop: async () => {
      await loop.stop();
      if (slots.size > 0) await Promise.race([Promise.all(slots), timers.sleep(stopWithin)]);
    },
  };
}
