import { readdirSync, readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { isMainThread } from 'node:worker_threads';

/** For Unix: 0 is usual, 19 the least. */
const NICE = 5;

/** How Node names the threads in which V8 compiles and collects garbage for all others. */
const V8_THREAD = 'V8Worker';

const THREADS = '/proc/self/task';

/**
 * On Linux this is a thread's own priority, and the main thread keeps the usual one. With three busy threads on two
 * processors half of its turns came after 8 to 12 ms instead of 17 to 20. With 10 the slowest hundredth was 2 ms less,
 * but then other programs starve the checks of uploads.
 */
export function lowerThreadPriority(): void {
  if (!isMainThread) onLinux(() => setPriority(NICE));
}

/** The same for V8's threads, which Linux lets any thread of their process do. */
export function letHelpersGiveWay(): void {
  onLinux(() => {
    for (const thread of readdirSync(THREADS))
      if (readFileSync(`${THREADS}/${thread}/comm`, 'utf8').startsWith(V8_THREAD)) setPriority(Number(thread), NICE);
  });
}

function onLinux(lower: () => void): void {
  if (process.platform !== 'linux') return;
  try {
    lower();
  } catch {
    // If a container forbids it, or a thread ended just now, threads stay alike.
  }
}
