import { isUtf8 } from 'node:buffer';
import { type ByteReader, damage } from './byte-reader.ts';
import { ByteWriter } from './byte-writer.ts';
import { MAX_DIGEST_LENGTH } from './report-limits.ts';

/** A column of digests: a kind per file, lengths in bytes where there is one, then all bytes. */
const NONE = 0;
/** Lower-case hexadecimal digits, an even number of them: two in a byte, since digests do not compress. */
const HEX = 1;
/** Anything else, as UTF-8. */
const TEXT = 2;

export function packDigests(digests: readonly (string | undefined)[], out: ByteWriter): void {
  const lengths: number[] = [];
  const bytes = new ByteWriter(digests.length * 32 + 1);
  for (const digest of digests) {
    const before = bytes.length;
    out.writeByte(writeDigest(digest, bytes));
    if (digest !== undefined) lengths.push(bytes.length - before);
  }
  for (const length of lengths) out.writeVarint(length);
  out.writeBytes(bytes.view());
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
  let present = 0;
  for (let index = 0; index < count; index += 1) present += Number(kinds[index] !== NONE);
  const lengths = new Uint32Array(present);
  reader.readVarints(lengths, 3 * MAX_DIGEST_LENGTH);
  const ends = new Uint32Array(count);
  let next = 0;
  let end = 0;
  for (let index = 0; index < count; index += 1) {
    if (kinds[index] !== NONE) end += lengths[next++] as number;
    ends[index] = end;
  }
  return new DigestColumn(kinds, ends, reader.readBytes(end));
}

/** Answers its kind. */
function writeDigest(digest: string | undefined, out: ByteWriter): number {
  if (digest === undefined) return NONE;
  if (writeHex(digest, out)) return HEX;
  out.writeBytes(Buffer.from(digest));
  return TEXT;
}

/** False, and nothing is written, for anything but pairs of lower-case digits. Buffer took three times as long. */
function writeHex(digest: string, out: ByteWriter): boolean {
  const bytes = out.reserve(digest.length);
  const start = out.length;
  if (digest.length === 0 || digest.length % 2 > 0) return false;
  for (let index = 0; index < digest.length; index += 2) {
    const value = (hexDigit(digest.charCodeAt(index)) << 4) | hexDigit(digest.charCodeAt(index + 1));
    if (value < 0) return false;
    bytes[start + index / 2] = value;
  }
  out.advance(start + digest.length / 2);
  return true;
}

/** Below 0 for any other character. */
function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  return code >= 0x61 && code <= 0x66 ? code - 0x57 : -1;
}

function decodeDigest(kind: number, bytes: Uint8Array): string | undefined {
  if (kind === NONE) return undefined;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (kind === HEX) return buffer.toString('hex');
  if (kind !== TEXT || !isUtf8(buffer)) throw damage('a digest of a file cannot be read');
  return buffer.toString('utf8');
}
