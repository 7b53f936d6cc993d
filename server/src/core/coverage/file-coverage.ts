import type { Column } from './column.ts';

/** Lines of one file: more have no stored form, and no text that a person reads has more. */
export const MAX_FILE_LINES = 2 ** 24;

/** The branches of one file as parallel columns, sorted by (line, block, branch), each key once (rule 6). */
export interface BranchColumns {
  /** 1-based line numbers. */
  readonly line: Column;
  readonly block: Column;
  readonly branch: Column;
  /** 0 or more; covered when above 0 (rule 1). */
  readonly hits: Column;
}

/** The coverage of one source file. */
export interface FileCoverage {
  /** Normalized path (rule 6, file-name.ts). */
  readonly name: string;
  /** The client's `source_digest`: opaque, lower-cased, at most 128 characters. */
  readonly digest: string | undefined;
  /** Hex SHA-256 of the stored source text, where the client sent one. */
  readonly source: string | undefined;
  /** Index 0 is line 1; -1 not relevant, 0 missed, above 0 the number of hits. */
  readonly hits: Column;
  readonly branches: BranchColumns;
}

/** The source files of a job or build with their hits: sorted by name (UTF-16 code units), each name once (rule 7). */
export interface Report {
  readonly files: readonly FileCoverage[];
}

/** No branches. Shared by all files that have none. */
export const NO_BRANCHES: BranchColumns = {
  line: new Int32Array(0),
  block: new Int32Array(0),
  branch: new Int32Array(0),
  hits: new Int32Array(0),
};
