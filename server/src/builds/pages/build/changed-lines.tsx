import type { VNode } from 'preact';
import type { PatchResult } from '../../../core/builds/build-facts.ts';
import { branchPercent, linePercent, totalPercent } from '../../../core/coverage/percent.ts';
import type { CoverageTotals } from '../../../core/coverage/totals.ts';
import { rate } from '../../../platform/web/page-parts.tsx';
import { describeNotMeasured } from '../../../wording/change-words.ts';
import { noChangedCode } from '../../../wording/comment-verdict.ts';
import { toSentence } from '../../../wording/phrases.ts';
import { noneMeasured, ofTheChange } from '../../../wording/reason-words.ts';

/** `Lines 5 of 8 (62.50%), branches 1 of 2 (50.00%)` */
export function rates(totals: CoverageTotals): string {
  const { coveredLines, relevantLines, coveredBranches, branches } = totals;
  const lines = `Lines ${rate(coveredLines, relevantLines, linePercent(totals))}`;
  return branches === 0 ? lines : `${lines}, branches ${rate(coveredBranches, branches, branchPercent(totals))}`;
}

/** How many of the lines that the change added or rewrote are covered, and where it is known from. */
export function ChangedLines({ patch }: { readonly patch: PatchResult }): VNode {
  const source = patch.source === 'upload' ? 'upload' : 'provider';
  const notMeasured = describeNotMeasured(patch);
  const percent = totalPercent(patch.totals);
  return (
    <p>
      {percent === undefined ? noneRelevant(patch) : `${ofTheChange(percent)}: ${lowered(rates(patch.totals))}. `}
      {percent !== undefined && notMeasured !== undefined && `${notMeasured} `}
      {source === 'upload' && 'Changed lines are as the upload reported them. '}
      {!patch.complete && `The ${source} did not report every changed file or line.`}
    </p>
  );
}

function noneRelevant(patch: PatchResult): string {
  const { notMeasured } = patch;
  return notMeasured === undefined ? `${noChangedCode(patch)} ` : `${toSentence(noneMeasured(notMeasured.lines))} `;
}

function lowered(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
