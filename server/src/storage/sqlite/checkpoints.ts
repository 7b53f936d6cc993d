import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

/** Pages that the log may hold before they are brought into the file: 16 MB in files of 8 KiB pages. */
export const LOG_PAGES = 2_000;
/**
 * From here on the writer does it, as SQLite does by itself: a thread that never catches up must not let the log
 * fill the disk.
 */
export const MAX_LOG_PAGES = 16_000;

/**
 * Checkpoints in a thread of its own: within a commit one holds up the main thread. With 900 KB a commit the slowest
 * hundredth of 260 took 114 ms instead of 420 on a busy machine, and all of them three quarters of the time.
 */
export interface Checkpoints {
  /** The log holds this many pages that are not in the file. */
  note(pages: number): void;
  /** Ends the thread, so that the last to close the file takes its log away. Idempotent. */
  close(): Promise<void>;
}

const ENTRY = new URL(`./checkpoint-thread${extname(import.meta.url)}`, import.meta.url);

/** Its thread starts when it first has something to do. `onFault`: it is gone, and the writer has to do it again. */
export function startCheckpoints(path: string, onFault: () => void): Checkpoints {
  let thread: Thread | undefined;
  let busy = false;
  let ended = false;
  const start = (): Thread => {
    const worker = new Worker(ENTRY, { workerData: { path } });
    worker.unref();
    worker.on('message', () => {
      busy = false;
    });
    worker.on('error', () => {
      ended = true;
      onFault();
    });
    const exited = once(worker, 'exit').then(
      () => undefined,
      () => undefined,
    );
    return { worker, exited };
  };
  return {
    note(pages) {
      if (busy || ended || pages < LOG_PAGES) return;
      busy = true;
      thread ??= start();
      thread.worker.postMessage('checkpoint');
    },
    async close() {
      thread?.worker.ref();
      if (!ended) thread?.worker.postMessage('close');
      ended = true;
      await thread?.exited;
    },
  };
}

interface Thread {
  readonly worker: Worker;
  readonly exited: Promise<void>;
}
