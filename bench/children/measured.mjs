import { readFileSync } from 'node:fs';

/** Runs what is to be measured: milliseconds, those of processors, and the most memory so far, in bytes. */
export async function measured(work) {
  const [start, before] = [performance.now(), process.cpuUsage()];
  const value = await work();
  const { user, system } = process.cpuUsage(before);
  const cost = {
    wall: performance.now() - start,
    processor: (user + system) / 1000,
    memory: mostMemory(),
  };
  return { value, cost };
}

/** The kernel counts into maxRSS what the parent had before it became this program; VmHWM does not. */
function mostMemory() {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS * 1024;
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) * 1024;
}
