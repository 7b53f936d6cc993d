import type { GroupAsked } from '../core/builds/compose-groups.ts';
import type { Column } from '../core/coverage/column.ts';
import type { BranchColumns } from '../core/coverage/file-coverage.ts';
import type { TreeRow, TreeSort } from '../core/coverage/file-tree.ts';
import type { CoverageTotals } from '../core/coverage/totals.ts';
import type { UncoveredPlace } from '../core/coverage/uncovered-places.ts';
import type { Timestamp } from '../core/time.ts';
import type { ReportBytes } from './report-bytes.ts';

/** Reading stored reports and sources, off the main thread: either may be as large as a job. */
export interface ReportReader {
  /** The files from the `offset`th on, in order of name, at most `limit`; their chunks stay closed. */
  listFiles(asked: {
    readonly report: ReportBytes;
    readonly offset: number;
    readonly limit: number;
  }): Promise<FilePage>;
  /** Hashes (domain hashDigests) of the digests of all stored texts that the report names. */
  listTexts(asked: { readonly report: ReportBytes }): Promise<Uint32Array>;
  /** The files of one folder as rows of a tree, or in another order, with their counts in the base's report. */
  browse(asked: {
    readonly report: ReportBytes;
    readonly base: ReportBytes | undefined;
    /** What files that were renamed since the base are called there. */
    readonly renames?: readonly Rename[];
    /** Only files that one of these reports has; undefined: any. */
    readonly within?: readonly ReportBytes[] | undefined;
    readonly choice: TreeChoice;
    readonly offset: number;
    readonly limit: number;
  }): Promise<TreePage>;
  /** What one file counts; undefined: the report has no such file. Its chunk stays closed. */
  readTotals(asked: { readonly report: ReportBytes; readonly name: string }): Promise<CoverageTotals | undefined>;
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
  /** The next part of a report that is written in a format of others, of a few megabytes at most. */
  writePart(asked: {
    readonly report: ReportBytes;
    readonly format: WrittenFormat;
    /** When its build was closed. */
    readonly closedAt: Timestamp;
    /** Undefined: from its beginning on. */
    readonly from: WritingPlace | undefined;
  }): Promise<WrittenPart>;
  /** Lines of a stored source text from the `offset`th on, at most `limit`, cut where they are very long. */
  readLines(asked: { readonly source: Uint8Array; readonly offset: number; readonly limit: number }): Promise<LinePage>;
}

export type WrittenFormat = 'lcov' | 'cobertura';

/** Where writing continues, by the order of the format: a file, and one of its rows. */
export interface WritingPlace {
  readonly file: number;
  readonly row: number;
}

export interface WrittenPart {
  /** UTF-8. */
  readonly text: Uint8Array;
  /** Undefined: it was the last. */
  readonly next: WritingPlace | undefined;
}

/** Uncovered places that are listed of one page. */
export const MAX_PLACES = 200;

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

export type Rename = readonly [name: string, before: string];

/** Which files of a tree are shown. */
export interface TreeChoice {
  /** Ends with `/`; empty: all. */
  readonly folder: string;
  /** What names contain, without regard to case; empty: anything. */
  readonly query: string;
  /** If no name contains it, names that have its characters in this order. */
  readonly fuzzy?: boolean;
  /** `missed`: with anything missed; `lost`, `gained`: with more, or less, missed than in the base. */
  readonly show: 'all' | 'missed' | 'lost' | 'gained';
  /** Names of the only files that are shown; undefined: any. */
  readonly among: readonly string[] | undefined;
  /** Only files of the group `name`: the first of `asked` that makes a group of that name; undefined: any file. */
  readonly group?:
    | { readonly name: string; readonly asked: readonly GroupAsked[]; readonly owners: string | undefined }
    | undefined;
  /** Names of files that are left out. */
  readonly except?: readonly string[];
  readonly sort: TreeSort;
}

export interface TreePage {
  /** How many rows there are. */
  readonly total: number;
  readonly rows: readonly TreeRow[];
  /** How many files fit the choice, and their sums. */
  readonly files: number;
  readonly sums: Pick<TreeRow, 'totals' | 'base'>;
}

/** A file with some of its lines. */
export interface FilePart extends FileSummary {
  /** Where its text is stored, if an upload brought it. */
  readonly source: string | undefined;
  /** For the lines that were asked for. */
  readonly hits: Column;
  /** For the same lines. */
  readonly branches: BranchColumns;
  /** That begin in the same lines, at most MAX_PLACES. */
  readonly places: readonly UncoveredPlace[];
  /** How many there are in the whole file, and the lines where the last one before and the next one begin. */
  readonly placeCount: number;
  readonly placeBefore: number | undefined;
  readonly placeAfter: number | undefined;
}

export interface LinePage {
  /** How many lines the text has. */
  readonly total: number;
  readonly lines: readonly string[];
}
