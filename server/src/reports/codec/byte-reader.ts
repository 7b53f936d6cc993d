import { Failure } from '../../core/failure.ts';

/** The one answer to bytes that no encoder wrote. `what` completes "…: the report is damaged". */
export function damage(what: string, cause?: unknown): Failure {
  const details = cause === undefined ? {} : { cause };
  return new Failure(
    'internal',
    `A stored report is damaged: ${what}. Upload the job again, or restore the store from a backup.`,
    details,
  );
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

  /**
   * Fills the column with numbers from 0 to `limit` and answers their sum. Those of one or two bytes are read without a
   * branch for their length, which is hard to guess.
   */
  readVarints(column: Uint32Array, limit: number): number {
    const { bytes } = this;
    const last = bytes.length - 1;
    let at = this.#at;
    let sum = 0;
    for (let index = 0; index < column.length; index += 1) {
      const first = at < last ? (bytes[at] as number) : 0xff;
      const second = at < last ? (bytes[at + 1] as number) : 0xff;
      const more = first >> 7;
      const value = (first & 0x7f) | ((second << 7) & -more);
      if ((more & (second >> 7)) === 0 && value <= limit) {
        column[index] = value;
        sum += value;
        at += 1 + more;
      } else {
        this.#at = at;
        const long = this.readVarint(limit);
        column[index] = long;
        sum += long;
        at = this.#at;
      }
    }
    this.#at = at;
    return sum;
  }

  /** A safe integer of any sign, as writeSigned wrote it. */
  readSigned(): number {
    const sign = this.readByte();
    if (sign > 1) throw damage(`${this.#what} holds a sign that does not exist`);
    const magnitude = this.readVarint();
    return sign === 1 ? 0 - magnitude : magnitude;
  }

  readUint32(): number {
    let value = 0;
    for (let shift = 0; shift < 32; shift += 8) value |= this.readByte() << shift;
    return value >>> 0;
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
