const ZERO = 48;
const FIRST_CAPACITY = 1 << 14;
const LONGEST_NUMBER = 16;

/** Text that is made of short words and numbers: strings that are joined took twice as long for a merged LCOV report. */
export class AsciiText {
  #bytes = Buffer.allocUnsafe(FIRST_CAPACITY);
  #end = 0;

  /** Letters of ASCII alone. */
  word(text: string): void {
    this.#reserve(text.length);
    for (let at = 0; at < text.length; at += 1) this.#bytes[this.#end++] = text.charCodeAt(at);
  }

  /** An integer from 0 to 2^53. */
  number(value: number): void {
    this.#reserve(LONGEST_NUMBER);
    const bytes = this.#bytes;
    let digits = 1;
    for (let rest = value; rest >= 10; rest = Math.floor(rest / 10)) digits += 1;
    const end = this.#end + digits;
    let rest = value;
    for (let at = end - 1; at >= this.#end; at -= 1) {
      const tenth = Math.floor(rest / 10);
      bytes[at] = ZERO + (rest - tenth * 10);
      rest = tenth;
    }
    this.#end = end;
  }

  /** All of it; the next text begins. */
  take(): string {
    const text = this.#bytes.toString('latin1', 0, this.#end);
    this.#end = 0;
    return text;
  }

  #reserve(length: number): void {
    if (this.#end + length <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#end + length));
    this.#bytes.copy(larger, 0, 0, this.#end);
    this.#bytes = larger;
  }
}
