import { showPercent, totalPercent } from '../coverage/percent.ts';
import type { CoverageTotals } from '../coverage/totals.ts';
import { findRemedy } from './cover-to-pass.ts';
import { describeRemedy } from './explain-change.ts';
import { judgeMinimum } from './judge-build.ts';
import { type FlagVerdict, toSentence } from './verdict.ts';

/** The coverage of changed lines, as a status of its own judges it. */
export interface JudgedPatch {
  readonly totals: CoverageTotals;
  /** False: not every changed line is known. */
  readonly complete: boolean;
  /** Percent from 0 to 100; null: the number is shown, and never fails. */
  readonly minimum: number | null;
}

/**
 * The verdict on the changed lines of a build. It is one of its own: the build's does not depend on it. Nothing
 * relevant changed (rule 4): success. Lines that the provider did not tell have no share.
 */
export function judgePatch(patch: JudgedPatch): FlagVerdict {
  const { totals, complete, minimum } = patch;
  const percent = totalPercent(totals);
  if (percent === undefined) {
    const summary = complete ? 'no relevant line changed' : 'no changed line is known to be relevant';
    return { state: 'success', rule: 'nothing-relevant', explanation: toSentence(summary), summary };
  }
  const shown = `${showPercent(percent)} of the ${describe(totals)}`;
  if (minimum === null)
    return { state: 'success', rule: 'patch-change', explanation: toSentence(shown), summary: shown };
  const { passes, clause } = judgeMinimum(percent, minimum);
  const summary = `${shown}, ${clause}`;
  const state = passes ? 'success' : 'failure';
  return { state, rule: 'patch-minimum', explanation: toSentence(summary) + remedy(patch, minimum), summary };
}

function describe({ coveredLines, relevantLines, coveredBranches, branches }: CoverageTotals): string {
  const lines = `${coveredLines} of ${relevantLines}`;
  if (branches === 0) return `changed lines covered (${lines})`;
  return `changed lines and branches covered (${lines} and ${coveredBranches} of ${branches})`;
}

/** What would make it pass, as a sentence; empty where it does. */
function remedy({ totals }: JudgedPatch, minimum: number): string {
  const found = findRemedy(
    { totals, base: undefined, thresholds: { minimum, allowedDrop: null }, unavailable: [] },
    totals,
  );
  return found === undefined ? '' : ` ${toSentence(describeRemedy(found))}`;
}
