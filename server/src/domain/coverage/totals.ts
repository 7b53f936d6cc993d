import type { Column } from './column.ts';
import type { FileCoverage, Report } from './file-coverage.ts';

/** Exact counts, from which every percentage is made (rule 3). Integers of 0 or more. */
export interface CoverageTotals {
  readonly coveredLines: number;
  readonly relevantLines: number;
  readonly coveredBranches: number;
  readonly branches: number;
}

export const NO_TOTALS: CoverageTotals = { coveredLines: 0, relevantLines: 0, coveredBranches: 0, branches: 0 };

/** Counts of one file (rule 1). */
export function fileTotals(file: Pick<FileCoverage, 'hits' | 'branches'>): CoverageTotals {
  const relevantLines = countFrom(file.hits, 0);
  const coveredLines = countFrom(file.hits, 1);
  return { coveredLines, relevantLines, coveredBranches: countFrom(file.branches.hits, 1), branches: file.branches.hits.length };
}

/** Counts of all files of a report. */
export function reportTotals(report: Report): CoverageTotals {
  return report.files.reduce((sum, file) => addTotals(sum, fileTotals(file)), NO_TOTALS);
}

export function addTotals(a: CoverageTotals, b: CoverageTotals): CoverageTotals {
  return {
    coveredLines: a.coveredLines + b.coveredLines,
    relevantLines: a.relevantLines + b.relevantLines,
    coveredBranches: a.coveredBranches + b.coveredBranches,
    branches: a.branches + b.branches,
  };
}

function countFrom(column: Column, least: number): number {
  let count = 0;
  for (let index = 0; index < column.length; index += 1) {
    if ((column[index] as number) >= least) count += 1;
  }
  return count;
}
