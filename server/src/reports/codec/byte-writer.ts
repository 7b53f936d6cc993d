/** Copied in a loop, this many bytes take as long as by way of a view. */
const LONG_PART = 96;

/** Bytes that grow as they are written. */
export class ByteWriter {
  #bytes: Uint8Array;
  #length = 0;

  constructor(capacity = 1_024) {
    this.#bytes = new Uint8Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  /** Bytes of the buffer, used or not. */
  get capacity(): number {
    return this.#bytes.length;
  }

  /** Room for `count` more bytes: the buffer, into which callers may write from `length` on before `advance`. */
  reserve(count: number): Uint8Array {
    const needed = this.#length + count;
    if (needed > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
      grown.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = grown;
    }
    return this.#bytes;
  }

  /** Takes what was written into `reserve`'s buffer up to `length` as part of the bytes. */
  advance(length: number): void {
    this.#length = length;
  }

  writeByte(value: number): void {
    this.reserve(1)[this.#length] = value;
    this.#length += 1;
  }

  /** Seven bits a byte, lowest first, as LEB128 has it. `value` is a safe integer of 0 or more. */
  writeVarint(value: number): void {
    const bytes = this.reserve(8);
    let rest = value;
    while (rest > 0x7f) {
      bytes[this.#length] = (rest % 128) | 0x80;
      this.#length += 1;
      rest = Math.floor(rest / 128);
    }
    bytes[this.#length] = rest;
    this.#length += 1;
  }

  /** A sign byte and the magnitude, since doubling a safe integer for a zigzag would lose its last bit. */
  writeSigned(value: number): void {
    this.writeByte(value < 0 ? 1 : 0);
    this.writeVarint(Math.abs(value));
  }

  /** Four bytes, lowest first. */
  writeUint32(value: number): void {
    const bytes = this.reserve(4);
    for (let shift = 0; shift < 32; shift += 8) {
      bytes[this.#length] = value >>> shift;
      this.#length += 1;
    }
  }

  writeBytes(bytes: Uint8Array): void {
    this.reserve(bytes.length).set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** A part of `bytes`: short ones in a loop, since a view of them takes longer. */
  writePart(bytes: Uint8Array, start: number, length: number): void {
    const to = this.reserve(length);
    if (length > LONG_PART) to.set(bytes.subarray(start, start + length), this.#length);
    else for (let index = 0; index < length; index += 1) to[this.#length + index] = bytes[start + index] as number;
    this.#length += length;
  }

  /** Forgets the content and keeps the buffer. */
  clear(): void {
    this.#length = 0;
  }

  /** A view, valid until the next write. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }
}
