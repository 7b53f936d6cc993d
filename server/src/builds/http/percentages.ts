import type { CountsJson } from '@coverage/shared';
import { type Imported, percentOfBuild } from '../../core/builds/imported.ts';
import { type Ratio, ratioToNumber, totalPercent } from '../../core/coverage/percent.ts';
import { type CoverageTotals, missedBranches, missedLines } from '../../core/coverage/totals.ts';
import type { Answer } from '../../platform/http/openapi/answer.ts';

/** A total for JSON: unrounded, null if nothing is relevant or known. */
export function percentJson(totals: CoverageTotals | undefined): number | null {
  const percent = totals && totalPercent(totals);
  return percent === undefined ? null : ratioToNumber(percent);
}

/** The same of a build: of an imported one without counts, what was shown there. */
export function buildPercentJson(
  totals: CoverageTotals | undefined,
  imported: Pick<Imported, 'shown'> | undefined,
): number | null {
  return ratioJson(percentOfBuild(totals, imported));
}

/** Where an imported build comes from; nothing of another. */
export function importedJson(imported: Imported | undefined): { readonly imported?: Answer<'imported'> } {
  if (imported === undefined) return {};
  const { from, at, detail, shown, partialLines } = imported;
  return {
    imported: {
      from,
      at: new Date(at).toISOString(),
      detail,
      shown_percent: shown ?? null,
      partial_lines: partialLines ?? null,
    },
  };
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
