import type { CountsJson } from '@coverage/shared';
import { type Ratio, ratioToNumber, totalPercent } from '../../core/coverage/percent.ts';
import { type CoverageTotals, missedBranches, missedLines } from '../../core/coverage/totals.ts';

/** A total for JSON: unrounded, null where nothing is relevant or known. */
export function percentJson(totals: CoverageTotals | undefined): number | null {
  const percent = totals && totalPercent(totals);
  return percent === undefined ? null : ratioToNumber(percent);
}

export function ratioJson(ratio: Ratio | undefined): number | null {
  return ratio === undefined ? null : ratioToNumber(ratio);
}

/** The six counts of wire.md "Other paths". */
export function countsJson(totals: CoverageTotals): CountsJson {
  return {
    covered_lines: totals.coveredLines,
    missed_lines: missedLines(totals),
    relevant_lines: totals.relevantLines,
    covered_branches: totals.coveredBranches,
    missed_branches: missedBranches(totals),
    relevant_branches: totals.branches,
  };
}
