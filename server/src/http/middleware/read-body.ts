import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Failure } from '../../domain/failure.ts';
import { askForBody } from './unread-body.ts';
import { type BodyMemory, SMALL_BODY } from './upload-budget.ts';

export interface ReadBodyOptions {
  /** Largest body, in bytes. */
  readonly limit: number;
  /** The setting that holds the limit, for the answer; MAX_UPLOAD_BYTES unless told. */
  readonly setting?: string;
  /** The Failure of a larger body; by default one that names the setting. */
  readonly tooLarge?: () => Failure;
  /** Milliseconds without a byte; 30 s unless told. */
  readonly idle?: number;
  /** Where its memory comes from; the caller releases it. Without one only `limit` bounds it. */
  readonly memory?: BodyMemory;
}

/** Milliseconds without a byte after which a body counts as stopped. */
const BODY_IDLE = 30_000;

/** What a body may hold beside what has come, until it is known to be more than a few bytes. */
const FIRST_CAPACITY = 4 * 1024;

/**
 * The whole body as it came off the wire, in an ArrayBuffer of exactly its length, which a thread may be handed. Memory
 * is held for what comes; while there is none the connection is not read. Throws a Failure: `payload-too-large`,
 * `payload-invalid` when it stops half way, `unavailable` when no memory came free.
 */
export async function readBody(req: IncomingMessage, options: ReadBodyOptions): Promise<Uint8Array> {
  const { limit, idle = BODY_IDLE, memory } = options;
  const header = req.headers['content-length'];
  const length = header === undefined ? undefined : Number(header);
  if (length !== undefined && length > limit) throw refuse(`The body has ${length} bytes`, options);
  const buffer = new GrowingBuffer(length, limit);
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
  const { limit, memory } = options;
  const { promise: whole, resolve, reject } = Promise.withResolvers<void>();
  let ended = false;
  const onData = (chunk: Buffer): void => {
    const needed = buffer.size + chunk.length;
    if (needed > limit) {
      req.off('data', onData).pause();
      reject(refuse('The body has more bytes', options));
      return;
    }
    memory?.note(chunk.length);
    const waiting = memory?.grow(buffer.capacityFor(needed));
    if (waiting === undefined) buffer.append(chunk);
    else wait(chunk, waiting);
  };
  // Nothing more is read: the client is held up by its own connection.
  const wait = (chunk: Buffer, memoryFor: Promise<void>): void => {
    req.pause();
    memoryFor.then(() => {
      if (ended) return;
      buffer.append(chunk);
      req.resume();
    }, reject);
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
    `${seen}; this server takes at most ${limit} (${setting}). Send less, compress it (Content-Encoding: gzip), ` +
    'or have the limit raised.';
  return new Failure('payload-too-large', sentence);
}

/** Tells a reader when its body will not come to its end. */
interface BodyWatch {
  /** Rejects with a Failure when the body stops half way; never resolves. */
  readonly stopped: Promise<never>;
  /** Ends the watch. */
  release(): void;
}

/** The body that is being read from a connection: what the HTTP parser finds out late has to reach its reader. */
const watched = new WeakMap<Socket, (reason: string) => void>();

/** Stops the body that is being read from this connection; false when none is. */
export function stopBody(socket: Socket, reason: string): boolean {
  const stop = watched.get(socket);
  stop?.(reason);
  return stop !== undefined;
}

/** Watches a body from before its first byte is read: the client that goes away, closes its side, or falls silent. */
function watchBody(req: IncomingMessage, idle: number): BodyWatch {
  const length = req.headers['content-length'];
  const { promise, reject } = Promise.withResolvers<never>();
  let received = 0;
  const stop = (reason: string): void => {
    const whole = length === undefined ? `${received} bytes` : `${received} of ${length} bytes`;
    reject(
      new Failure('payload-invalid', `The body stopped after ${whole} (${reason}); nothing was stored. Send it again.`),
    );
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
  // Aborted before anybody listened: no event comes any more.
  if (req.destroyed) onClose();
  watched.set(req.socket, stop);
  // Whoever reads may be done before it is asked for.
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

/** Bytes that come one chunk after the other. Those it has outgrown are freed at once, not by the collector. */
class GrowingBuffer {
  size = 0;
  readonly #promised: number | undefined;
  readonly #most: number;
  #bytes: Uint8Array<ArrayBuffer> = new Uint8Array(0);

  /** `promised` is the length that was stated, `limit` bounds one that was not. */
  constructor(promised: number | undefined, limit: number) {
    this.#promised = promised;
    this.#most = promised ?? limit;
  }

  /** How many bytes are set aside for `needed` ones: the promised length, or in steps that double. */
  capacityFor(needed: number): number {
    const capacity = this.#bytes.length;
    if (needed <= capacity) return capacity;
    if (needed > SMALL_BODY && this.#promised !== undefined) return this.#promised;
    const step = Math.max(needed, capacity * 2, FIRST_CAPACITY);
    return Math.min(needed > SMALL_BODY ? step : Math.min(step, SMALL_BODY), this.#most);
  }

  append(chunk: Uint8Array): void {
    const needed = this.size + chunk.length;
    if (needed > this.#bytes.length) this.#move(this.capacityFor(needed));
    this.#bytes.set(chunk, this.size);
    this.size = needed;
  }

  finish(): Uint8Array {
    if (this.size !== this.#bytes.length) this.#move(this.size);
    return this.#bytes;
  }

  #move(capacity: number): void {
    const moved = new Uint8Array(Buffer.allocUnsafeSlow(capacity).buffer as ArrayBuffer);
    moved.set(this.#bytes.subarray(0, this.size));
    this.#bytes.buffer.transfer(0);
    this.#bytes = moved;
  }
}
