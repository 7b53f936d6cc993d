import { readFile, writeFile } from 'node:fs/promises';

/** The most bytes of memory that a process has held at a time; 0 where there is no /proc. */
export const peakMemory = (pid: number | undefined): Promise<number> => readStatus(pid, 'VmHWM');

/** What it holds now. */
export const heldMemory = (pid: number | undefined): Promise<number> => readStatus(pid, 'VmRSS');

async function readStatus(pid: number | undefined, field: string): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1] ?? 0) * 1_024;
}

/** From now on the peak is that of what comes (proc(5), clear_refs). */
export async function forgetPeak(pid: number | undefined): Promise<void> {
  await writeFile(`/proc/${pid}/clear_refs`, '5').catch(() => undefined);
}
