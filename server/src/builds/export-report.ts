import { addTotals, type CoverageTotals, NO_TOTALS } from '../core/coverage/totals.ts';
import { Failure, quoteValue } from '../core/failure.ts';
import type { Caller } from '../core/repo/caller.ts';
import type { Timestamp } from '../core/time.ts';
import type { ReportBytes } from '../reports/report-bytes.ts';
import type { FilePart, FileSummary, ReportReader } from '../reports/report-reader.ts';
import type { BuildStore } from '../storage/build-store.ts';
import type { FindReadableBuild, FoundBuild } from './find-readable.ts';

/** A build's merged report, whose lines are read while it is written. */
export interface ExportedReport extends FoundBuild {
  /** All, in order of name. */
  readonly files: readonly FileSummary[];
  readonly totals: CoverageTotals;
  readonly closedAt: Timestamp;
  /** Bytes that it takes as it is stored: held until it is written. */
  readonly size: number;
  /** Whole files, in the order asked for; some at a time are read. */
  readonly read: (files: readonly FileSummary[]) => AsyncGenerator<FilePart>;
}

export type ExportReport = (asked: { readonly caller: Caller; readonly reference: string }) => Promise<ExportedReport>;

/** What is read at a time: a stored chunk of files, or fewer where they have as many lines. */
const FILES_AT_ONCE = 64;
const LINES_AT_ONCE = 2 ** 18;

/** Throws the Failures of FindReadableBuild, and `not-found` for a build without a report. */
export function createExportReport(deps: {
  readonly findReadableBuild: FindReadableBuild;
  readonly builds: Pick<BuildStore, 'report'>;
  readonly reader: Pick<ReportReader, 'listFiles' | 'readFiles'>;
}): ExportReport {
  const { findReadableBuild, builds, reader } = deps;
  return async (asked) => {
    const found = await findReadableBuild(asked);
    const { id, number, result } = found.build;
    const report = await builds.report(id);
    if (result === undefined || report === undefined)
      throw new Failure(
        'not-found',
        `Build ${quoteValue(number).slice(1, -1)} has no report: ` +
          `${result === undefined ? 'it has not been closed yet' : 'its jobs could not be merged'}.`,
      );
    const { files } = await reader.listFiles({ report, offset: 0, limit: Number.MAX_SAFE_INTEGER });
    const totals = sumOf(files);
    const read = (chosen: readonly FileSummary[]) => readInTurns(reader, report, chosen);
    return { ...found, files, totals, closedAt: result.closedAt, size: report.length, read };
  };
}

export function sumOf(files: readonly FileSummary[]): CoverageTotals {
  return files.reduce((sum, file) => addTotals(sum, file.totals), NO_TOTALS);
}

async function* readInTurns(
  reader: Pick<ReportReader, 'readFiles'>,
  report: ReportBytes,
  files: readonly FileSummary[],
): AsyncGenerator<FilePart> {
  for (let start = 0; start < files.length; ) {
    const some = [];
    for (let lines = 0; some.length < FILES_AT_ONCE && lines < LINES_AT_ONCE && start < files.length; start += 1) {
      const { name, lines: own } = files[start] as FileSummary;
      some.push({ name, offset: 0, limit: Number.MAX_SAFE_INTEGER });
      lines += own;
    }
    for (const file of await reader.readFiles({ report, files: some })) if (file !== undefined) yield file;
  }
}
