import { type Ratio, subtractRatios, totalPercent } from '../coverage/percent.ts';
import { addTotals, type CoverageTotals, NO_TOTALS, subtractTotals } from '../coverage/totals.ts';
import type { ChangeSums, Movement } from './split-change.ts';

/** The parts of a change, in the order in which one of two that weigh the same is named. */
export const CHANGE_PARTS = [
  'changed',
  'outside',
  'untouched',
  'unstable',
  'removed',
  'before',
  'unexplained',
] as const;

export type ChangePart = (typeof CHANGE_PARTS)[number];

/** Percentage points of the total that each part moved; exact, and their sum is exactly the change of the total. */
export type ChangePoints = Readonly<Record<ChangePart, Ratio>>;

/**
 * What was taken out without being replaced, and what the changed lines replace. Together they are the removed lines.
 */
export interface RemovedCode {
  readonly unreplaced: CoverageTotals;
  readonly replaced: CoverageTotals;
}

/**
 * To git a rewritten line is a removed and an added one. So as many removed lines (and branches) as there are changed
 * ones are replaced by these, the covered first; only the rest is unreplaced.
 */
export function splitRemoved({ removed, changed }: Pick<ChangeSums, 'removed' | 'changed'>): RemovedCode {
  const lines = Math.min(removed.relevantLines, changed.relevantLines);
  const branches = Math.min(removed.branches, changed.branches);
  const replaced: CoverageTotals = {
    coveredLines: Math.min(removed.coveredLines, lines),
    relevantLines: lines,
    coveredBranches: Math.min(removed.coveredBranches, branches),
    branches,
  };
  return { unreplaced: exchange(removed, replaced, NO_TOTALS), replaced };
}

/**
 * The change of the total, split without a remainder: the base becomes the build in steps of exact counts, and a
 * part is what its step moves the percentage by. A step that leaves nothing relevant moves nothing; its share goes to
 * the next step. Undefined if base or build has no percentage.
 */
export function attributeChange(split: ChangeSums): ChangePoints | undefined {
  const start = totalPercent(split.base);
  if (start === undefined || totalPercent(split.head) === undefined) return undefined;
  const { unreplaced, replaced } = splitRemoved(split);
  let counts = split.base;
  let percent = start;
  const step = ({ before, after }: Pick<Movement, 'before' | 'after'>): Ratio => {
    counts = exchange(counts, before, after);
    const next = totalPercent(counts) ?? percent;
    const points = subtractRatios(next, percent);
    percent = next;
    return points;
  };
  const earlier = split.before === undefined ? NOTHING : { before: split.base, after: split.before.totals };
  const before = step(earlier);
  // In this order: code is removed, what flips does, unchanged code is covered as now, changed lines replace others.
  const removed = step({ before: unreplaced, after: NO_TOTALS });
  const unstable = step(split.unstable ?? NOTHING);
  const outside = step(split.outside);
  const untouched = step(split.untouched);
  const unexplained = step(split.unexplained);
  const changed = step({ before: replaced, after: split.changed });
  return { before, removed, unstable, outside, untouched, unexplained, changed };
}

const NOTHING: Pick<Movement, 'before' | 'after'> = { before: NO_TOTALS, after: NO_TOTALS };

/** Counts with one part of the code in place of another; `before` is a part of them. */
export function exchange(counts: CoverageTotals, before: CoverageTotals, after: CoverageTotals): CoverageTotals {
  return subtractTotals(addTotals(counts, after), before);
}
