const FIRST_CAPACITY = 64;
const LARGEST_SMALL = 0x7fffffff;

/** A growing column of integers from 0 to 2^53, of 4 bytes each until one needs 8. What was never set is 0. */
export class NumberColumn {
  #values: Int32Array | Float64Array = new Int32Array(FIRST_CAPACITY);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** How long it can be without more memory. */
  get capacity(): number {
    return this.#values.length;
  }

  /** Memory that it holds. */
  get bytes(): number {
    return this.#values.byteLength;
  }

  at(index: number): number {
    return index < this.#length ? (this.#values[index] as number) : 0;
  }

  set(index: number, value: number): void {
    if (index >= this.#length) this.#reach(index);
    if (value > LARGEST_SMALL && this.#values instanceof Int32Array) this.#values = Float64Array.from(this.#values);
    this.#values[index] = value;
  }

  #reach(index: number): void {
    if (index >= this.#values.length) {
      const capacity = Math.max(index + 1, this.#values.length * 2);
      const larger = this.#values instanceof Int32Array ? new Int32Array(capacity) : new Float64Array(capacity);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#length = index + 1;
  }
}
