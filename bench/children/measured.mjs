/** Runs what is to be measured: milliseconds, those of processors, and the most memory so far, in bytes. */
export async function measured(work) {
  const [start, before] = [performance.now(), process.cpuUsage()];
  const value = await work();
  const { user, system } = process.cpuUsage(before);
  const cost = {
    wall: performance.now() - start,
    processor: (user + system) / 1000,
    memory: process.resourceUsage().maxRSS * 1024,
  };
  return { value, cost };
}
