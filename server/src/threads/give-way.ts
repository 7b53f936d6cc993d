import { readdirSync, readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { isMainThread } from 'node:worker_threads';

/** Of Unix: 0 is usual, 19 the least. */
const NICE = 5;

/** How Node names the threads in which V8 compiles and collects garbage for all others. */
const V8_THREAD = 'V8Worker';

/**
 * On Linux this is a thread's own priority, and the main thread keeps the usual one. With three busy threads on two
 * processors half of its turns came after 8 to 12 ms instead of 17 to 20. With 10 the slowest hundredth was 2 ms less,
 * but then other programs starve the checks of uploads.
 */
export function giveWay(): void {
  if (!isMainThread) lower(0);
}

/** The same for V8's threads, which Linux lets any thread do. */
export function letHelpersGiveWay(): void {
  if (process.platform !== 'linux') return;
  const threads = '/proc/self/task';
  for (const thread of readdirSync(threads)) {
    if (readFileSync(`${threads}/${thread}/comm`, 'utf8').startsWith(V8_THREAD)) lower(Number(thread));
  }
}

/** 0: the thread that asks. */
function lower(thread: number): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(thread, NICE);
  } catch {
    // Where a container forbids it, all threads are alike.
  }
}
