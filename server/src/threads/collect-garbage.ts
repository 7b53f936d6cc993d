import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Less than this is left to the collector's own time. */
const WORTHWHILE = 64 * 2 ** 20;

let collect: (() => void) | undefined;

/**
 * Frees the columns of a large merge now: an idle thread collects nothing, and the next merge may run in another one.
 */
export function collectGarbage(worthwhile = WORTHWHILE): void {
  const { arrayBuffers, heapUsed } = process.memoryUsage();
  if (arrayBuffers + heapUsed < worthwhile) return;
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
}
