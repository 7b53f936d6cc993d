/** Sums saturate here (rules.md, rule 6): the largest integer that a JSON number holds exactly. */
export const MAX_HITS = Number.MAX_SAFE_INTEGER;
/** No source file is longer; a larger number in a report is damage, and would take the memory of a file that long. */
export const MAX_LINE = 10_000_000;

const NOT_RELEVANT = -1;
const FIRST_LINES = 128;
const LARGEST_SMALL = 0x7fffffff;

type Groups = readonly number[] | Int32Array;

/** How many of all are covered. */
export interface Counts {
  readonly covered: number;
  readonly all: number;
}

/**
 * The hits of one source file while a report is read: a growing column, -1 where a line is not relevant, and branches
 * as flat groups of four (line, block, branch, hits) with keys that may repeat. Lines count from 1. Hits are integers
 * from 0 to 2^53-1.
 */
export class FileHits {
  readonly name: string;
  #hits: Int32Array | Float64Array = new Int32Array(FIRST_LINES).fill(NOT_RELEVANT);
  #length = 0;
  #groups: number[] | Int32Array = [];

  constructor(name: string) {
    this.name = name;
  }

  /** The highest relevant line; 0 where none is. */
  get lastLine(): number {
    return this.#length;
  }

  /** Adds hits to a line, which becomes relevant. */
  addLine(line: number, hits: number): void {
    const before = this.#reach(line);
    this.#set(line, before > 0 ? Math.min(before + hits, MAX_HITS) : hits);
  }

  /** Takes the larger of the hits stated so far and these. */
  raiseLine(line: number, hits: number): void {
    const before = this.#reach(line);
    if (hits > before) this.#set(line, hits);
  }

  /** Adds one branch; the same key (line, block, branch) may come again. */
  addBranch(line: number, block: number, branch: number, hits: number): void {
    this.#growable().push(line, block, branch, hits);
  }

  /** Gives back what was reserved for more: a large report holds thousands of files at once. */
  trim(): void {
    this.#hits = this.#hits.slice(0, this.#length);
    const isSmall = this.#groups.every((value) => value <= LARGEST_SMALL);
    if (isSmall) this.#groups = Int32Array.from(this.#groups);
  }

  /** Rule 6: the union of relevant lines, hits summed, branches joined by key. */
  merge(other: FileHits): void {
    for (let line = 1; line <= other.#length; line += 1) {
      const hits = other.#hits[line - 1] as number;
      if (hits >= 0) this.addLine(line, hits);
    }
    const groups = this.#growable();
    for (const value of other.#groups) groups.push(value);
  }

  /** How many lines are relevant, and how many of them were hit. */
  countLines(): Counts {
    let [covered, all] = [0, 0];
    for (let index = 0; index < this.#length; index += 1) {
      const hits = this.#hits[index] as number;
      if (hits >= 0) all += 1;
      if (hits > 0) covered += 1;
    }
    return { covered, all };
  }

  /** How many branches there are, and how many of them were hit. */
  countBranches(): Counts {
    const groups = this.#ordered();
    let covered = 0;
    for (let at = 3; at < groups.length; at += 4) if ((groups[at] as number) > 0) covered += 1;
    return { covered, all: groups.length / 4 };
  }

  /** One entry per line up to the last relevant one; null where a line is not relevant. */
  coverage(): (number | null)[] {
    return Array.from(this.#hits.subarray(0, this.#length), (hits) => (hits < 0 ? null : hits));
  }

  /** Flat groups of four in the order of their keys, each key once, its hits summed. */
  branches(): number[] {
    return Array.from(this.#ordered());
  }

  #growable(): number[] {
    if (this.#groups instanceof Int32Array) this.#groups = Array.from(this.#groups);
    return this.#groups;
  }

  #ordered(): Groups {
    if (!isInOrder(this.#groups)) this.#groups = joined(this.#groups);
    return this.#groups;
  }

  /** Makes room for a line; returns what it holds. */
  #reach(line: number): number {
    if (line > this.#length) {
      if (line > this.#hits.length) this.#grow(Math.max(line, this.#hits.length * 4));
      this.#length = line;
    }
    return this.#hits[line - 1] as number;
  }

  #set(line: number, hits: number): void {
    if (hits > LARGEST_SMALL && this.#hits instanceof Int32Array) this.#hits = Float64Array.from(this.#hits);
    this.#hits[line - 1] = hits;
  }

  #grow(capacity: number): void {
    const larger = this.#hits instanceof Int32Array ? new Int32Array(capacity) : new Float64Array(capacity);
    larger.fill(NOT_RELEVANT, this.#hits.length);
    larger.set(this.#hits);
    this.#hits = larger;
  }
}

function isInOrder(groups: Groups): boolean {
  for (let at = 4; at < groups.length; at += 4) if (compareKeys(groups, at - 4, at) >= 0) return false;
  return true;
}

function joined(groups: Groups): number[] {
  const starts = Array.from({ length: groups.length / 4 }, (_, index) => index * 4).sort((a, b) =>
    compareKeys(groups, a, b),
  );
  const result: number[] = [];
  let previous = -1;
  for (const start of starts) {
    const hits = groups[start + 3] as number;
    if (previous >= 0 && compareKeys(groups, previous, start) === 0) {
      result[result.length - 1] = Math.min((result.at(-1) as number) + hits, MAX_HITS);
    } else {
      result.push(groups[start] as number, groups[start + 1] as number, groups[start + 2] as number, hits);
    }
    previous = start;
  }
  return result;
}

function compareKeys(groups: Groups, a: number, b: number): number {
  return (
    (groups[a] as number) - (groups[b] as number) ||
    (groups[a + 1] as number) - (groups[b + 1] as number) ||
    (groups[a + 2] as number) - (groups[b + 2] as number)
  );
}
