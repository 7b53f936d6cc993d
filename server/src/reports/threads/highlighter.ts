import { basename, extname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Highlights } from '../../core/coverage/highlights.ts';
import { Scheduler } from '../../platform/scheduler.ts';
import type { Timers } from '../../platform/timers.ts';
import type { Highlighter } from '../highlighter.ts';
import type { HighlightTask } from './highlight-thread.ts';
import { type LatePool, openLate } from './late-pool.ts';
import { languageOf } from './source-languages.ts';
import { processorTimeOf } from './thread-time.ts';

/** The entry beside this file: TypeScript from the sources, JavaScript from the build. */
const ENTRY = new URL(`./highlight-thread${extname(import.meta.url)}`, import.meta.url).href;

/** Bytes of all answers that are remembered. */
const MAX_REMEMBERED = 32 * 2 ** 20;
/** Texts that wait, of one repo and of all but the first of each; others are colored when they are asked for again. */
const MAX_WAITING_OF_REPO = 20;
const MAX_WAITING = 200;
/** Heap of the thread in MiB: grammars, and the tokens of the longest text. */
const HEAP_MB = 384;
const IDLE_TIMEOUT = 60_000;
/** Milliseconds after which a text that could not be colored is tried again: the machine may have been busy. */
const FAILURE_HOLDS = 600_000;
/** Milliseconds of processor for one text, that of making its language ready not counted. */
const TEXT_TIME = 300;
/** Milliseconds between two looks at the thread, which stops by itself between two searches of a text. */
const LOOK_EVERY = 250;

/** For the first caller of a text, in ms. */
const FIRST_WAIT = 50;
/** Milliseconds until the thread starts: that takes twice what the page does that asks first, and goes out plain. */
const START_AFTER = 100;

const PLAIN: Highlights = new Uint32Array(0);

export interface HighlighterOptions {
  readonly timers: Timers;
  /** Milliseconds of processor that coloring one text may take; 300 by default. */
  readonly textTime?: number;
  /** Milliseconds after which the thread is ended whatever it does, as on a machine that is busy; 30 s by default. */
  readonly timeLimit?: number;
  /**
   * Milliseconds that the first caller waits; 50 by default. Most texts are done by then, but not the very first:
   * its thread takes 300 to start, so nobody waits for it.
   */
  readonly firstWait?: number;
  /** Milliseconds of processor that a thread has used. */
  readonly processorTime?: typeof processorTimeOf;
}

/**
 * One thread of its own, so that a page never takes an upload's; it starts with the first text. Repos take turns. A
 * text that takes too long stays plain; a thread that one search holds up is ended.
 */
export function createHighlighter({ timers, firstWait, ...bounds }: HighlighterOptions): Highlighter {
  const pool = openLate(
    {
      filename: ENTRY,
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: IDLE_TIMEOUT,
      recordTiming: false,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    },
    () => {},
  );
  const known = new LRUCache<string, Highlights>({
    maxSize: MAX_REMEMBERED,
    sizeCalculation: (runs) => Math.max(64, runs.byteLength),
  });
  const underWay = new Map<string, { readonly repoId: number; readonly work: Promise<Highlights> }>();
  const turns = new Scheduler({ capacity: 1, newcomersFirst: true });
  let isClosed = false;

  const begin = (key: string, { repoId, name, source }: Parameters<Highlighter['highlight']>[0], after: number) => {
    const begun = after === 0 ? Promise.resolve() : sleep(after, undefined, { ref: false });
    const start = async () => (isClosed ? PLAIN : color(pool, { name, bytes: source.bytes }, bounds));
    const work = begun
      .then(() => turns.run(start, { known: true, share: String(repoId) }))
      .then((runs = PLAIN) => {
        known.set(key, runs);
        return runs;
      })
      .catch(() => {
        known.set(key, PLAIN, { ttl: FAILURE_HOLDS });
        return PLAIN;
      })
      .finally(() => underWay.delete(key));
    underWay.set(key, { repoId, work });
    return work;
  };
  const isFull = (repoId: number): boolean => {
    const ofRepo = [...underWay.values()].filter((one) => one.repoId === repoId).length;
    return ofRepo >= (underWay.size < MAX_WAITING ? MAX_WAITING_OF_REPO : 1);
  };
  return {
    async highlight(asked) {
      const { repoId, name, source } = asked;
      if (languageOf(name) === undefined) return PLAIN;
      const key = `${source.digest}/${extname(name) || basename(name)}`;
      const found = known.get(key);
      if (found !== undefined) return found;
      if (!underWay.has(key) && isFull(repoId)) return 'pending';
      const wait = firstWait ?? (pool.threads.length === 0 ? 0 : FIRST_WAIT);
      const work = underWay.get(key)?.work ?? begin(key, asked, wait === 0 ? START_AFTER : 0);
      return Promise.race([work, timers.sleep(wait).then(() => 'pending' as const)]);
    },
    close: () => {
      isClosed = true;
      return pool.destroy();
    },
  };
}

/** Undefined: it takes too long, no matter how busy the machine is. Rejects if the thread ended for another reason. */
async function color(
  pool: LatePool,
  text: Pick<HighlightTask, 'name' | 'bytes'>,
  {
    textTime: limit = TEXT_TIME,
    timeLimit = 30_000,
    processorTime = processorTimeOf,
  }: Omit<HighlighterOptions, 'timers' | 'firstWait'>,
): Promise<Highlights | undefined> {
  const until = new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT)).fill(Number.POSITIVE_INFINITY);
  const stuck = new AbortController();
  const look = async (): Promise<void> => {
    const used = await processorTime(pool.threads[0]);
    // As much again: a search that ends soon costs less than a new thread.
    if (used !== undefined && used > (until[0] ?? 0) + limit) stuck.abort();
  };
  const looking = setInterval(() => void look(), LOOK_EVERY);
  try {
    const signal = AbortSignal.any([stuck.signal, AbortSignal.timeout(timeLimit)]);
    const task: HighlightTask = { ...text, limit, until };
    const buffer: ArrayBuffer | undefined = await pool.run(task, { signal });
    return buffer && new Uint32Array(buffer);
  } catch (error) {
    if (stuck.signal.aborted) return undefined;
    throw error;
  } finally {
    clearInterval(looking);
  }
}
