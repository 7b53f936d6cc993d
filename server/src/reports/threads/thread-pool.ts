import { extname } from 'node:path';
import { Failure } from '../../core/failure.ts';
import type { QueueLoad, ThreadMemory } from '../../platform/metrics.ts';
import { type QueueKey, Scheduler } from '../../platform/scheduler.ts';
import type { IngestLimits, UploadBody, UploadQueueKey } from '../ingest/ingest.ts';
import type { ReportEngine } from '../report-engine.ts';
import type { ReportIntake } from '../report-intake.ts';
import type { ReportReader } from '../report-reader.ts';
import { createBodyBuffers } from './body-buffers.ts';
import { type LatePool, openLate } from './late-pool.ts';
import { createMergeTasks, type MergeLimits } from './merge-tasks.ts';
import { type PackedDiffs, packComposition, packFlags, unpackDiffs } from './packed-diffs.ts';
import { type QuickQuestion, readHere } from './read-here.ts';
import { createTaskQueue, type TaskQueue } from './task-queue.ts';
import { type ThreadAnswer, takeAnswer } from './thread-answer.ts';
import { type CheckedUpload, type CheckOptions, checkUpload, createCheck } from './upload-check.ts';

/** The entry beside this file: TypeScript from the sources, JavaScript from the build. */
const ENTRY = new URL(`./report-thread${extname(import.meta.url)}`, import.meta.url).href;

/**
 * Objects of unusual JSON were measured at up to 22 bytes a byte, and twice that while they grow. A heap that runs out
 * within JSON.parse ends the whole process, not the thread alone.
 */
const HEAP_PER_UNUSUAL_BYTE = 64;
/** Usual jobs live in typed arrays outside the heap, except for their source texts: two bytes a character. */
const HEAP_PER_REPORT_BYTE = 2;
const MIN_HEAP_MB = 512;

/**
 * For one thread, in MiB. With V8's own 48 a thread keeps what it freed long ago: a build of 30 large jobs took 365 MiB
 * above the idle server, and 221 with 24. With 12 it was no less, and closes took a tenth more processor time.
 */
const YOUNG_GENERATION_MB = 24;

/** A thread without work goes after this many milliseconds; one stays, warm, once there was any. */
const IDLE_TIMEOUT = 60_000;

/** A page waits for one part of a report that is written, however many are. */
const OF_WRITING: QueueKey = { known: true, share: 'writing' };

/** The share of work that names no repo. */
const NO_REPO = 0;

/** How long idle threads may take to end, in milliseconds; tasks are waited for before. */
const CLOSE_TIMEOUT = 30_000;

/** Milliseconds that an upload or a page may wait for a thread. Well below the time that checking may take. */
const TIME_LIMIT = 5_000;

export interface ThreadPoolOptions {
  /**
   * Threads for uploads, 1 or more. Beside them half as many merge, one reads diffs, one reads for pages, one checks
   * small uploads, and one large uploads of unknown callers.
   */
  readonly threads: number;
  readonly limits: IngestLimits;
  /** Tasks that may wait for a thread; beyond them callers get a Failure of code unavailable. */
  readonly maxQueue: number;
  /**
   * Milliseconds from an upload's arrival to the end of checking it; 8.5 s by default. A thread that takes longer is
   * ended.
   */
  readonly checkLimit?: number;
  readonly processorTime?: NonNullable<CheckOptions['processorTime']>;
  /**
   * Heap of one thread in MiB; by default what the limits need. A thread that outgrows it ends, with its task alone.
   */
  readonly heapMb?: number;
  /** What one build's merge may take; by default without bound. */
  readonly merge?: MergeLimits;
  /** Called when a thread died; its caller gets a Failure of code internal. */
  readonly onFault?: (error: unknown) => void;
}

/** Checking uploads, merging reports and reading them, off the main thread. */
export interface ThreadPool extends ReportIntake, ReportEngine, ReportReader {
  /** How many tasks wait and run. */
  loads(): readonly QueueLoad[];
  memory(): Promise<ThreadMemory>;
  /** Ends the threads after the tasks that were accepted. Idempotent. */
  close(): Promise<void>;
}

