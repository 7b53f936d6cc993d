import { totalPercent } from '../coverage/percent.ts';
import type { CoverageTotals } from '../coverage/totals.ts';
import { findRemedy } from './cover-to-pass.ts';
import { judgeMinimum } from './judge-build.ts';
import type { FlagVerdict } from './verdict.ts';

/** The coverage of changed lines, as a status of its own judges it. */
export interface JudgedPatch {
  readonly totals: CoverageTotals;
  /** False: not every changed line is known. */
  readonly complete: boolean;
  /** Percent from 0 to 100; null: the number is shown, and never fails. */
  readonly minimum: number | null;
  /** Changed lines that no report may be believed about: they alone fail nothing. */
  readonly notMeasured?: number | undefined;
}

/**
 * The verdict on the changed lines of a build. It is one of its own: the build's does not depend on it. Nothing
 * relevant changed (rule 4): success. Changed lines that are not known have no share.
 */
export function judgePatch({ totals, complete, minimum, notMeasured }: JudgedPatch): FlagVerdict {
  const percent = totalPercent(totals);
  const reason = { kind: 'patch', totals, complete, ...(notMeasured && { notMeasured }) } as const;
  if (percent === undefined) return { state: 'success', rule: 'nothing-relevant', reason };
  if (minimum === null) return { state: 'success', rule: 'patch-change', reason };
  const finding = judgeMinimum(percent, minimum);
  const thresholds = { minimum, allowedDrop: null };
  const remedy = findRemedy({ totals, base: undefined, thresholds, unreported: [] }, totals);
  const state = finding.passes ? 'success' : 'failure';
  return { state, rule: 'patch-minimum', reason: { ...reason, minimum: finding, remedy } };
}
