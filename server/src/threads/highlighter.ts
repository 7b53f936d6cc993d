import { basename, extname } from 'node:path';
import { LRUCache } from 'lru-cache';
import { Piscina } from 'piscina';
import type { Highlights } from '../domain/coverage/highlights.ts';
import type { Highlighter } from '../ports/highlighter.ts';
import type { Timers } from '../ports/timers.ts';
import { languageOf } from './source-languages.ts';
import { createTaskLane } from './task-lane.ts';

/** The entry beside this file: TypeScript from the sources, JavaScript from the build. */
const ENTRY = new URL(`./highlight-thread${extname(import.meta.url)}`, import.meta.url).href;

/** Bytes of all answers that are remembered. */
const MAX_REMEMBERED = 32 * 2 ** 20;
/** Texts that wait; others are coloured when they are asked for again. */
const MAX_WAITING = 20;
/** Heap of the thread in MiB: grammars, and the tokens of the longest text. */
const HEAP_MB = 384;
const IDLE_TIMEOUT = 60_000;
/** Milliseconds after which a text that took too long is tried again: the machine may have been busy. */
const FAILURE_HOLDS = 600_000;

const PLAIN: Highlights = new Uint32Array(0);

export interface HighlighterOptions {
  readonly timers: Timers;
  /** Milliseconds that colouring one text may take; 30 s by default. Its thread is ended then. */
  readonly timeLimit?: number;
  /** Milliseconds that whoever asks first waits; 50 by default. Most texts are done by then. */
  readonly firstWait?: number;
}

/**
 * One thread of its own, so that a page never takes an upload's; it starts with the first text. Texts that took too
 * long are plain for a while.
 */
export function createHighlighter({ timers, timeLimit = 30_000, firstWait = 50 }: HighlighterOptions): Highlighter {
  const pool = new Piscina({
    filename: ENTRY,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_TIMEOUT,
    recordTiming: false,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  // Without a listener a thread that dies while idle would end the process.
  pool.on('error', () => {});
  const known = new LRUCache<string, Highlights>({
    maxSize: MAX_REMEMBERED,
    sizeCalculation: (runs) => Math.max(64, runs.byteLength),
  });
  const underWay = new Map<string, Promise<Highlights>>();
  const lane = createTaskLane({ width: 1, maxQueue: MAX_WAITING });

  const begin = (key: string, name: string, bytes: Uint8Array): Promise<Highlights> => {
    const work = lane
      .run(() => pool.run({ name, bytes }, { signal: AbortSignal.timeout(timeLimit) }))
      .then((buffer: ArrayBuffer) => {
        const runs = new Uint32Array(buffer);
        known.set(key, runs);
        return runs;
      })
      .catch(() => {
        known.set(key, PLAIN, { ttl: FAILURE_HOLDS });
        return PLAIN;
      })
      .finally(() => underWay.delete(key));
    underWay.set(key, work);
    return work;
  };
  return {
    async highlight({ name, source }) {
      if (languageOf(name) === undefined) return PLAIN;
      const key = `${source.digest}/${extname(name) || basename(name)}`;
      const found = known.get(key);
      if (found !== undefined) return found;
      if (underWay.size >= MAX_WAITING && !underWay.has(key)) return 'pending';
      const work = underWay.get(key) ?? begin(key, name, source.bytes);
      return Promise.race([work, timers.sleep(firstWait).then(() => 'pending' as const)]);
    },
    close: () => pool.destroy(),
  };
}
