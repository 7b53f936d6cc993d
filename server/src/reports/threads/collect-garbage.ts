import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Bytes; less is left to the collector's own time. A full collection also drops what V8 compiled for objects of which
 * there is none just then: one after each merge made it compile 4,000 functions while 200 jobs came.
 */
const WORTHWHILE = 64 * 2 ** 20;

let collect: (() => void) | undefined;

/**
 * Frees the columns of a large merge now: an idle thread collects nothing, and the next merge may run in another one.
 */
export function collectGarbage(): void {
  const { arrayBuffers, heapUsed } = process.memoryUsage();
  if (arrayBuffers + heapUsed < WORTHWHILE) return;
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
}
