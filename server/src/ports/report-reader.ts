import type { FileCoverage } from '../domain/coverage/file-coverage.ts';
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
  /** One file with its hits; undefined when the report has no file of that name. */
  readFile(asked: { readonly report: ReportBytes; readonly name: string }): Promise<FileCoverage | undefined>;
  /** Lines of a stored source text from the `offset`th on, at most `limit`, each cut to MAX_SHOWN_LINE characters. */
  readLines(asked: { readonly source: Uint8Array; readonly offset: number; readonly limit: number }): Promise<LinePage>;
}

/** UTF-16 code units of a line of source that is read: a minified file may be one line of many megabytes. */
export const MAX_SHOWN_LINE = 2_000;

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

export interface LinePage {
  /** How many lines the text has. */
  readonly total: number;
  readonly lines: readonly string[];
}
