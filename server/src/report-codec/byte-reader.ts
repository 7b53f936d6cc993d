import { Failure } from '../domain/failure.ts';
import { reportDamaged } from '../messages/stores.ts';

/** The one answer to bytes that no encoder wrote. `what` completes "…: the report is damaged". */
export function damage(what: string, cause?: unknown): Failure {
  const details = cause === undefined ? {} : { cause };
  return new Failure('internal', reportDamaged(what), details);
}

/** Reads bytes from the front; beyond the end, and for a number that is too large, it throws a Failure. */
export class ByteReader {
  readonly bytes: Uint8Array;
  readonly #what: string;
  #at = 0;

  /** `what` names the bytes in a failure. */
  constructor(bytes: Uint8Array, what: string) {
    this.bytes = bytes;
    this.#what = what;
  }

  get position(): number {
    return this.#at;
  }

  readByte(): number {
    const value = this.bytes[this.#at];
    if (value === undefined) throw this.#short();
    this.#at += 1;
    return value;
  }

  /** A safe integer from 0 to `limit`. */
  readVarint(limit = Number.MAX_SAFE_INTEGER): number {
    const first = this.readByte();
    if (first <= 0x7f && first <= limit) return first;
    let value = first & 0x7f;
    let byte = first;
    let scale = 128;
    while (byte > 0x7f) {
      // 2 ** 56: an eighth group of seven bits would leave the safe integers.
      if (scale >= 2 ** 56) throw damage(`${this.#what} holds a number that is too long`);
      byte = this.readByte();
      value += (byte & 0x7f) * scale;
      scale *= 128;
    }
    if (value > limit) throw damage(`${this.#what} holds ${value} where at most ${limit} is possible`);
    return value;
  }

  /** A safe integer of any sign, as writeSigned wrote it. */
  readSigned(): number {
    const sign = this.readByte();
    if (sign > 1) throw damage(`${this.#what} holds a sign that does not exist`);
    const magnitude = this.readVarint();
    return sign === 1 ? 0 - magnitude : magnitude;
  }

  readUint32(): number {
    const bytes = this.readBytes(4);
    return new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
  }

  /** A view of the next `count` bytes. */
  readBytes(count: number): Uint8Array {
    if (count > this.bytes.length - this.#at) throw this.#short();
    const bytes = this.bytes.subarray(this.#at, this.#at + count);
    this.#at += count;
    return bytes;
  }

  /** Moves to `position`, up to which the caller has read by itself. */
  skipTo(position: number): void {
    if (position > this.bytes.length) throw this.#short();
    this.#at = position;
  }

  /** Throws unless everything was read. */
  expectEnd(): void {
    if (this.#at !== this.bytes.length)
      throw damage(`${this.#what} holds ${this.bytes.length - this.#at} bytes too many`);
  }

  #short(): Failure {
    return damage(`${this.#what} ends too early, at byte ${this.bytes.length}`);
  }
}
