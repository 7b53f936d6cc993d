import type { Column } from '../domain/coverage/column.ts';
import type { BranchColumns } from '../domain/coverage/file-coverage.ts';
import type { CoverageTotals } from '../domain/coverage/totals.ts';
import type { ReportBytes } from './report-bytes.ts';

/** Reading stored reports and sources, off the main thread: either may be as large as a job. */
export interface ReportReader {
  /** The files from the `offset`th on, in order of name, at most `limit`; their chunks stay closed. */
  listFiles(asked: {
    readonly report: ReportBytes;
    readonly offset: number;
    readonly limit: number;
  }): Promise<FilePage>;
  /** One file with its hits from the `offset`th line on, at most `limit`; undefined: the report has no such file. */
  readFile(asked: {
    readonly report: ReportBytes;
    readonly name: string;
    readonly offset: number;
    readonly limit: number;
  }): Promise<FilePart | undefined>;
  /** The same of several files of one report, in the order asked for. */
  readFiles(asked: {
    readonly report: ReportBytes;
    readonly files: readonly { readonly name: string; readonly offset: number; readonly limit: number }[];
  }): Promise<readonly (FilePart | undefined)[]>;
  /** Lines of a stored source text from the `offset`th on, at most `limit`, cut where they are very long. */
  readLines(asked: { readonly source: Uint8Array; readonly offset: number; readonly limit: number }): Promise<LinePage>;
}

/** UTF-16 code units of a line of source that is read: a minified file may be one line of many megabytes. */
export const MAX_SHOWN_LINE = 2_000;

/** Once the lines of a page have as many, the others are cut to SHORT_LINE: most pages have a tenth of it. */
export const MAX_SHOWN_TEXT = 400_000;
export const SHORT_LINE = 200;

export interface FilePage {
  /** How many files the report has. */
  readonly total: number;
  readonly files: readonly FileSummary[];
}

/** A file without its lines. */
export interface FileSummary {
  readonly name: string;
  /** Length of its hits column. */
  readonly lines: number;
  readonly totals: CoverageTotals;
}

/** A file with some of its lines. */
export interface FilePart extends FileSummary {
  /** Where its text is stored, where an upload brought it. */
  readonly source: string | undefined;
  /** Of the lines that were asked for. */
  readonly hits: Column;
  readonly branches: BranchColumns;
}

export interface LinePage {
  /** How many lines the text has. */
  readonly total: number;
  readonly lines: readonly string[];
}
