import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

/** The entry of a thread that brings what is in the write-ahead log into the file, whenever it is asked. */
const { path } = workerData as { readonly path: string };
const db = new DatabaseSync(path);
// Its log is synced already; the file is synced before the log begins again.
const checkpoint = db.prepare('PRAGMA wal_checkpoint(PASSIVE)');

parentPort?.on('message', (asked: 'checkpoint' | 'close') => {
  if (asked === 'checkpoint') {
    try {
      checkpoint.get();
    } catch {
      // Locked, or the disk is full: it is asked again.
    }
    parentPort?.postMessage('done');
    return;
  }
  db.close();
  parentPort?.close();
});
