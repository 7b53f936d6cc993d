import { extname } from 'node:path';
import { Piscina } from 'piscina';
import { Failure } from '../domain/failure.ts';
import type { IngestedJob, IngestLimits, UploadBody } from '../ingest/ingest.ts';
import type { ReportEngine } from '../ports/report-engine.ts';
import type { ReportReader } from '../ports/report-reader.ts';
import type { IngestTask } from './report-thread.ts';
import { createTaskLane } from './task-lane.ts';
import { type ThreadAnswer, takeAnswer } from './thread-answer.ts';

/** The entry beside this file: TypeScript from the sources, JavaScript from the build. */
const ENTRY = new URL(`./report-thread${extname(import.meta.url)}`, import.meta.url).href;

/**
 * Usual jobs live in typed arrays, outside V8's heap, but for their source texts (two bytes a character). Objects of unusual JSON were
 * measured at up to 22 bytes a byte, and twice that while they grow. There must be enough for the worst: a heap that runs out
 * within JSON.parse ends the whole process, not the thread alone.
 */
const HEAP_PER_UNUSUAL_BYTE = 64;
const HEAP_PER_REPORT_BYTE = 2;
const LEAST_HEAP_MB = 512;

/** A thread without work goes after this many milliseconds; one always stays, warm. */
const IDLE_TIMEOUT = 60_000;

/** How long idle threads may take to end, in milliseconds; tasks are waited for before. */
const CLOSE_TIMEOUT = 30_000;

/** Milliseconds that an upload or a page may wait for a thread. Well below CHECK_LIMIT. */
const PATIENCE = 5_000;

/** Milliseconds from when an upload is all here until it must be checked, so that its answer goes out within 10 s. */
const CHECK_LIMIT = 8_500;

export interface ThreadPoolOptions {
  /** Threads for uploads, 1 or more. Half as many merge beside them and one reads for pages, so that neither holds up an upload. */
  readonly threads: number;
  readonly limits: IngestLimits;
  /** Tasks that may wait for a thread; beyond them callers get a Failure of code unavailable. */
  readonly maxQueue: number;
  /** Milliseconds from the call to the end of checking an upload; 8.5 s unless told. A thread that takes longer is ended. */
  readonly checkLimit?: number;
  /** Heap of one thread in MiB; by default what the limits need. A thread that outgrows it ends, with its task alone. */
  readonly heapMb?: number;
  /** Told of threads that died; their callers get a Failure of code internal anyhow. */
  readonly onFault?: (error: unknown) => void;
}

/** Checking uploads, merging reports and reading them, off the main thread. */
export interface ThreadPool extends ReportEngine, ReportReader {
  /**
   * ingestJob in a thread. The body's bytes are handed over: they are empty afterwards where they own their buffer. Throws the Failures of
   * ingestJob, `payload-too-large` when checking takes too long, `unavailable` when no thread comes free or the pool closes, `internal`
   * when the thread died.
   */
  ingest(body: UploadBody): Promise<IngestedJob>;
  /** Ends the threads after the tasks that were accepted. Idempotent. */
  close(): Promise<void>;
}

export function createThreadPool(options: ThreadPoolOptions): ThreadPool {
  const { threads, maxQueue, onFault = () => {} } = options;
  const mergers = Math.ceil(threads / 2);
  const pool = openPool(options, threads + mergers + 1);
  // Without a listener a thread that dies while idle would end the process.
  pool.on('error', onFault);
  const lanes = {
    uploads: createTaskLane({ width: threads, maxQueue, patience: PATIENCE }),
    merges: createTaskLane({ width: mergers, maxQueue }),
    reads: createTaskLane({ width: 1, maxQueue, patience: PATIENCE }),
  };
  let closing: Promise<void> | undefined;
  const accepted = new Set<Promise<unknown>>();

  const run = async <Value>(lane: keyof typeof lanes, task: () => Promise<unknown>): Promise<Value> => {
    if (closing !== undefined)
      throw new Failure('unavailable', 'The server is shutting down. Send the request again in a moment.');
    const running = lanes[lane].run(task);
    accepted.add(running);
    const answer = await running
      .catch((cause: unknown) => {
        if (cause instanceof Failure) throw cause;
        onFault(cause);
        throw threadDied(cause);
      })
      .finally(() => accepted.delete(running));
    return takeAnswer(answer as ThreadAnswer<Value>);
  };

  const check = createCheck(pool, options);
  return {
    ingest: (body) => run('uploads', check(body)),
    compose: (input) => run('merges', () => pool.run(input, { name: 'compose' })),
    listFiles: (asked) => run('reads', () => pool.run(asked, { name: 'listFiles' })),
    readFile: (asked) => run('reads', () => pool.run(asked, { name: 'readFile' })),
    readLines: (asked) => run('reads', () => pool.run(asked, { name: 'readLines' })),
    close: () => {
      closing ??= Promise.allSettled(accepted).then(() => pool.close());
      return closing;
    },
  };
}

/** What checks an upload in a thread, and ends the thread when the time is up, which begins now. */
function createCheck(pool: Piscina, { limits, checkLimit = CHECK_LIMIT }: ThreadPoolOptions) {
  return (body: UploadBody): (() => Promise<unknown>) => {
    const bytes = ownBytes(body.bytes);
    const { length } = bytes;
    const task: IngestTask = { body: { ...body, bytes }, limits };
    const until = performance.now() + checkLimit;
    return async () => {
      const signal = AbortSignal.timeout(Math.max(1, Math.round(until - performance.now())));
      try {
        return await pool.run(task, { name: 'ingest', transferList: [bytes.buffer], signal });
      } catch (cause) {
        throw signal.aborted ? tookTooLong(length, checkLimit) : cause;
      }
    };
  };
}

function openPool({ limits, heapMb }: ThreadPoolOptions, threads: number): Piscina {
  return new Piscina({
    filename: ENTRY,
    minThreads: 1,
    maxThreads: threads,
    idleTimeout: IDLE_TIMEOUT,
    recordTiming: false,
    closeTimeout: CLOSE_TIMEOUT,
    resourceLimits: { maxOldGenerationSizeMb: heapMb ?? heapFor(limits), stackSizeMb: 4 },
  });
}

/** The bytes in a buffer of their own: a small Buffer shares one with others, which must not be handed over with it. */
function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const owns = bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength && bytes.byteLength > 0;
  return owns ? new Uint8Array(bytes.buffer as ArrayBuffer) : Uint8Array.from(bytes);
}

function heapFor({ unusualBytes, reportBytes }: IngestLimits): number {
  const bytes = unusualBytes * HEAP_PER_UNUSUAL_BYTE + reportBytes * HEAP_PER_REPORT_BYTE;
  return Math.max(LEAST_HEAP_MB, Math.ceil(bytes / 2 ** 20));
}

function tookTooLong(bytes: number, limit: number): Failure {
  return new Failure(
    'payload-too-large',
    `This upload (${bytes} bytes as sent) could not be checked within ${limit / 1_000} s, and clients do not wait much longer; nothing was stored. Split it with \`parallel\`, or give the server more processors.`,
  );
}

function threadDied(cause: unknown): Failure {
  return new Failure('internal', 'The thread that processed this report ended before it was done. Its log has the reason.', {
    cause,
  });
}