export function createThreadPool(options: ThreadPoolOptions): ThreadPool {
  const { threads, maxQueue, merge = {}, onFault = () => {} } = options;
  const mergers = Math.ceil(threads / 2);
  const pool = openPool(options, { threads: threads + mergers + 4, onFault });
  const { diffs, reads, ...queues } = openQueues(threads, maxQueue);
  const merges = new Scheduler({ capacity: mergers, newcomersFirst: true });
  const { accept, close } = acceptTasks(onFault);
  const run = <Value>(queue: TaskQueue, name: string, input: unknown, queueKey?: QueueKey): Promise<Value> =>
    accept(() => queue.run(() => pool.run(input, { name }), queueKey));
  const read = <Value>(queue: TaskQueue, name: QuickQuestion, asked: Parameters<typeof readHere>[1]): Promise<Value> =>
    accept(
      async () =>
        (pool.threads.length === 0 ? await readHere(name, asked) : undefined) ??
        queue.run(() => pool.run(asked, { name })),
    );

  const ask = createMergeTasks(pool, merge);
  const runInOrder: ReportEngine['merge'] = (repoId, work) => {
    const mergeWithin = () => {
      const until = performance.now() + (merge.time ?? Number.POSITIVE_INFINITY);
      return work({
        compose: (input) => accept(() => ask('compose', packComposition(input), until)),
        mergeReports: (reports) => accept(() => ask('mergeReports', reports, until, reports)),
        splitFlags: (asked) => accept(() => ask('splitFlags', packFlags(asked), until)),
        findChangedCarried: ({ jobs, carried }) => accept(() => ask('findChangedCarried', { jobs, carried }, until)),
        diffSources: (pair) => accept(() => ask('diffSources', pair, until)),
      });
    };
    return merges.run(mergeWithin, { known: true, share: String(repoId) });
  };

  const { known, unknown, quick } = queues;
  const named = { uploads: known, 'unknown-uploads': unknown, 'quick-uploads': quick, merges, diffs, reads };
  const buffers = createBodyBuffers();
  const check = <Value>(task: CheckedUpload['task'], body: UploadBody, queueKey?: UploadQueueKey): Promise<Value> =>
    accept(() =>
      checkUpload(createCheck(pool, { ...options, buffers }, { body, spent: queueKey?.spent, task }), queues, queueKey),
    );

  return {
    allocateBody: buffers.allocate,
    ingest: (body, queueKey) => check('ingest', body, queueKey),
    ingestPreview: (body, queueKey) => check('ingestPreview', body, queueKey),
    merge: runInOrder,
    ...mergeSingly(runInOrder),
    readDiff: async (stored) => unpackDiffs(await read<PackedDiffs>(diffs, 'readDiff', stored))[0],
    listFiles: (asked) => run(reads, 'listFiles', asked),
    listTexts: (asked) => run(reads, 'listTexts', asked),
    browse: (asked) => read(reads, 'browse', asked),
    readTotals: (asked) => run(reads, 'readTotals', asked),
    readFile: (asked) => read(reads, 'readFile', asked),
    readFiles: (asked) => read(reads, 'readFiles', asked),
    writePart: (asked) => run(reads, 'writePart', asked, OF_WRITING),
    readLines: (asked) => read(reads, 'readLines', asked),
    loads: () => Object.entries(named).map(([queue, { waiting, held }]) => ({ queue, waiting, running: held })),
    memory: () => measureThreads(pool),
    close: () => close(() => pool.close()),
  };
}

/** Single questions, each in a turn of its own. */
function mergeSingly(runInOrder: ReportEngine['merge']): Omit<ReportEngine, 'merge' | 'readDiff'> {
  return {
    compose: (input) => runInOrder(NO_REPO, (merger) => merger.compose(input)),
    mergeReports: (reports) => runInOrder(NO_REPO, (merger) => merger.mergeReports(reports)),
    splitFlags: (asked) => runInOrder(NO_REPO, (merger) => merger.splitFlags(asked)),
    findChangedCarried: (asked) => runInOrder(NO_REPO, (merger) => merger.findChangedCarried(asked)),
    diffSources: (pair) => runInOrder(NO_REPO, (merger) => merger.diffSources(pair)),
  };
}

function openQueues(threads: number, maxQueue: number) {
  const open = (width: number, deadline?: number) => createTaskQueue({ width, maxQueue, deadline });
  return {
    known: open(threads, TIME_LIMIT),
    unknown: open(1, TIME_LIMIT),
    quick: open(1, TIME_LIMIT),
    // Short, so it waits for no merge.
    diffs: open(1),
    reads: open(1, TIME_LIMIT),
  };
}

/** Takes tasks until it is closed; what ends their thread is their Failure, and told. */
function acceptTasks(onFault: (error: unknown) => void) {
  const accepted = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;
  return {
    async accept<Value>(work: () => Promise<unknown>): Promise<Value> {
      if (closing !== undefined)
        throw new Failure('unavailable', 'The server is shutting down. Send the request again in a moment.');
      const running = work();
      accepted.add(running);
      const answer = await running
        .catch((cause: unknown) => {
          if (cause instanceof Failure) throw cause;
          onFault(cause);
          throw threadDied(cause);
        })
        .finally(() => accepted.delete(running));
      return takeAnswer(answer as ThreadAnswer<Value>);
    },
    /** After the tasks that were accepted. Idempotent. */
    close(end: () => Promise<void>): Promise<void> {
      closing ??= Promise.allSettled(accepted).then(end);
      return closing;
    },
  };
}

function openPool(
  { limits, heapMb }: ThreadPoolOptions,
  { threads, onFault }: { readonly threads: number; readonly onFault: (error: unknown) => void },
): LatePool {
  const options = {
    filename: ENTRY,
    minThreads: 1,
    maxThreads: threads,
    idleTimeout: IDLE_TIMEOUT,
    recordTiming: false,
    closeTimeout: CLOSE_TIMEOUT,
    resourceLimits: {
      maxOldGenerationSizeMb: heapMb ?? heapFor(limits),
      maxYoungGenerationSizeMb: YOUNG_GENERATION_MB,
      stackSizeMb: 4,
    },
  };
  return openLate(options, onFault);
}

function heapFor({ unusualBytes, reportBytes }: IngestLimits): number {
  const bytes = unusualBytes * HEAP_PER_UNUSUAL_BYTE + reportBytes * HEAP_PER_REPORT_BYTE;
  return Math.max(MIN_HEAP_MB, Math.ceil(bytes / 2 ** 20));
}

function threadDied(cause: unknown): Failure {
  return new Failure(
    'internal',
    'The thread that processed this report ended before it was done. The log of the server has the reason.',
    { cause },
  );
}

/** The memory of a pool's threads. One that is busy answers anyway; one that ends in the meantime is left out. */
async function measureThreads(pool: Pick<LatePool, 'threads'>): Promise<ThreadMemory> {
  const asked = await Promise.allSettled(pool.threads.map((thread) => thread.getHeapStatistics()));
  const found = asked.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  const sum = (field: 'total_heap_size' | 'external_memory'): number =>
    found.reduce((bytes, one) => bytes + one[field], 0);
  return { threads: found.length, heap: sum('total_heap_size'), external: sum('external_memory') };
}
