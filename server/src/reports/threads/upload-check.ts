import { Failure } from '../../core/failure.ts';
import { ONE_SHARE } from '../../platform/scheduler.ts';
import type { IngestLimits, UploadBody, UploadQueueKey } from '../ingest/ingest.ts';
import type { BodyBuffers } from './body-buffers.ts';
import type { LatePool } from './late-pool.ts';
import type { IngestTask } from './report-thread.ts';
import type { TaskQueue } from './task-queue.ts';
import type { ThreadAnswer } from './thread-answer.ts';
import { createBeginning, processorTimeSince } from './thread-time.ts';

/** Milliseconds from when an upload is all here until it must be checked, so that its answer goes out within 10 s. */
const CHECK_LIMIT = 8_500;

/** The part of that time which an upload uses of a processor where it is too large, and the machine not too busy. */
const OWN_SHARE = 0.75;

/**
 * An upload of at most this many bytes is tried with limits so low that it takes milliseconds, in a thread for only
 * such uploads: the usual upload waits neither for one of a hundred megabytes nor for a gzip bomb. What outgrows them
 * begins again where the others are.
 */
const QUICK_BYTES = 64 * 1024;
const QUICK_LIMITS: IngestLimits = { reportBytes: 4 * 2 ** 20, unusualBytes: 2 ** 19 };

/** What a thread answers; `kept`: the buffer of the body, which it was asked to give back. */
type AnswerWithBody = ThreadAnswer<unknown> & { readonly kept?: ArrayBuffer };

/** One upload that is to be checked in a thread, now or later. */
export interface UploadCheck {
  /** With the limits of small uploads; undefined for one that is not small. */
  readonly quick: (() => Promise<unknown>) | undefined;
  readonly whole: () => Promise<unknown>;
}

export interface CheckedUpload {
  readonly body: UploadBody;
  readonly spent: number | undefined;
  /** What reads it in the thread: an upload's body, or a preview's. */
  readonly task: 'ingest' | 'ingestPreview';
}

export interface CheckOptions {
  readonly limits: IngestLimits;
  readonly checkLimit?: number;
  readonly buffers: BodyBuffers;
  /** Milliseconds of processor that a task has used. */
  readonly processorTime?: typeof processorTimeSince;
}

/**
 * Takes the upload's bytes. A thread that has not checked it within its time is ended: by the processor time that it
 * used, either the upload is too large, or the machine is busy and it may be sent again.
 */
export function createCheck(
  pool: Pick<LatePool, 'run' | 'threads'>,
  options: CheckOptions,
  { body, spent = 0, task: name }: CheckedUpload,
): UploadCheck {
  const { limits, checkLimit = CHECK_LIMIT, buffers, processorTime = processorTimeSince } = options;
  const isPooled = buffers.owns(body.bytes);
  const bytes = isPooled ? (body.bytes as Uint8Array<ArrayBuffer>) : ownBytes(body.bytes);
  const { length } = bytes;
  const until = performance.now() + checkLimit - spent;
  const check = async (sent: Uint8Array<ArrayBuffer>, allowed: IngestLimits): Promise<unknown> => {
    const beginning = createBeginning();
    const task: IngestTask = { body: { ...body, bytes: sent }, limits: allowed, keepsBody: isPooled, beginning };
    const late = new AbortController();
    const end = async (): Promise<void> => {
      const used = await processorTime(beginning, pool.threads);
      late.abort(used >= checkLimit * OWN_SHARE ? tookTooLong(length, checkLimit) : machineBusy(length, checkLimit));
    };
    const timer = setTimeout(() => void end(), Math.max(1, until - performance.now()));
    try {
      const { signal } = late;
      const answer: AnswerWithBody = await pool.run(task, { name, transferList: [sent.buffer], signal });
      if (answer.kept !== undefined) buffers.giveBack(answer.kept);
      return answer;
    } catch (cause) {
      throw late.signal.aborted ? late.signal.reason : cause;
    } finally {
      clearTimeout(timer);
    }
  };
  if (length > QUICK_BYTES) return { quick: undefined, whole: () => check(bytes, limits) };
  const spare = bytes.slice();
  const quick = {
    reportBytes: Math.min(limits.reportBytes, QUICK_LIMITS.reportBytes),
    unusualBytes: Math.min(limits.unusualBytes, QUICK_LIMITS.unusualBytes),
  };
  return { quick: () => check(bytes, quick), whole: () => check(spare, limits) };
}

/** Where uploads are checked. */
export interface UploadQueues {
  readonly known: TaskQueue;
  /** For unknown callers: however long their tasks take, known ones do not wait for them. */
  readonly unknown: TaskQueue;
  /** For both, since its tasks take milliseconds. */
  readonly quick: TaskQueue;
}

/** Checks an upload in the queue where it holds up no others; answers what the thread answered. */
export async function checkUpload(
  { quick, whole }: UploadCheck,
  queues: UploadQueues,
  queueKey: UploadQueueKey = ONE_SHARE,
): Promise<unknown> {
  const large = queueKey.known ? queues.known : queues.unknown;
  if (quick === undefined) return large.run(whole, queueKey);
  const answer = (await queues.quick.run(quick, queueKey)) as ThreadAnswer<unknown>;
  return 'failure' in answer && answer.failure.code === 'payload-too-large' ? large.run(whole, queueKey) : answer;
}

/** The bytes in a buffer of their own: a small Buffer shares one with others, which must not be handed over with it. */
function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const owns =
    bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength && bytes.byteLength > 0;
  return owns ? new Uint8Array(bytes.buffer as ArrayBuffer) : Uint8Array.from(bytes);
}

function machineBusy(bytes: number, limit: number): Failure {
  return new Failure(
    'unavailable',
    `This upload (${bytes} bytes as sent) could not be checked within ${limit / 1_000} s, ` +
      "because the server's machine is busy with other work. Nothing was stored. " +
      'Send it again in a moment; if this happens often, give the server more processors.',
  );
}

function tookTooLong(bytes: number, limit: number): Failure {
  return new Failure(
    'payload-too-large',
    `This upload (${bytes} bytes as sent) could not be checked within ${limit / 1_000} s, and clients do not wait ` +
      'much ' +
      'longer. Nothing was stored. Split it with `parallel`, or give the server more processors.',
  );
}
