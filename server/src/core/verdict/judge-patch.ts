import { totalPercent } from '../coverage/percent.ts';
import type { CoverageTotals } from '../coverage/totals.ts';
import type { PatchMinimum } from '../repo/setting.ts';
import { findRemedy } from './cover-to-pass.ts';
import { isComparable, type JudgedBase, judgeThreshold } from './findings.ts';
import type { FlagVerdict } from './verdict.ts';

/** The coverage of changed lines, as a status of its own judges it. */
export interface JudgedPatch {
  readonly totals: CoverageTotals;
  /** False: not every changed line is known. */
  readonly complete: boolean;
  /** Null, or `base` if there is none: the number is shown, and never fails. */
  readonly minimum: PatchMinimum;
  /** With `base`: how many points below its total the changed lines may be; absent: none. */
  readonly allowedDrop?: number | undefined;
  readonly base?: JudgedBase | undefined;
  /** Changed lines that no report may be believed about: they alone fail nothing. */
  readonly notMeasured?: number | undefined;
}

/**
 * The verdict on the changed lines of a build. It is one of its own: the build's does not depend on it. Nothing
 * relevant changed (rule 4): success. Changed lines that are not known have no share.
 */
export function judgePatch(judged: JudgedPatch): FlagVerdict {
  const { totals, complete, minimum, allowedDrop = 0, base, notMeasured } = judged;
  const percent = totalPercent(totals);
  const reason = { kind: 'patch', totals, complete, ...(notMeasured && { notMeasured }) } as const;
  if (percent === undefined) return { state: 'success', rule: 'nothing-relevant', reason };
  const compared = minimum === 'base' && isComparable(base) ? base : undefined;
  const stated = minimum === 'base' ? null : minimum;
  const found =
    stated === null
      ? compared && {
          base:
            allowedDrop === 0
              ? judgeThreshold(percent, { kind: 'decrease', base: compared })
              : judgeThreshold(percent, { kind: 'drop', allowed: allowedDrop, base: compared }),
        }
      : { minimum: judgeThreshold(percent, { kind: 'minimum', minimum: stated }) };
  if (found === undefined) return { state: 'success', rule: 'patch-change', reason };
  const thresholds = { minimum: stated, allowedDrop: compared && allowedDrop > 0 ? allowedDrop : null };
  const remedy = findRemedy({ totals, base: compared, thresholds, unreported: [] }, totals);
  const { passes } = found.minimum ?? found.base;
  return { state: passes ? 'success' : 'failure', rule: 'patch-minimum', reason: { ...reason, ...found, remedy } };
}
