import { INPUT, INPUT_BYTES, type Kernel, OUTPUT, OUTPUT_BYTES, openKernel, SLACK_BYTES } from './kernel.ts';

/** A group of four numbers ends at most this far behind the place at which reading stopped. */
const MAX_GROUP_BYTES = 48;

/**
 * Reads arrays of usual numbers from JSON: nulls and integers of 0 or more with up to nine digits, with at most one
 * space behind a comma. It takes a third of the time of the same loops in JavaScript.
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
   * The hits of the array whose `[` is at `at`, null as -1: a view of the kernel's memory, valid until the next call.
   * Undefined: there is something unusual in it, or it is longer than the kernel's memory.
   */
  readHits(at: number): Int32Array | undefined {
    const count = this.#read(at + 1, (from) => this.#kernel.run.readHits(from, OUTPUT));
    return count < 0 ? undefined : this.#kernel.numbers.subarray(OUTPUT / 4, OUTPUT / 4 + count);
  }

  /** The branches of the array at `at`, in the same way: four columns, line, block, branch and hits, in one. */
  readBranches(at: number): Int32Array | undefined {
    const count = this.#read(at + 1, (from) => this.#kernel.run.readBranches(from, OUTPUT, OUTPUT_BYTES / 4));
    return count < 0 ? undefined : this.#kernel.numbers.subarray(OUTPUT / 4, OUTPUT / 4 + 4 * count);
  }

  #read(at: number, read: (from: number) => number): number {
    if (at < this.#start || at >= this.#start + this.#length) this.#show(at);
    let count = read(INPUT + at - this.#start);
    const isCut = (): boolean => this.#stopped() > this.#start + this.#length - MAX_GROUP_BYTES;
    if (count < 0 && this.#start < at && isCut()) {
      this.#show(at);
      count = read(INPUT);
    }
    this.#end = this.#stopped();
    return count;
  }

  #stopped(): number {
    return this.#start + this.#kernel.run.end.value - INPUT;
  }

  #show(start: number): void {
    const { bytes } = this.#kernel;
    const part = this.#text.subarray(start, start + INPUT_BYTES);
    bytes.set(part, INPUT);
    bytes.fill(0, INPUT + part.length, INPUT + part.length + SLACK_BYTES);
    this.#start = start;
    this.#length = part.length;
  }
}
