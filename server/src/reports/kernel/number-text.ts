import { type Kernel, openKernel, PACKED, PART_BYTES, RESULT, SLACK_BYTES, TEXT, TEXT_BYTES } from './kernel.ts';

/** A group of four numbers ends at most this far behind the place at which reading stopped. */
const MAX_GROUP_BYTES = 48;

/**
 * Reads arrays of usual numbers from JSON and packs them as the stored form has them: nulls and integers of 0 or more
 * with up to nine digits, without a space behind any comma or with one behind each. It takes a third of the time that
 * the same loops take in JavaScript.
 */
export class NumberText {
  readonly #text: Uint8Array;
  readonly #kernel: Kernel = openKernel();
  /** What part of the text is in the kernel's memory. */
  #start = 0;
  #length = 0;
  #end = 0;

  /** `text` does not change while this is used, and only one NumberText of a thread is used at a time. */
  constructor(text: Uint8Array) {
    this.#text = text;
  }

  /** Behind the array that was read last. */
  get end(): number {
    return this.#end;
  }

  /**
   * How many lines the hits whose `[` is at `at` have; below 0: there is something unusual in them, or they are longer
   * than the kernel's memory. What was packed is there until the next call.
   */
  takeHits(at: number): number {
    const { run } = this.#kernel;
    return this.#read(at + 1, (from) => run.takeHits(from, PACKED, PART_BYTES, RESULT));
  }

  /** The same of branches: below 0 also if they do not come in order of their keys, each once. */
  takeBranches(at: number): number {
    const { run } = this.#kernel;
    return this.#read(at + 1, (from) => run.takeBranches(from, PACKED, PART_BYTES, RESULT));
  }

  /** The length of each of the three parts, then what was counted. */
  result(index: 0 | 1 | 2 | 3 | 4): number {
    return this.#kernel.words[RESULT / 4 + index] as number;
  }

  /** Copies the first `length` bytes of what was packed. */
  copy(length: number, to: Uint8Array, at: number): void {
    to.set(this.#kernel.bytes.subarray(PACKED, PACKED + length), at);
  }

  #read(at: number, read: (from: number) => number): number {
    if (at < this.#start || at >= this.#start + this.#length) this.#show(at);
    let count = read(TEXT + at - this.#start);
    if (count < 0 && this.#start < at && this.#stopped() > this.#start + this.#length - MAX_GROUP_BYTES) {
      this.#show(at);
      count = read(TEXT);
    }
    this.#end = this.#stopped();
    return count;
  }

  #stopped(): number {
    return this.#start + this.#kernel.run.end.value - TEXT;
  }

  #show(start: number): void {
    const { bytes } = this.#kernel;
    const part = this.#text.subarray(start, start + TEXT_BYTES);
    bytes.set(part, TEXT);
    bytes.fill(0, TEXT + part.length, TEXT + part.length + SLACK_BYTES);
    this.#start = start;
    this.#length = part.length;
  }
}
