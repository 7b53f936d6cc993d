import { BranchColumn, type VisitBranch } from './branch-column.ts';
import { addHits } from './hits-text.ts';
import { NumberColumn } from './number-column.ts';
import {
  addLines,
  packBranches,
  packLines,
  readBranches,
  readLength,
  readLines,
  type VisitLine,
} from './packed-hits.ts';
import type { PackedWriter } from './packed-numbers.ts';

/** No source file is longer; a larger number in a report is damage, and would take the memory of a file that long. */
export const MAX_LINE = 10_000_000;

/** In bytes. */
const LARGEST_SPARE = 1 << 18;

/** How many of all are covered. */
export interface Counts {
  readonly covered: number;
  readonly all: number;
}

/** What a file is written to. */
export interface Open {
  /** By line, from 0: hits + 1, or 0 where the line is not relevant. */
  readonly lines: NumberColumn;
  readonly branches: BranchColumn;
}

/** What files were written to, for the next ones: new memory for each of them takes longer than to read it. */
export type SpareColumns = Open[];

/**
 * The hits of one source file. Lines count from 1, and are relevant once they have hits. Hits are integers from 0 to
 * 2^53-1.
 */
export class FileHits {
  readonly name: string;
  #open: Open | undefined;
  /** Where the hits stand packed, among those of other files; nothing writes to them there. */
  #packed: PackedWriter['place'] | undefined;
  readonly #spare: SpareColumns | undefined;

  constructor(name: string, spare?: SpareColumns) {
    this.name = name;
    this.#spare = spare;
  }

  /** The highest relevant line; 0 if none is. */
  get lastLine(): number {
    if (this.#open !== undefined) return this.#open.lines.length;
    return this.#packed === undefined ? 0 : readLength(this.#packed);
  }

  /** Memory that is held to write to it. */
  get openBytes(): number {
    return this.#open === undefined ? 0 : this.#open.lines.bytes + this.#open.branches.bytes;
  }

  /** To write to it directly: a call for each line of a report takes as long as to read that line. */
  get open(): Open {
    return this.#open ?? this.#reopen();
  }

  /** Adds hits to a line, which becomes relevant. */
  addLine(line: number, hits: number): void {
    const { lines } = this.#open ?? this.#reopen();
    const before = lines.at(line - 1);
    lines.set(line - 1, before > 1 ? addHits(before - 1, hits) + 1 : hits + 1);
  }

  /** Takes the larger of the hits stated so far and these. */
  raiseLine(line: number, hits: number): void {
    const { lines } = this.#open ?? this.#reopen();
    if (hits >= lines.at(line - 1)) lines.set(line - 1, hits + 1);
  }

  /** Adds one branch; the same key (line, block, branch) may come again. */
  addBranch(line: number, block: number, branch: number, hits: number): void {
    const { branches } = this.#open ?? this.#reopen();
    branches.add(line, block, branch, hits);
  }

  /** Rule 6: the union of relevant lines, hits summed, branches joined by key. */
  merge(other: FileHits): void {
    const addLine = (line: number, hits: number): void => this.addLine(line, hits);
    if (other.#packed === undefined) other.eachLine(addLine);
    else addLines(other.#packed, this.open.lines, addLine);
    other.eachBranch((line, block, branch, hits) => this.addBranch(line, block, branch, hits));
  }

  /** The same hits under another name. */
  renamed(name: string): FileHits {
    const copy = new FileHits(name);
    if (this.#open === undefined) copy.#packed = this.#packed;
    else copy.merge(this);
    return copy;
  }

  /** Gives up what it takes to write to it: a large report holds many thousands of files at once. */
  pack(writer: PackedWriter): void {
    if (this.#open === undefined) return;
    const { place } = writer;
    packLines(this.#open.lines, writer);
    packBranches(this.#open.branches, writer);
    this.#packed = place;
    if (this.openBytes < LARGEST_SPARE) this.#spare?.push(cleared(this.#open));
    this.#open = undefined;
  }

  /** The relevant lines in their order. */
  eachLine(visit: VisitLine): void {
    if (this.#packed !== undefined) readLines(this.#packed, visit);
    if (this.#open === undefined) return;
    const { lines } = this.#open;
    for (let index = 0; index < lines.length; index += 1) {
      const value = lines.at(index);
      if (value > 0) visit(index + 1, value - 1);
    }
  }

  /** The branches in the order of their keys, each key once, its hits summed. */
  eachBranch(visit: VisitBranch): void {
    if (this.#packed !== undefined) readBranches(this.#packed, visit);
    this.#open?.branches.each(visit);
  }

  /** How many lines are relevant, and how many of them were hit. */
  countLines(): Counts {
    let [covered, all] = [0, 0];
    this.eachLine((_, hits) => {
      all += 1;
      if (hits > 0) covered += 1;
    });
    return { covered, all };
  }

  /** How many branches there are, and how many of them were hit. */
  countBranches(): Counts {
    let [covered, all] = [0, 0];
    this.eachBranch((_line, _block, _branch, hits) => {
      all += 1;
      if (hits > 0) covered += 1;
    });
    return { covered, all };
  }

  /** One entry per line up to the last relevant one; null if a line is not relevant. */
  coverage(): (number | null)[] {
    const coverage: (number | null)[] = new Array(this.lastLine).fill(null);
    this.eachLine((line, hits) => {
      coverage[line - 1] = hits;
    });
    return coverage;
  }

  /** Flat groups of four: line, block, branch, hits. */
  branches(): number[] {
    const groups: number[] = [];
    this.eachBranch((line, block, branch, hits) => groups.push(line, block, branch, hits));
    return groups;
  }

  #reopen(): Open {
    const open = this.#spare?.pop() ?? { lines: new NumberColumn(), branches: new BranchColumn() };
    const packed = this.#packed;
    this.#packed = undefined;
    if (packed !== undefined) {
      open.lines.reserve(readLength(packed));
      addLines(packed, open.lines, (line, hits) => open.lines.set(line - 1, hits + 1));
      readBranches(packed, (line, block, branch, hits) => open.branches.add(line, block, branch, hits));
      open.branches.joined();
    }
    this.#open = open;
    return open;
  }
}

function cleared(open: Open): Open {
  open.lines.clear();
  open.branches.clear();
  return open;
}
