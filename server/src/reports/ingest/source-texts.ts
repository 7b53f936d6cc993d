import { hash } from 'node:crypto';
import { frameRaw } from '../codec/raw-frame.ts';
import { createCompressor } from '../codec/zstd.ts';
import type { IngestedJob } from './ingest.ts';

/** At zstd's own level. */
const compress = createCompressor({});

/** Texts below this many bytes are stored in a frame as they are: compressing takes longer than they are worth. */
const MIN_COMPRESSED = 512;

/**
 * This many texts of a job are compressed whatever their size, and after them only those of this many bytes: a job may
 * bring half a million.
 */
const MANY_TEXTS = 20_000;
const MIN_COMPRESSED_OF_MANY = 8_192;

/** Collects the texts of source files, each distinct one once and compressed. */
export class SourceTexts {
  readonly #byDigest = new Map<string, Uint8Array>();

  /** Keeps a text and answers the hex SHA-256 of its UTF-8 form, under which it is found again. */
  add(text: string): string {
    const bytes = Buffer.from(text);
    const digest = hash('sha256', bytes);
    if (!this.#byDigest.has(digest)) {
      const min = this.#byDigest.size < MANY_TEXTS ? MIN_COMPRESSED : MIN_COMPRESSED_OF_MANY;
      this.#byDigest.set(digest, bytes.length < min ? frameRaw(bytes) : compress(bytes));
    }
    return digest;
  }

  /** All of them, in order of digest. */
  list(): IngestedJob['sources'] {
    return [...this.#byDigest]
      .map(([digest, bytes]) => ({ digest, bytes }))
      .sort((a, b) => (a.digest < b.digest ? -1 : 1));
  }
}

/** The stored form of one text; undefined for bytes that are none. */
export function packText(bytes: Uint8Array): IngestedJob['sources'][number] | undefined {
  if (bytes.includes(0)) return undefined;
  const texts = new SourceTexts();
  texts.add(new TextDecoder().decode(bytes));
  return texts.list()[0];
}
