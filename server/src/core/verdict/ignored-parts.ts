import { compareRatios, totalPercent } from '../coverage/percent.ts';
import { addTotals, type CoverageTotals, NO_TOTALS } from '../coverage/totals.ts';
import { DECIDING_BUILDS } from '../flipping/flip-record.ts';
import { exchange, splitRemoved } from './attribute-change.ts';
import { type JudgedBuild, judgeBuild } from './judge-build.ts';
import type { IgnorablePart } from './reason.ts';
import { type ChangeSums, type FlippedMovement, type Movement, NO_MOVEMENT } from './split-change.ts';

/** Opt-in settings of a repo: what alone must not fail a build. */
export interface IgnoredParts {
  readonly ignoreRemovedCode: boolean;
  readonly ignoreUntouchedFiles: boolean;
  readonly ignoreUnstableLines: boolean;
}

/** A verdict with the split of the change that it judged: the split's counts are those of the build and of its base. */
export interface SplitVerdict {
  readonly judged: JudgedBuild;
  readonly split: ChangeSums;
}

/**
 * What a failing verdict is to be forgiven for: the fewest ignored parts without which it passes. Undefined if it does
 * not fail by a threshold, the minimum among them, or fails without them too.
 */
export function forgivenParts(verdict: SplitVerdict, settings: IgnoredParts): readonly IgnorablePart[] | undefined {
  if (!failsWith(verdict)) return undefined;
  return choicesOf(verdict, settings).find((parts) => passesWithout(verdict, parts));
}

/** Whether what flipped is left out of account. More flips at once than chance makes never are. */
export function isIgnoredChance(
  { recorded, isUsual }: FlippedMovement,
  { ignoreUnstableLines }: Pick<IgnoredParts, 'ignoreUnstableLines'>,
): boolean {
  return ignoreUnstableLines && recorded >= DECIDING_BUILDS && isUsual;
}

/** The build's counts without what lines that flip gained, if the repo asks for that; undefined if they gained none. */
export function withoutLuck(
  { judged: { totals }, split }: SplitVerdict,
  settings: Pick<IgnoredParts, 'ignoreUnstableLines'>,
): CoverageTotals | undefined {
  if (split.unstable === undefined || !isIgnoredChance(split.unstable, settings)) return undefined;
  const steady = restorePart(totals, split, 'unstable');
  const [percent, measured] = [totalPercent(steady), totalPercent(totals)];
  return percent && measured && compareRatios(percent, measured) < 0 ? steady : undefined;
}

/** Every choice of the ignored parts, the smallest first. */
function choicesOf(
  { judged, split: { unstable } }: SplitVerdict,
  settings: IgnoredParts,
): readonly (readonly IgnorablePart[])[] {
  const parts: IgnorablePart[] = [];
  const isLucky = judged.steady !== undefined;
  if (unstable !== undefined && !isLucky && isIgnoredChance(unstable, settings)) parts.push('unstable');
  if (settings.ignoreRemovedCode) parts.push('removed');
  if (settings.ignoreUntouchedFiles) parts.push('untouched');
  const every = Array.from({ length: 2 ** parts.length - 1 }, (_, at) =>
    parts.filter((_part, bit) => ((at + 1) & (1 << bit)) !== 0),
  );
  return every.sort((a, b) => a.length - b.length);
}

/** Whether it fails by a threshold. */
function failsWith({ judged }: SplitVerdict): boolean {
  return totalPercent(judged.totals) !== undefined && judgeBuild(judged).state === 'failure';
}

function passesWithout({ judged, split }: SplitVerdict, parts: readonly IgnorablePart[]): boolean {
  const restore = (counts: CoverageTotals) => parts.reduce((left, part) => restorePart(left, split, part), counts);
  const { totals, steady } = judged;
  return judgeBuild({ ...judged, totals: restore(totals), steady: steady && restore(steady) }).state === 'success';
}

/** The build's counts with one part as it was in the base. */
function restorePart(counts: CoverageTotals, split: ChangeSums, part: IgnorablePart): CoverageTotals {
  const { before, after } = countsOf(split, part);
  return exchange(counts, after, before);
}

function countsOf(split: ChangeSums, part: IgnorablePart): Pick<Movement, 'before' | 'after'> {
  switch (part) {
    case 'untouched':
      return split.untouched;
    case 'unstable':
      return split.unstable ?? NO_MOVEMENT;
    case 'removed':
      return { before: splitRemoved(allOf(split)).unreplaced, after: NO_TOTALS };
  }
}

/** No matter who removed it: others did before the change begins. */
function allOf({ removed, changed, before }: ChangeSums): Pick<ChangeSums, 'removed' | 'changed'> {
  if (before === undefined) return { removed, changed };
  return { removed: addTotals(removed, before.removed), changed: addTotals(changed, before.added) };
}
