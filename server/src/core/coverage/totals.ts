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
export function fileTotals({ hits, branches }: Pick<FileCoverage, 'hits' | 'branches'>): CoverageTotals {
  const lines = countHits(hits);
  const { covered: coveredBranches } = countHits(branches.hits);
  return {
    coveredLines: lines.covered,
    relevantLines: lines.relevant,
    coveredBranches,
    branches: branches.hits.length,
  };
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

/** `b` is a part of `a`. */
export function subtractTotals(a: CoverageTotals, b: CoverageTotals): CoverageTotals {
  return {
    coveredLines: a.coveredLines - b.coveredLines,
    relevantLines: a.relevantLines - b.relevantLines,
    coveredBranches: a.coveredBranches - b.coveredBranches,
    branches: a.branches - b.branches,
  };
}

export function equalTotals(a: CoverageTotals, b: CoverageTotals): boolean {
  return (
    a.coveredLines === b.coveredLines &&
    a.relevantLines === b.relevantLines &&
    a.coveredBranches === b.coveredBranches &&
    a.branches === b.branches
  );
}

/** Relevant lines without hits. */
export function missedLines({ coveredLines, relevantLines }: CoverageTotals): number {
  return relevantLines - coveredLines;
}

/** Branches without hits. */
export function missedBranches({ coveredBranches, branches }: CoverageTotals): number {
  return branches - coveredBranches;
}

/** How many are above 0, and how many are 0 or more. */
function countHits(hits: Column): { readonly covered: number; readonly relevant: number } {
  if (hits instanceof Int32Array) return countSigns(hits);
  let covered = 0;
  let relevant = 0;
  for (const value of hits) {
    if (value > 0) covered += 1;
    if (value >= 0) relevant += 1;
  }
  return { covered, relevant };
}

/** By the sign bits: which lines are covered is too irregular to branch on. */
function countSigns(hits: Int32Array): { readonly covered: number; readonly relevant: number } {
  let covered = 0;
  let relevant = hits.length;
  for (let index = 0; index < hits.length; index += 1) {
    const value = hits[index] as number;
    covered = (covered + (-value >>> 31)) | 0;
    relevant = (relevant + (value >> 31)) | 0;
  }
  return { covered, relevant };
}
