import type { Worker } from 'node:worker_threads';

/** Milliseconds for an answer: a thread gives none within a call of native code, and none once it has ended. */
const ANSWER_TIME = 500;

const toMs = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1_000;

/** Milliseconds of processor that this thread has used so far, which a busy machine does not add to. */
export function ownProcessorTime(): number {
  return toMs(process.threadCpuUsage());
}

/** The same of another thread, whatever it is doing; undefined where it does not tell. */
export async function processorTimeOf(thread: Worker | undefined): Promise<number | undefined> {
  const { promise: silence, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, ANSWER_TIME, undefined);
  const told = thread?.cpuUsage?.().then(toMs, () => undefined);
  return Promise.race([told, silence]).finally(() => clearTimeout(timer));
}
