/** zstd's magic number, and a frame header of one segment whose length takes one byte. */
const SHORT_HEADER = [0x28, 0xb5, 0x2f, 0xfd, 0x20] as const;
/** The same with a length of two bytes, stored less 256. */
const HEADER = [0x28, 0xb5, 0x2f, 0xfd, 0x60] as const;
const LONG = 256;

/** A zstd frame may hold this many bytes as they are. */
export const MAX_RAW_BYTES = 65_791;

/** Bytes as a zstd frame with one last raw block (RFC 8878, 3.1.1), without compression. */
export function frameRaw(bytes: Uint8Array): Uint8Array {
  const beginning = beginningOf(bytes.length);
  const frame = new Uint8Array(beginning.length + bytes.length);
  frame.set(beginning);
  frame.set(bytes, beginning.length);
  return frame;
}

/** What frameRaw made such a frame of, as a view of it; undefined for any other frame or length. */
export function openRaw(frame: Uint8Array, length: number): Uint8Array | undefined {
  if (length > MAX_RAW_BYTES) return undefined;
  const beginning = beginningOf(length);
  const isRaw = frame.length === beginning.length + length && beginning.every((byte, index) => frame[index] === byte);
  return isRaw ? frame.subarray(beginning.length) : undefined;
}

function beginningOf(length: number): readonly number[] {
  const long = length - LONG;
  const block = (length << 3) | 1;
  const header = long < 0 ? [...SHORT_HEADER, length] : [...HEADER, long & 0xff, long >> 8];
  return [...header, block & 0xff, (block >> 8) & 0xff, block >> 16];
}
