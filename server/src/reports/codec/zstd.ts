import { constants, type ZstdOptions, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { type ZlibOptions, ZstdCompress, ZstdDecompress } from 'minizlib';
import { isOneFrame } from './zstd-frame.ts';

// Node makes a context of zstd for each call, which takes longer than most streams of a report. minizlib keeps one: the
// 316 frames of a report of 5,000 files took 9 ms and take 3, and reading them takes 0.7 ms instead of 6.

/** Bytes of a frame's contents up to which a kept context is used. For more, making one is small beside the work. */
const MAX_KEPT = 2 ** 18;
/** What zstd makes of them at most, with room to spare: then no frame ever comes in two parts. */
const MAX_PACKED = MAX_KEPT + 2 ** 14;

/** zlib's buffer grows by this at most, whatever length the bytes declare. */
const MAX_STEP = 2 ** 20;

/** minizlib hands them on to `node:zlib`, which its types do not say. */
type Settings = ZlibOptions & ZstdOptions;

/** Makes frames with these settings of zstd (`params` of `node:zlib`), the same bytes as `zstdCompressSync`. */
export function createCompressor(params: Readonly<Record<number, number>>): (bytes: Uint8Array) => Uint8Array {
  let kept: ZstdCompress | undefined;
  return (bytes) => {
    if (bytes.length > MAX_KEPT) return zstdCompressSync(bytes, { params, pledgedSrcSize: bytes.length });
    const settings: Settings = { params, flush: constants.ZSTD_e_end, chunkSize: MAX_PACKED };
    kept ??= new ZstdCompress(settings);
    kept.write(asBuffer(bytes));
    return kept.read() as Buffer;
  };
}

let reader: ZstdDecompress | undefined;

/** What a frame holds: `length` bytes, 1 or more. Throws what `node:zlib` throws, also if it holds more. */
export function readFrame(frame: Uint8Array, length: number): Uint8Array {
  return readKept(frame, length) ?? readAlone(frame, length);
}

/**
 * By the kept context, which only ever sees whole frames: after one that was cut off it would take the next one for its
 * rest. Undefined if something else came out than was declared: readAlone says what is wrong.
 */
function readKept(frame: Uint8Array, length: number): Uint8Array | undefined {
  if (length >= MAX_KEPT || !isOneFrame(frame)) return undefined;
  reader ??= openReader();
  reader.write(asBuffer(frame));
  const bytes = reader.read();
  if (bytes?.length === length) return bytes;
  reader.close();
  reader = undefined;
  return undefined;
}

function openReader(): ZstdDecompress {
  const settings: Settings = { chunkSize: MAX_KEPT, maxOutputLength: MAX_KEPT };
  // Without a listener it would throw.
  return new ZstdDecompress(settings).on('error', () => undefined);
}

function readAlone(frame: Uint8Array, length: number): Uint8Array {
  // One byte of slack, or zlib would give its only buffer back before it saw the end of the frame.
  const chunkSize = Math.max(64, Math.min(length + 1, MAX_STEP));
  return zstdDecompressSync(frame, { maxOutputLength: length, chunkSize });
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
}
