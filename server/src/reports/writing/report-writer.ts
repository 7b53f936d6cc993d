import type { FileCoverage } from '../../core/coverage/file-coverage.ts';
import type { CoverageTotals } from '../../core/coverage/totals.ts';

/** A file of a report as its table has it. */
export interface WrittenFile {
  readonly name: string;
  readonly totals: CoverageTotals;
}

/** Writes one report in a format of others. Each part is asked for by itself, so that no text is held whole. */
export interface ReportWriter<File extends WrittenFile = WrittenFile> {
  /** In the order in which they are written. */
  readonly files: readonly File[];
  /** What stands before all of them, and after. */
  readonly begin: string;
  readonly end: string;
  /** What stands before the rows of the file at this place, and after. */
  open(place: number): string;
  close(place: number): string;
  rows(file: FileCoverage): Rows;
}

/** What one file has of its lines and branches. */
export interface Rows {
  readonly count: number;
  /** `to`: beyond the last. */
  write(from: number, to: number): string;
}

/** `closedAt`: when the build was closed. */
export type OpenWriter = <File extends WrittenFile>(files: readonly File[], closedAt: number) => ReportWriter<File>;
