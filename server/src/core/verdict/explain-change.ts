import { changeOf, compareRatios } from '../coverage/percent.ts';
import { equalTotals } from '../coverage/totals.ts';
import { attributeChange, CHANGE_PARTS, type ChangePart } from './attribute-change.ts';
import { findRemedy } from './cover-to-pass.ts';
import type { JudgedBuild } from './judge-build.ts';
import { MAX_NAMED } from './reason.ts';
import type { ChangeSums } from './split-change.ts';
import type { ExplainedChange, VerdictState } from './verdict.ts';

/**
 * A split of other counts (its base was closed again in the meantime) is left out of account, and so is an unknown one.
 * Undefined if the total did not fall, and nothing is to be covered.
 */
export function explainChange(
  judged: JudgedBuild,
  known: ChangeSums | undefined,
  state: VerdictState,
): ExplainedChange | undefined {
  const split = known !== undefined && isSplitOf(judged, known) ? known : undefined;
  const { totals, base, steady } = judged;
  const hasFallen = [totals, ...(state === 'failure' && steady ? [steady] : [])].some(
    (counts) => (changeOf(counts, base?.totals)?.numerator ?? 0n) < 0n,
  );
  const mainPart = hasFallen && split ? findMainPart(split) : undefined;
  const { patch } = judged;
  const remedy = state === 'failure' ? findRemedy(judged, patch ?? split?.changed) : undefined;
  const missing = hasFallen ? findMissing(judged.missingFlags ?? [], split, mainPart) : undefined;
  if (mainPart === undefined && remedy === undefined && missing === undefined) return undefined;
  const counted = split && patch && !equalTotals(split.changed, patch) ? { changed: patch } : {};
  return { mainPart, split, remedy, ...counted, ...(missing === undefined ? {} : { missing }) };
}

/** Flags that did not report are what took the points, unless the change itself did, or others before it. */
function findMissing(
  missingFlags: readonly string[],
  split: ChangeSums | undefined,
  mainPart: ChangePart | undefined,
): ExplainedChange['missing'] {
  if (missingFlags.length === 0) return undefined;
  if (mainPart === 'changed' || mainPart === 'removed' || mainPart === 'before') return undefined;
  const flags = missingFlags.slice(0, MAX_NAMED);
  return { flags, more: missingFlags.length - flags.length, vanished: split?.vanished };
}

/** Whether the split's counts are those of the build and of its base. */
export function isSplitOf(judged: JudgedBuild, split: ChangeSums): boolean {
  return (
    judged.base !== undefined && equalTotals(judged.totals, split.head) && equalTotals(judged.base.totals, split.base)
  );
}

/** The most negative part of a total that fell. */
function findMainPart(split: ChangeSums): ChangePart | undefined {
  const points = attributeChange(split);
  return points && CHANGE_PARTS.reduce((worst, one) => (compareRatios(points[one], points[worst]) < 0 ? one : worst));
}
