import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Failure } from '../../core/failure.ts';
import { type Counts, counted, type Texts } from '../../core/sentences.ts';
import type { AllocateBody } from '../../reports/report-intake.ts';
import { askForBody } from './unread-body.ts';
import { type BodyMemory, SMALL_BODY } from './upload-budget.ts';

export interface ReadBodyOptions {
  /** Largest body, in bytes. */
  readonly limit: number;
  /** The setting that holds the limit, for the answer; MAX_UPLOAD_BYTES by default. */
  readonly setting?: string;
  /** The Failure of a larger body; by default one that names the setting. */
  readonly tooLarge?: () => Failure;
  /** Milliseconds without a byte; 30 s by default. */
  readonly idle?: number;
  /** Where its memory comes from; the caller releases it. Without one only `limit` bounds it. */
  readonly memory?: BodyMemory;
  /** Gives the memory of a body of a stated length; by default a buffer of its own. */
  readonly allocate?: AllocateBody;
  readonly look?: BodyLook;
}

/** A look at the beginning of a body before the rest is read. */
export interface BodyLook {
  /** How many bytes are looked at; a shorter body is not. */
  readonly bytes: number;
  /** The rest is read once it resolves; where it rejects, never. */
  readonly at: (beginning: Uint8Array) => Promise<unknown>;
}

/** Milliseconds without a byte after which a body counts as stopped. */
const BODY_IDLE = 30_000;

/** The least that a body's buffer holds. */
const FIRST_CAPACITY = 4 * 1024;

/**
 * The whole body as sent, where it may be moved to a thread: in what `allocate` gave, or an ArrayBuffer of exactly its
 * length. The connection is not read while the budget has no memory. Failures: `payload-too-large`, `body-incomplete`
 * for a body that stops half way, `unavailable` without memory.
 */
export async function readBody(req: IncomingMessage, options: ReadBodyOptions): Promise<Uint8Array> {
  const { limit, idle = BODY_IDLE, memory, allocate = allocateAlone } = options;
  const header = req.headers['content-length'];
  const length = header === undefined ? undefined : Number(header);
  if (length !== undefined && length > limit) throw refuse(`The body has ${length} bytes`, options);
  const buffer = new GrowingBuffer(length, limit, allocate);
  const watch = watchBody(req, idle);
  askForBody(req);
  const reading = collect(req, buffer, options);
  try {
    await Promise.race([reading.whole, watch.stopped, ...(memory === undefined ? [] : [memory.displaced])]);
    memory?.complete();
    return buffer.finish();
  } finally {
    reading.end();
    watch.release();
  }
}

/** Reads until the end, or until `end` is called: nothing is kept from then on. */
function collect(req: IncomingMessage, buffer: GrowingBuffer, options: ReadBodyOptions) {
  const { limit, memory, look } = options;
  const { promise: whole, resolve, reject } = Promise.withResolvers<void>();
  let ended = false;
  let holds = 0;
  // Nothing more is read in the meantime, so the connection holds the client back.
  const hold = (reason: Promise<unknown>, then = (): void => {}): void => {
    holds += 1;
    req.pause();
    reason.then(() => {
      holds -= 1;
      if (ended) return;
      then();
      if (holds === 0) req.resume();
    }, reject);
  };
  const append = (chunk: Buffer): void => {
    const before = buffer.size;
    buffer.append(chunk);
    if (look !== undefined && before < look.bytes && buffer.size >= look.bytes) hold(look.at(buffer.copy(look.bytes)));
  };
  const onData = (chunk: Buffer): void => {
    const needed = buffer.size + chunk.length;
    if (needed > limit) {
      req.off('data', onData).pause();
      reject(refuse('The body has more bytes', options));
      return;
    }
    memory?.note(chunk.length);
    const waiting = memory?.grow(buffer.capacityFor(needed));
    if (waiting === undefined) append(chunk);
    else hold(waiting, () => append(chunk));
  };
  req.on('data', onData).once('end', resolve);
  const end = (): void => {
    ended = true;
    req.off('data', onData).off('end', resolve);
    if (!req.readableEnded) req.pause();
  };
  return { whole, end };
}

function refuse(seen: string, { limit, setting = 'MAX_UPLOAD_BYTES', tooLarge }: ReadBodyOptions): Failure {
  if (tooLarge !== undefined) return tooLarge();
  const sentence =
    `${seen}; this server accepts at most ${limit} (${setting}). ` +
    'Send less, compress it (Content-Encoding: gzip), or have the limit raised.';
  return new Failure('payload-too-large', sentence);
}

