import type { Column } from '../../core/coverage/column.ts';
import type { PackedBranches, PackedHits } from '../codec/packed-file.ts';

/** A column as it came, index 0 is line 1 and -1 not relevant (rule 1); or packed, where it was an usual one. */
export type ParsedHits = Column | PackedHits;

/** Flat groups of four: line, block, branch, hits, in the order of the upload; or packed, where they came in order. */
export type ParsedBranches = ArrayLike<number> | PackedBranches;

/** A source file whose numbers are checked, and whose strings are not. */
export interface ParsedFile {
  /** Normalized (rule 6), never empty. */
  readonly name: string;
  readonly hits: ParsedHits;
  /** Whether `coverage` was there, and not null. */
  readonly hasCoverage: boolean;
  readonly branches: ParsedBranches;
  readonly digest: unknown;
  readonly source: unknown;
  /** Unknown keys that stand where a known one was meant. */
  readonly misspelt: readonly string[];
}

/** Where a hit count below 0 stood first, and how many there were. */
export interface Negatives {
  count: number;
  first: { readonly file: number; readonly index: number } | undefined;
}

/** What both ways of reading a job answer: the fast scanner over bytes, and JSON.parse with checks. */
export interface ParsedJob {
  /** Known top-level keys except for source_files, as they came. */
  readonly envelope: Readonly<Record<string, unknown>>;
  /** Whether there is a key source_files: without one `json` may hold the job as a string (wire.md, E7). */
  readonly hasSourceFiles: boolean;
  readonly files: readonly ParsedFile[];
  readonly negativeLines: Negatives;
  readonly negativeBranches: Negatives;
}

export function noNegatives(): Negatives {
  return { count: 0, first: undefined };
}

/** Counts one negative; `index` is its place in the array, `file` the file's in source_files. */
export function addNegative(negatives: Negatives, file: number, index: number): void {
  negatives.count += 1;
  negatives.first ??= { file, index };
}
