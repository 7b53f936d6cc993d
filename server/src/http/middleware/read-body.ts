import type { IncomingMessage } from 'node:http';
import { Failure } from '../../domain/failure.ts';
import { BODY_IDLE, watchBody } from './body-watch.ts';
import { askForBody } from './expect-continue.ts';

export interface ReadBodyOptions {
  /** Largest body, in bytes. */
  readonly limit: number;
  /** The setting that holds the limit, for the answer; MAX_UPLOAD_BYTES unless told. */
  readonly setting?: string;
  /** Milliseconds without a byte; 30 s unless told. */
  readonly idle?: number;
}

/** A promised length up to here is taken at its word; beyond, memory for the rest is set aside once this much has arrived. */
const TRUSTED_LENGTH = 16 * 1024 * 1024;
const FIRST_CAPACITY = 64 * 1024;

/**
 * The whole body as it came off the wire, in an ArrayBuffer of its own and of exactly its length, so that it can be handed to a
 * thread. Throws a Failure `payload-too-large` before or as soon as the limit is passed, and `payload-invalid` when the body
 * stops half way.
 */
export async function readBody(req: IncomingMessage, options: ReadBodyOptions): Promise<Uint8Array> {
  const { limit, idle = BODY_IDLE } = options;
  const header = req.headers['content-length'];
  const length = header === undefined ? undefined : Number(header);
  if (length !== undefined && length > limit) throw tooLarge(`The body has ${length} bytes`, options);
  const buffer =
    length === undefined ? new GrowingBuffer(FIRST_CAPACITY, limit) : new GrowingBuffer(TRUSTED_LENGTH, length, length);
  const watch = watchBody(req, { idle });
  askForBody(req);
  try {
    await Promise.race([collect(req, buffer, options), watch.stopped]);
    return buffer.finish();
  } finally {
    watch.release();
  }
}

function collect(req: IncomingMessage, buffer: GrowingBuffer, options: ReadBodyOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const onData = (chunk: Buffer): void => {
      if (buffer.size + chunk.length <= options.limit) {
        buffer.append(chunk);
        return;
      }
      req.off('data', onData).pause();
      reject(tooLarge('The body has more bytes', options));
    };
    req.on('data', onData).once('end', resolve);
  });
}

function tooLarge(seen: string, { limit, setting = 'MAX_UPLOAD_BYTES' }: ReadBodyOptions): Failure {
  return new Failure(
    'payload-too-large',
    `${seen}; this server takes at most ${limit} (${setting}). Send less, compress it (Content-Encoding: gzip), or have the limit raised.`,
  );
}

/** Bytes that come one chunk after the other, at most `most`: in steps that double, or in one step to the length that was promised. */
class GrowingBuffer {
  size = 0;
  readonly #most: number;
  readonly #promised: number;
  #bytes: Uint8Array;

  constructor(capacity: number, most: number, promised = 0) {
    this.#most = most;
    this.#promised = promised;
    this.#bytes = Buffer.allocUnsafeSlow(Math.min(capacity, most));
  }

  append(chunk: Uint8Array): void {
    const needed = this.size + chunk.length;
    if (needed > this.#bytes.length) {
      const grown = Buffer.allocUnsafeSlow(Math.min(Math.max(needed, this.#bytes.length * 2, this.#promised), this.#most));
      grown.set(this.#bytes.subarray(0, this.size));
      this.#bytes = grown;
    }
    this.#bytes.set(chunk, this.size);
    this.size = needed;
  }

  finish(): Uint8Array {
    if (this.size === this.#bytes.length) return new Uint8Array(this.#bytes.buffer);
    return new Uint8Array(this.#bytes.subarray(0, this.size));
  }
}
