import { readFile } from 'node:fs/promises';
import { cpus } from 'node:os';

/** Linux counts for every process in these, whatever the kernel's own timer does (USER_HZ, proc(5)). */
const TICKS_PER_SECOND = 100;

/**
 * Seconds that a process and all its threads have spent on processors so far. Undefined: no such process here, or no
 * /proc.
 */
export function processorSeconds(pid: number | undefined): Promise<number | undefined> {
  return secondsOf(pid, `/proc/${pid}/stat`);
}

/** The same of its main thread alone. */
export function mainThreadSeconds(pid: number | undefined): Promise<number | undefined> {
  return secondsOf(pid, `/proc/${pid}/task/${pid}/stat`);
}

async function secondsOf(pid: number | undefined, path: string): Promise<number | undefined> {
  if (pid === undefined) return undefined;
  const text = await readFile(path, 'utf8').catch(() => undefined);
  // The second field, the name, may hold blanks and brackets; utime and stime are the 14th and 15th.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ');
  return fields && (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Seconds that this process has spent on processors so far. */
export function ownProcessorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/**
 * Seconds that all processors of the machine have worked so far, for all programs: what is missing from a comparison
 * went to others.
 */
export function machineProcessorSeconds(): number {
  const spent = cpus().map(({ times }) => times.user + times.nice + times.sys + times.irq);
  return spent.reduce((total, one) => total + one, 0) / 1_000;
}
