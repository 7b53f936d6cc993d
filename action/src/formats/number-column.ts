const FIRST_CAPACITY = 256;
/** A larger number takes 8 bytes. */
export const LARGEST_SMALL = 0x7fffffff;
const NO_VALUES = new Int32Array(0);

/** A growing column of integers from 0 to 2^53, of 4 bytes each until one needs 8. What was never set is 0. */
export class NumberColumn {
  #values: Int32Array | Float64Array = new Int32Array(FIRST_CAPACITY);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The numbers, with room for more behind them; until the next is written. */
  get values(): Int32Array | Float64Array {
    return this.#values;
  }

  /** The same to write to, as far as there is room; none if they take 8 bytes. `reach` says how far it was done. */
  get small(): Int32Array {
    return this.#values instanceof Int32Array ? this.#values : NO_VALUES;
  }

  /** Memory that it holds. */
  get bytes(): number {
    return this.#values.byteLength;
  }

  /** Makes room at once, where that many are going to be written. */
  reserve(length: number): void {
    if (length > this.#values.length) this.#grow(length);
  }

  at(index: number): number {
    return index < this.#length ? (this.#values[index] as number) : 0;
  }

  set(index: number, value: number): void {
    if (index >= this.#length) this.#reach(index + 1);
    if (value > LARGEST_SMALL) this.#widen();
    this.#values[index] = value;
  }

  pushFour(a: number, b: number, c: number, d: number): void {
    const at = this.#length;
    this.#reach(at + 4);
    if (a > LARGEST_SMALL || b > LARGEST_SMALL || c > LARGEST_SMALL || d > LARGEST_SMALL) this.#widen();
    const values = this.#values;
    values[at] = a;
    values[at + 1] = b;
    values[at + 2] = c;
    values[at + 3] = d;
  }

  clear(): void {
    this.#values.fill(0, 0, this.#length);
    this.#length = 0;
  }

  /** It is that long from now on, or longer; there is room for it. */
  reach(length: number): void {
    if (length > this.#length) this.#length = length;
  }

  #reach(length: number): void {
    if (length > this.#values.length) this.#grow(length);
    this.#length = length;
  }

  #grow(length: number): void {
    const capacity = Math.max(length, this.#values.length * 2);
    const larger = this.#values instanceof Int32Array ? new Int32Array(capacity) : new Float64Array(capacity);
    larger.set(this.#values);
    this.#values = larger;
  }

  #widen(): void {
    if (this.#values instanceof Int32Array) this.#values = Float64Array.from(this.#values);
  }
}
