const FIRST_CAPACITY = 1 << 12;
const LONGEST_NUMBER = 9;
const FLAG = 64;
const MORE = 128;
/** In place of a number that has no byte of its own. */
export const ESCAPE = 255;
/** Numbers of which each takes a byte. */
const LONGEST_PLAIN = 1 << 16;
const MAX_ZEROS = 0.75;

/** Bytes that a writer filled; they are there once it is done with them. */
export interface PackedBlock {
  bytes: Uint8Array;
}

/** Writes integers from 0 to 2^53 with a flag each: one byte below 64, and one for every 7 bits more. */
export class PackedWriter {
  #bytes = new Uint8Array(FIRST_CAPACITY);
  #block: PackedBlock = { bytes: this.#bytes };
  #end = 0;

  /** Where the next number will stand. */
  get place(): { readonly block: PackedBlock; readonly at: number } {
    return { block: this.#block, at: this.#end };
  }

  write(value: number, flag = false): void {
    if (this.#end + LONGEST_NUMBER > this.#bytes.length) this.#grow();
    const mark = flag ? FLAG : 0;
    if (value < FLAG) this.#bytes[this.#end++] = value | mark;
    else this.#writeLong(value, mark);
  }

  /**
   * Writes how many numbers there are, and each of them. Flagged, a byte for each follows, and behind these the numbers
   * that have none of their own: this takes 2 ns for a line, where looking for runs takes 8.
   */
  writeColumn(values: Int32Array | Float64Array, length: number): void {
    const start = this.#end;
    this.write(length, true);
    if (length <= LONGEST_PLAIN && this.#writeBytes(values, length)) return;
    this.#end = start;
    this.write(length);
    this.#writeRuns(values, length);
  }

  /** False if few lines count: as runs they take less. */
  #writeBytes(values: Int32Array | Float64Array, length: number): boolean {
    while (this.#end + length > this.#bytes.length) this.#grow();
    const bytes = this.#bytes;
    const start = this.#end;
    let zeros = 0;
    let isAll = true;
    for (let at = 0; at < length; at += 1) {
      const value = values[at] as number;
      if (value === 0) zeros += 1;
      if (value < ESCAPE) bytes[start + at] = value;
      else {
        bytes[start + at] = ESCAPE;
        isAll = false;
      }
    }
    this.#end = start + length;
    if (zeros > length * MAX_ZEROS) return false;
    if (!isAll)
      for (let at = 0; at < length; at += 1) if ((values[at] as number) >= ESCAPE) this.write(values[at] as number);
    return true;
  }

  /** Writes each number, flagged where the number of further ones that are the same follows. */
  #writeRuns(values: Int32Array | Float64Array, length: number): void {
    for (let at = 0; at < length; ) {
      if (this.#end + LONGEST_NUMBER > this.#bytes.length) this.#grow();
      const bytes = this.#bytes;
      let end = this.#end;
      const last = Math.min(length - 1, at + bytes.length - end - LONGEST_NUMBER);
      // Most numbers are small, and not the same as the next.
      for (; at < last; at += 1) {
        const value = values[at] as number;
        if (value >= FLAG || value === values[at + 1]) break;
        bytes[end++] = value;
      }
      this.#end = end;
      const value = values[at] as number;
      const start = at;
      do at += 1;
      while (at < length && values[at] === value);
      const more = at - start - 1;
      this.write(value, more > 0);
      if (more > 0) this.write(more);
    }
  }

  /** Ends the block, in exactly the memory that it needs, and begins another one. */
  endBlock(): void {
    this.#block.bytes = this.#bytes.slice(0, this.#end);
    this.#block = { bytes: this.#bytes };
    this.#end = 0;
  }

  #writeLong(value: number, mark: number): void {
    this.#bytes[this.#end++] = (value % FLAG) + mark + MORE;
    let rest = Math.floor(value / FLAG);
    for (; rest >= MORE; rest = Math.floor(rest / MORE)) this.#bytes[this.#end++] = (rest % MORE) + MORE;
    this.#bytes[this.#end++] = rest;
  }

  #grow(): void {
    const larger = new Uint8Array(this.#bytes.length * 2);
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

/** Reads what a `PackedWriter` wrote, from `at` on. */
export class PackedReader {
  /** For the number that was read last. */
  flag = false;
  readonly #bytes: Uint8Array;
  #at: number;

  constructor({ bytes }: PackedBlock, at: number) {
    this.#bytes = bytes;
    this.#at = at;
  }

  /** Gives the bytes of a column; for each `ESCAPE` the next `read` has the number. */
  readBytes(length: number): Uint8Array {
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  read(): number {
    let byte = this.#bytes[this.#at++] as number;
    this.flag = (byte & FLAG) > 0;
    let value = byte & (FLAG - 1);
    for (let scale = FLAG; byte >= MORE; scale *= MORE) {
      byte = this.#bytes[this.#at++] as number;
      value += (byte & (MORE - 1)) * scale;
    }
    return value;
  }
}
