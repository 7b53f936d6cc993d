import { readFile, writeFile } from 'node:fs/promises';

/** The most bytes of memory that a process has held at a time; 0 where there is no /proc. */
export async function peakMemory(pid: number | undefined): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0) * 1_024;
}

/** From now on the peak is that of what comes (proc(5), clear_refs). */
export async function forgetPeak(pid: number | undefined): Promise<void> {
  await writeFile(`/proc/${pid}/clear_refs`, '5').catch(() => undefined);
}