/** Watches for a body that will never be whole. */
interface BodyWatch {
  /** Rejects with a Failure when the body stops half way; never resolves. */
  readonly stopped: Promise<never>;
  /** Ends the watch. */
  release(): void;
}

/** How to stop the body that is being read from a connection: the HTTP parser may find it broken later. */
const watched = new WeakMap<Socket, (reason: string) => void>();

/** Stops the body that is being read from this connection; false when none is. */
export function stopBody(socket: Socket, reason: string): boolean {
  const stop = watched.get(socket);
  stop?.(reason);
  return stop !== undefined;
}

/** From before the first byte is read: the client may go away, close its side, or stop sending. */
function watchBody(req: IncomingMessage, idle: number): BodyWatch {
  const length = req.headers['content-length'];
  const { promise, reject } = Promise.withResolvers<never>();
  let received = 0;
  const stop = (reason: string): void => {
    reject(new Failure('body-incomplete', bodyStopped({ received, length, why: reason })));
  };
  const timer = setTimeout(() => stop(`no byte for ${idle / 1000} s`), idle);
  const onData = (chunk: Buffer): void => {
    received += chunk.length;
    timer.refresh();
  };
  const onClose = (): void => {
    if (!req.complete || !req.readableEnded) stop('the connection was closed');
  };
  const onError = (): void => stop('the connection broke');
  req.on('data', onData).on('close', onClose).on('error', onError);
  // Aborted before: no event follows.
  if (req.destroyed) onClose();
  watched.set(req.socket, stop);
  // The reader may end before it waits for this.
  promise.catch(() => {});
  return {
    stopped: promise,
    release() {
      clearTimeout(timer);
      watched.delete(req.socket);
      req.off('data', onData).off('close', onClose);
    },
  };
}

/** Bytes that arrive in chunks. A buffer that was outgrown is freed at once, not by the collector. */
class GrowingBuffer {
  size = 0;
  readonly #stated: number | undefined;
  readonly #most: number;
  readonly #allocate: AllocateBody;
  #bytes: Uint8Array<ArrayBuffer> = new Uint8Array(0);

  /** `limit` bounds a body whose length was not stated. */
  constructor(stated: number | undefined, limit: number, allocate: AllocateBody) {
    this.#stated = stated;
    this.#allocate = allocate;
    this.#most = stated ?? limit;
  }

  /** The size of a buffer that holds `needed` bytes: the stated length, or in steps that double. */
  capacityFor(needed: number): number {
    const capacity = this.#bytes.length;
    if (needed <= capacity) return capacity;
    if (needed > SMALL_BODY && this.#stated !== undefined) return this.#stated;
    const step = Math.max(needed, capacity * 2, FIRST_CAPACITY);
    return Math.min(needed > SMALL_BODY ? step : Math.min(step, SMALL_BODY), this.#most);
  }

  append(chunk: Uint8Array): void {
    const needed = this.size + chunk.length;
    if (needed > this.#bytes.length) this.#move(this.capacityFor(needed));
    this.#bytes.set(chunk, this.size);
    this.size = needed;
    freeChunk(chunk);
  }

  /** Its first bytes. */
  copy(length: number): Uint8Array {
    return this.#bytes.slice(0, length);
  }

  finish(): Uint8Array {
    if (this.size !== this.#bytes.length) this.#move(this.size);
    return this.#bytes;
  }

  #move(capacity: number): void {
    const moved = capacity === this.#stated ? this.#allocate(capacity) : allocateAlone(capacity);
    moved.set(this.#bytes.subarray(0, this.size));
    this.#bytes.buffer.transfer(0);
    this.#bytes = moved;
  }
}

/** A buffer of its own, that nobody clears. */
function allocateAlone(bytes: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.allocUnsafeSlow(bytes).buffer as ArrayBuffer);
}

/**
 * The HTTP parser made it for us alone. Left to the collector, chunks stop the main thread for a full collection every
 * one or two bodies of 9 MB: nothing else that it makes fills the young generation.
 */
function freeChunk({ buffer, byteLength }: Uint8Array): void {
  if (byteLength > 0 && byteLength === buffer.byteLength) (buffer as ArrayBuffer).transfer(0);
}

/** `length`: what Content-Length said; undefined without one. */
function bodyStopped({
  received,
  length,
  why,
}: Texts<'why'> & Counts<'received'> & { readonly length: string | undefined }): string {
  const whole = length === undefined ? counted(received, 'byte') : `${received} of ${length} bytes`;
  return `The body stopped after ${whole} (${why}); nothing was stored. Send it again.`;
}
