import { createHash } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import type { IngestedJob } from './ingest.ts';

/** Collects the texts of source files, each distinct one once and compressed. */
export class SourceTexts {
  readonly #byDigest = new Map<string, Uint8Array>();

  /** Keeps a text and answers the hex SHA-256 of its UTF-8 form, under which it is found again. */
  add(text: string): string {
    const bytes = Buffer.from(text);
    const digest = createHash('sha256').update(bytes).digest('hex');
    if (!this.#byDigest.has(digest)) this.#byDigest.set(digest, zstdCompressSync(bytes));
    return digest;
  }

  /** All of them, in order of digest. */
  list(): IngestedJob['sources'] {
    return [...this.#byDigest].map(([digest, bytes]) => ({ digest, bytes })).sort((a, b) => (a.digest < b.digest ? -1 : 1));
  }
}
