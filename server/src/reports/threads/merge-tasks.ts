import type { ReportBytes } from '../report-bytes.ts';
import { CannotMerge } from '../report-engine.ts';
import type { LatePool } from './late-pool.ts';
import type { MergeTask } from './report-thread.ts';
import { wholeBuffers } from './whole-buffers.ts';

/** What one build's merge may take. */
export interface MergeLimits {
  /** Bytes of memory; undefined: no bound. */
  readonly memory?: number | undefined;
  /** Milliseconds, after which its thread is ended; undefined: no bound. */
  readonly time?: number | undefined;
}

/** Node's timers know no longer time; in ms. */
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * Asks a thread a question of a merge that must be answered by `until`, by performance.now(). What is in `moved` is
 * handed over with it where it owns its buffer, and empty then.
 */
export type AskMerge = (
  name: string,
  asked: unknown,
  until: number,
  moved?: readonly ReportBytes[],
) => Promise<unknown>;

/** Throws CannotMerge if a thread took too long: it has been ended then, and the next task gets another one. */
export function createMergeTasks(pool: Pick<LatePool, 'run'>, { memory, time }: MergeLimits): AskMerge {
  return async (name, asked, until, moved = []) => {
    const task: MergeTask<unknown> = { asked, budget: memory };
    const options = { name, transferList: wholeBuffers(moved) };
    if (time === undefined) return pool.run(task, options);
    const left = Math.round(until - performance.now());
    const signal = AbortSignal.timeout(Math.min(Math.max(1, left), LONGEST_TIMER));
    try {
      return await pool.run(task, { ...options, signal });
    } catch (cause) {
      throw signal.aborted ? new CannotMerge({ kind: 'time', limit: time }) : cause;
    }
  };
}
