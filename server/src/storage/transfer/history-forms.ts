import { z } from 'zod';
import type { ImportedDetail, PastCommit } from '../../core/builds/imported.ts';
import type { CoverageTotals } from '../../core/coverage/totals.ts';
import { count, type FormsOf, form, id, list, percent, text, time, totals } from './plain-forms.ts';

/**
 * A line of `builds.jsonl` of a history, newest first. It says what the other service knew; what this server makes of
 * it is worked out here.
 */
export interface HistoryBuild extends PastCommit {
  /** A file `reports/job-<id>.jsonl.gz` each. Without one, `totals` count. */
  readonly reports: readonly { readonly id: number; readonly flag?: string | undefined }[];
}

/** How much is known of it. */
export function detailOf({ reports, totals: counts }: Pick<HistoryBuild, 'reports' | 'totals'>): ImportedDetail {
  if (reports.length > 0) return 'lines';
  return counts === undefined ? 'percentage' : 'counts';
}

/** As git writes one, in lower case. */
const commit = z.string().regex(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/);
const MAX_REPORTS = 1_000;

const historyForm = form({
  commit,
  branch: text.min(1),
  at: time,
  message: text.optional(),
  author: text.optional(),
  shown: percent.optional(),
  totals: totals.optional(),
  partialLines: count.optional(),
  reports: list(form({ id, flag: text.min(1).optional() })).max(MAX_REPORTS),
} satisfies FormsOf<HistoryBuild>)
  .refine(
    ({ shown, totals: counts, reports }) => [shown, counts].some((one) => one !== undefined) || reports.length > 0,
  )
  .refine(({ totals: counts }) => counts === undefined || isPossible(counts));

function isPossible({ coveredLines, relevantLines, coveredBranches, branches }: CoverageTotals): boolean {
  return coveredLines <= relevantLines && coveredBranches <= branches;
}

/** Reads a line, already parsed; throws for one that no history has. */
export const readHistory = (line: unknown): HistoryBuild => historyForm.parse(line);
