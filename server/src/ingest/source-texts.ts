import { hash } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import type { IngestedJob } from './ingest.ts';

/** Texts below this many bytes are stored in a frame as they are: setting the compressor up takes longer than they are worth. */
const LEAST_COMPRESSED = 512;

/** zstd's magic number, and a frame header of one segment whose length takes two bytes, stored less 256. */
const RAW_HEADER = [0x28, 0xb5, 0x2f, 0xfd, 0x60] as const;
/** The same with a length of one byte. */
const SHORT_RAW_HEADER = [0x28, 0xb5, 0x2f, 0xfd, 0x20] as const;

/** Collects the texts of source files, each distinct one once and compressed. */
export class SourceTexts {
  readonly #byDigest = new Map<string, Uint8Array>();

  /** Keeps a text and answers the hex SHA-256 of its UTF-8 form, under which it is found again. */
  add(text: string): string {
    const bytes = Buffer.from(text);
    const digest = hash('sha256', bytes);
    if (!this.#byDigest.has(digest)) this.#byDigest.set(digest, packText(bytes));
    return digest;
  }

  /** All of them, in order of digest. */
  list(): IngestedJob['sources'] {
    return [...this.#byDigest].map(([digest, bytes]) => ({ digest, bytes })).sort((a, b) => (a.digest < b.digest ? -1 : 1));
  }
}

/** A zstd frame of the text. */
function packText(bytes: Uint8Array): Uint8Array {
  if (bytes.length < LEAST_COMPRESSED) return frameRaw(bytes);
  return zstdCompressSync(bytes, { chunkSize: Math.min(2 ** 18, bytes.length) });
}

/** A frame with one last raw block (RFC 8878, 3.1.1). */
function frameRaw(bytes: Uint8Array): Uint8Array {
  const { length } = bytes;
  const long = length - 256;
  const header = long < 0 ? [...SHORT_RAW_HEADER, length] : [...RAW_HEADER, long & 0xff, long >> 8];
  const block = (length << 3) | 1;
  return Uint8Array.of(...header, block & 0xff, (block >> 8) & 0xff, block >> 16, ...bytes);
}
