import type { FileHits } from './file-hits.ts';

/** Where a region of code begins or ends, in the order of the file. */
export interface Segment {
  readonly line: number;
  readonly count: number;
  readonly hasCount: boolean;
  /** A region with a count begins here, and it is no gap. */
  readonly isStart: boolean;
  /** A region without a count begins here: the preprocessor left it out. */
  readonly isSkipped: boolean;
}

/**
 * Makes lines of segments as LLVM's own LineCoverageStats does: a line runs as often as the region that reaches into
 * it, or the most frequent one that begins on it.
 */
export class LlvmLines {
  readonly #file: FileHits;
  #wrapped: Segment | undefined;
  /** The line of the last segment. */
  line = 0;
  #segments: Segment[] = [];

  constructor(file: FileHits) {
    this.#file = file;
  }

  add(segment: Segment): void {
    if (segment.line !== this.line) {
      this.end();
      const last = this.#segments.at(-1);
      if (last !== undefined) this.#wrapped = last;
      this.#between(this.line + 1, segment.line);
      this.line = segment.line;
      this.#segments = [];
    }
    this.#segments.push(segment);
  }

  /** Counts the line that the last segments stand on. */
  end(): void {
    const [first] = this.#segments;
    if (first === undefined || this.line === 0) return;
    const starts = this.#segments.filter(({ isStart }) => isStart);
    const reaches = this.#wrapped?.hasCount === true;
    if (first.isSkipped || (!reaches && starts.length === 0)) return;
    const counts = starts.map(({ count }) => count);
    this.#file.raiseLine(this.line, Math.max(this.#wrapped?.count ?? 0, ...counts));
  }

  #between(from: number, before: number): void {
    if (this.#wrapped?.hasCount !== true) return;
    for (let line = from; line < before; line += 1) this.#file.raiseLine(line, this.#wrapped.count);
  }
}
