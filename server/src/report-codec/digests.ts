import { isUtf8 } from 'node:buffer';
import { type ByteReader, damage } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';
import { MAX_DIGEST_LENGTH } from './report-limits.ts';

/** A column of digests: a kind per file, lengths in bytes where there is one, then all bytes. */
const NONE = 0;
/** Lower-case hexadecimal digits, an even number of them: two in a byte, since digests do not compress. */
const HEX = 1;
/** Anything else, as UTF-8. */
const TEXT = 2;

const LOWER_HEX = /^(?:[0-9a-f]{2})+$/;

export function packDigests(digests: readonly (string | undefined)[], out: ByteWriter): void {
  const encoded = digests.map(encodeDigest);
  for (const digest of encoded) out.writeByte(digest.kind);
  for (const digest of encoded) if (digest.kind !== NONE) out.writeVarint(digest.bytes.length);
  for (const digest of encoded) out.writeBytes(digest.bytes);
}

/** Each is made when it is asked for: most readers of a report ask for few, or none. */
export class DigestColumn {
  readonly #kinds: Uint8Array;
  readonly #ends: Uint32Array;
  readonly #bytes: Uint8Array;

  constructor(kinds: Uint8Array, ends: Uint32Array, bytes: Uint8Array) {
    this.#kinds = kinds;
    this.#ends = ends;
    this.#bytes = bytes;
  }

  /** The digest of a file, by its index. */
  at(index: number): string | undefined {
    const start = this.#ends[index - 1] ?? 0;
    return decodeDigest(this.#kinds[index] as number, this.#bytes.subarray(start, this.#ends[index]));
  }

  /** Whether the other holds the same digests of the same files, found without making any. */
  isSame(other: DigestColumn): boolean {
    const isSame = (a: ArrayBufferView, b: ArrayBufferView): boolean => Buffer.compare(viewOf(a), viewOf(b)) === 0;
    return isSame(this.#bytes, other.#bytes) && isSame(this.#kinds, other.#kinds) && isSame(this.#ends, other.#ends);
  }
}

function viewOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

export function unpackDigests(count: number, reader: ByteReader): DigestColumn {
  const kinds = reader.readBytes(count);
  const ends = new Uint32Array(count);
  let end = 0;
  for (let index = 0; index < count; index += 1) {
    if (kinds[index] !== NONE) end += reader.readVarint(3 * MAX_DIGEST_LENGTH);
    ends[index] = end;
  }
  return new DigestColumn(kinds, ends, reader.readBytes(end));
}

interface EncodedDigest {
  readonly kind: number;
  readonly bytes: Uint8Array;
}

const NO_DIGEST: EncodedDigest = { kind: NONE, bytes: new Uint8Array(0) };

function encodeDigest(digest: string | undefined): EncodedDigest {
  if (digest === undefined) return NO_DIGEST;
  return LOWER_HEX.test(digest)
    ? { kind: HEX, bytes: Buffer.from(digest, 'hex') }
    : { kind: TEXT, bytes: Buffer.from(digest, 'utf8') };
}

function decodeDigest(kind: number, bytes: Uint8Array): string | undefined {
  if (kind === NONE) return undefined;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (kind === HEX) return buffer.toString('hex');
  if (kind !== TEXT || !isUtf8(buffer)) throw damage('a digest of a file cannot be read');
  return buffer.toString('utf8');
}
