import { threadId, type Worker } from 'node:worker_threads';

/** Milliseconds for an answer: a thread gives none within a call of native code, and none once it has ended. */
const ANSWER_TIME = 500;

const toMs = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1_000;

/** Where a thread notes which one it is, and its processor time, when it begins a task. */
export type TaskBeginning = Float64Array;

export function createBeginning(): TaskBeginning {
  return new Float64Array(new SharedArrayBuffer(2 * Float64Array.BYTES_PER_ELEMENT));
}

/** Within the thread. */
export function noteBeginning(beginning: TaskBeginning): void {
  beginning.set([threadId, ownProcessorTime()]);
}

/** Milliseconds of processor that a task has used in one of these threads; 0: it has not begun, or none tells. */
export async function processorTimeSince(
  [id = 0, begun = 0]: TaskBeginning,
  threads: readonly Worker[],
): Promise<number> {
  const used = await processorTimeOf(threads.find((thread) => thread.threadId === id));
  return used === undefined ? 0 : used - begun;
}

/** Milliseconds of processor that this thread has used so far, which a busy machine does not add to. */
export function ownProcessorTime(): number {
  return toMs(process.threadCpuUsage());
}

/** The same of another thread, whatever it is doing; undefined if it does not tell. */
export async function processorTimeOf(thread: Worker | undefined): Promise<number | undefined> {
  const { promise: silence, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, ANSWER_TIME, undefined);
  const told = thread?.cpuUsage?.().then(toMs, () => undefined);
  return Promise.race([told, silence]).finally(() => clearTimeout(timer));
}
