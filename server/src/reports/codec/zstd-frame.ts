/** zstd's magic number, as it is stored. */
const MAGIC = [0x28, 0xb5, 0x2f, 0xfd] as const;

/** Bytes of the fields of a frame header, by the two bits that tell (RFC 8878, 3.1.1.1). */
const CONTENT_SIZES = [0, 2, 4, 8];
const DICTIONARY_IDS = [0, 1, 2, 4];

const RLE_BLOCK = 1;
const RESERVED_BLOCK = 3;

/** Whether the bytes are one frame of zstd from its first byte to its last, whatever is in its blocks. */
export function isOneFrame(bytes: Uint8Array): boolean {
  if (bytes.length < 6 || MAGIC.some((byte, at) => bytes[at] !== byte)) return false;
  const descriptor = bytes[4] as number;
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const sizeBytes = CONTENT_SIZES[descriptor >> 6] as number;
  const dictionaryBytes = DICTIONARY_IDS[descriptor & 3] as number;
  const header = (isSingleSegment ? Math.max(1, sizeBytes) : 1 + sizeBytes) + dictionaryBytes;
  const end = endOfBlocks(bytes, 5 + header);
  return end !== undefined && end + ((descriptor & 4) === 0 ? 0 : 4) === bytes.length;
}

/** Where the last block ends; undefined: it does not. */
function endOfBlocks(bytes: Uint8Array, first: number): number | undefined {
  let at = first;
  while (at + 3 <= bytes.length) {
    const header = (bytes[at] as number) | ((bytes[at + 1] as number) << 8) | ((bytes[at + 2] as number) << 16);
    const kind = (header >> 1) & 3;
    if (kind === RESERVED_BLOCK) return undefined;
    at += 3 + (kind === RLE_BLOCK ? 1 : header >> 3);
    if ((header & 1) === 1) return at;
  }
  return undefined;
}
