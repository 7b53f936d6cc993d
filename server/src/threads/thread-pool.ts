import { extname } from 'node:path';
import { Piscina } from 'piscina';
import { Failure } from '../domain/failure.ts';
import type { IngestedJob, IngestLimits, UploadBody } from '../ingest/ingest.ts';
import type { EncodedComposed, EncodedComposition, ReportEngine } from '../ports/report-engine.ts';
import type { IngestTask } from './report-thread.ts';
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

export interface ThreadPoolOptions {
  /** Threads at most, 1 or more. */
  readonly threads: number;
  readonly limits: IngestLimits;
  /** Tasks that may wait for a thread; beyond them callers get a Failure of code unavailable. */
  readonly maxQueue: number;
  /** Heap of one thread in MiB; by default what the limits need. A thread that outgrows it ends, with its task alone. */
  readonly heapMb?: number;
  /** Told of threads that died; their callers get a Failure of code internal anyhow. */
  readonly onFault?: (error: unknown) => void;
}

/** Checking uploads and merging reports, off the main thread. */
export interface ThreadPool extends ReportEngine {
  /**
   * ingestJob in a thread. The body's bytes are handed over: they are empty afterwards where they own their buffer. Throws the Failures of
   * ingestJob, `unavailable` when the queue is full or the pool closes, `internal` when the thread died.
   */
  ingest(body: UploadBody): Promise<IngestedJob>;
  /** Ends the threads after the tasks that were accepted. Idempotent. */
  close(): Promise<void>;
}

export function createThreadPool(options: ThreadPoolOptions): ThreadPool {
  const { threads, limits, maxQueue, onFault = () => {} } = options;
  const pool = new Piscina({
    filename: ENTRY,
    minThreads: 1,
    maxThreads: threads,
    maxQueue,
    idleTimeout: IDLE_TIMEOUT,
    recordTiming: false,
    closeTimeout: CLOSE_TIMEOUT,
    resourceLimits: { maxOldGenerationSizeMb: options.heapMb ?? heapFor(limits), stackSizeMb: 4 },
  });
  // Without a listener a thread that dies while idle would end the process.
  pool.on('error', onFault);
  let closing: Promise<void> | undefined;
  const accepted = new Set<Promise<unknown>>();

  const run = async <Value>(name: 'ingest' | 'compose', task: unknown, transferList: ArrayBuffer[]): Promise<Value> => {
    if (closing !== undefined)
      throw new Failure('unavailable', 'The server is shutting down. Send the request again in a moment.');
    if (pool.queueSize >= maxQueue && pool.threads.length >= threads) throw queueFull(maxQueue);
    const running = pool.run(task, { name, transferList });
    accepted.add(running);
    const answer = await running
      .catch((cause: unknown) => {
        onFault(cause);
        throw threadDied(cause, maxQueue);
      })
      .finally(() => accepted.delete(running));
    return takeAnswer(answer as ThreadAnswer<Value>);
  };

  return {
    ingest: (body) => {
      const bytes = ownBytes(body.bytes);
      const task: IngestTask = { body: { ...body, bytes }, limits };
      return run<IngestedJob>('ingest', task, [bytes.buffer]);
    },
    compose: (input: EncodedComposition) => run<EncodedComposed>('compose', input, []),
    close: () => {
      closing ??= Promise.allSettled(accepted).then(() => pool.close());
      return closing;
    },
  };
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

function queueFull(maxQueue: number, cause?: unknown): Failure {
  return new Failure('unavailable', `All threads are busy and ${maxQueue} more tasks wait. Send the request again in a moment.`, {
    cause,
  });
}

function threadDied(cause: unknown, maxQueue: number): Failure {
  if (cause instanceof Error && /queue/i.test(cause.message)) return queueFull(maxQueue, cause);
  return new Failure('internal', 'The thread that processed this report ended before it was done. Its log has the reason.', {
    cause,
  });
}
