import type { FileCoverage, Report } from '../coverage/file-coverage.ts';
import {
  EVERY_LINE,
  intersectRanges,
  type LineRange,
  missedRanges,
  partlyCoveredLines,
  rangeTotals,
  subtractRanges,
} from '../coverage/line-ranges.ts';
import { compareNames } from '../coverage/merge.ts';
import { addTotals, type CoverageTotals, NO_TOTALS } from '../coverage/totals.ts';
import { type FileDiff, indexDiffs } from './file-diff.ts';
import { addedLines } from './line-map.ts';

/** The coverage of the lines that a change added or rewrote in one file. */
export interface FilePatchCoverage {
  /** As in the report. */
  readonly name: string;
  /** Undefined if the file's hunks are not known: it has no share in the sum. */
  readonly totals: CoverageTotals | undefined;
  /** Missed lines among the changed ones; lines between them that are not relevant do not break a range. */
  readonly uncovered: readonly LineRange[];
  /** Changed lines that are not missed themselves and have a missed branch. Absent if there are none. */
  readonly partlyCovered?: readonly number[];
  /** Changed lines that are left out of the sums: no report may be believed about them. Absent if there are none. */
  readonly unmeasuredLines?: number;
}

/** The coverage of a change (patch coverage). */
export interface PatchCoverage {
  /** The sum over the files; `totalPercent` is the percentage, undefined if nothing relevant changed. */
  readonly totals: CoverageTotals;
  /** Files that are in the diff and in the report, sorted by name. */
  readonly files: readonly FilePatchCoverage[];
  /** Files that the diff adds or changes and that the report does not name, sorted: not measured, or not source. */
  readonly unmeasured: readonly string[];
}

/**
 * Patch coverage: the build's total (rule 2 and rule 3) restricted to the lines that the diff adds, their branches
 * included; a rewritten line is an added one. The diff leads to the build's commit, of a pull request from the merge
 * base. `leftOut`: by file, lines that have no share.
 */
export function patchCoverage(
  report: Report,
  diffs: readonly FileDiff[],
  leftOut: ReadonlyMap<string, readonly LineRange[]> = new Map(),
): PatchCoverage {
  const { byName } = indexDiffs(diffs);
  const files = report.files.flatMap((file) => {
    const diff = byName.get(file.name);
    return diff === undefined || diff.kind === 'removed'
      ? []
      : [filePatchCoverage(file, diff, leftOut.get(file.name) ?? [])];
  });
  const measured = new Set(report.files.map((file) => file.name));
  const unmeasured = [...byName]
    .filter(([name, diff]) => diff.kind !== 'removed' && !measured.has(name))
    .map(([name]) => name);
  return {
    totals: files.reduce((sum, file) => addTotals(sum, file.totals ?? NO_TOTALS), NO_TOTALS),
    files,
    unmeasured: unmeasured.sort(compareNames),
  };
}

function filePatchCoverage(file: FileCoverage, diff: FileDiff, leftOut: readonly LineRange[]): FilePatchCoverage {
  const { name, hits } = file;
  const added = addedLines(diff);
  if (added === undefined) return { name, totals: undefined, uncovered: [] };
  const counted = subtractRanges(added, leftOut);
  const partlyCovered = partlyCoveredLines(file, counted);
  const unmeasuredLines = countLines(intersectRanges(added, leftOut), hits.length);
  return {
    name,
    totals: rangeTotals(file, counted),
    uncovered: missedRanges(hits, counted),
    ...(partlyCovered.length > 0 && { partlyCovered }),
    ...(unmeasuredLines > 0 && { unmeasuredLines }),
  };
}

/** For a file whose every line is new, as many as its report knows. */
function countLines(ranges: readonly LineRange[], length: number): number {
  return ranges.reduce((sum, [first, last]) => {
    const end = last === EVERY_LINE[1] ? length : last;
    return sum + Math.max(0, end - Math.max(first, 1) + 1);
  }, 0);
}
