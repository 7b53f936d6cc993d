import type { AllocateBody } from '../report-intake.ts';

/** Buffers of fewer bytes are made each time: it takes little. */
const MIN_KEPT = 2 ** 20;
/** Bytes that are kept for bodies to come, at most: twice as many took 30 MiB more, and nothing waited less. */
const MAX_KEPT = 16 * 2 ** 20;
/** Milliseconds without a body after which nothing is kept. */
const KEPT_FOR = 10_000;
/** Bodies of about one size fit into one another's buffers. */
const STEP = 2 ** 16;

/**
 * Buffers of large bodies, used again. The kernel clears each page of a new one while the main thread copies into it:
 * beside jobs of 9 MB that was a quarter of its work, and up to 40 ms in a row.
 */
export interface BodyBuffers {
  readonly allocate: AllocateBody;
  /** Whether the bytes lie in a buffer that was allocated here, and is theirs alone. */
  owns(bytes: Uint8Array): boolean;
  /** Takes a buffer back from a thread. */
  giveBack(buffer: ArrayBuffer): void;
}

export function createBodyBuffers(): BodyBuffers {
  const allocated = new WeakSet<ArrayBufferLike>();
  let kept: ArrayBuffer[] = [];
  let size = 0;
  let timer: NodeJS.Timeout | undefined;
  const clear = (): void => {
    for (const buffer of kept) buffer.transfer(0);
    kept = [];
    size = 0;
  };
  return {
    allocate(bytes) {
      if (bytes < MIN_KEPT) return new Uint8Array(makeBuffer(bytes));
      const min = Math.ceil(bytes / STEP) * STEP;
      const found = kept.find((buffer) => buffer.byteLength >= min && buffer.byteLength <= min + STEP);
      if (found !== undefined) {
        kept.splice(kept.indexOf(found), 1);
        size -= found.byteLength;
      }
      const buffer = found ?? makeBuffer(min);
      allocated.add(buffer);
      return new Uint8Array(buffer, 0, bytes);
    },
    owns: (bytes) => allocated.has(bytes.buffer),
    giveBack(buffer) {
      timer ??= setTimeout(clear, KEPT_FOR).unref();
      timer.refresh();
      if (size + buffer.byteLength > MAX_KEPT) buffer.transfer(0);
      else {
        kept.push(buffer);
        size += buffer.byteLength;
      }
    },
  };
}

/** Nobody clears it. */
function makeBuffer(bytes: number): ArrayBuffer {
  return Buffer.allocUnsafeSlow(bytes).buffer as ArrayBuffer;
}
