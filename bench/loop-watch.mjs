// Loaded into a measured server: at SIGUSR2 it prints how long its event loop was blocked at most since the last time,
// and what its main thread spent on a processor.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

/** In ms; every delay is longer by as much. */
const RESOLUTION = 2;

if (isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION });
  let before = process.threadCpuUsage();
  delay.enable();
  process.on('SIGUSR2', () => {
    const { user, system } = process.threadCpuUsage(before);
    const longestBlock = Math.max(0, delay.max / 1e6 - RESOLUTION);
    console.log(`loop watch ${JSON.stringify({ longestBlock, mainThread: (user + system) / 1e3 })}`);
    delay.reset();
    before = process.threadCpuUsage();
  });
}
