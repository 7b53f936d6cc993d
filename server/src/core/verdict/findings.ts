import { compareRatios, exactDecimal, type Ratio, subtractRatios, totalPercent } from '../coverage/percent.ts';
import type { CoverageTotals } from '../coverage/totals.ts';

/** An earlier build's numbers, with what it is called. */
export interface JudgedBase {
  /** As uploads sent it. */
  readonly number: string;
  /** Absent if no upload stated it, and in results of earlier versions. */
  readonly commit?: string | undefined;
  readonly totals: CoverageTotals;
}

/** What a finding may compare with. */
export interface ComparedValues {
  readonly percent: number;
  readonly base: JudgedBase;
}

interface FindingShape {
  /** The rule that decides by it. */
  readonly rule: string;
  /** All that it compares. */
  readonly of: Readonly<Record<string, keyof ComparedValues>>;
  /** It never fails. */
  readonly holds?: true;
}

/** What a total is looked at by. Types, rules, exports and the words that are needed follow from this. */
export const FINDINGS = {
  /** No threshold is set, so nothing may fall. */
  decrease: { rule: 'no-decrease', of: { base: 'base' } },
  minimum: { rule: 'minimum', of: { minimum: 'percent' } },
  drop: { rule: 'allowed-drop', of: { allowed: 'percent', base: 'base' } },
  /** A flag fell where only the build has a minimum. */
  'build-minimum': { rule: 'minimum', of: { base: 'base' }, holds: true },
  /** The best total that the default branch kept, less what is allowed. */
  ratchet: { rule: 'ratchet', of: { allowed: 'percent', base: 'base' } },
  'first-build': { rule: 'first-build', of: {}, holds: true },
  'first-report': { rule: 'first-build', of: {}, holds: true },
} as const satisfies Readonly<Record<string, FindingShape>>;

export type FindingKind = keyof typeof FINDINGS;
export type FindingRule = (typeof FINDINGS)[FindingKind]['rule'];

type Compared<Shape> = {
  readonly [Name in keyof Shape]: Shape[Name] extends keyof ComparedValues ? ComparedValues[Shape[Name]] : never;
};
type LookedAt<Kind extends FindingKind> = { readonly kind: Kind } & Compared<(typeof FINDINGS)[Kind]['of']>;

/** One threshold that was looked at, with all that it compares. */
export type FindingOf<Kind extends FindingKind> = LookedAt<Kind> & {
  readonly passes: (typeof FINDINGS)[Kind] extends { readonly holds: true } ? true : boolean;
};
export type Finding = { [Kind in FindingKind]: FindingOf<Kind> }[FindingKind];
/** One that is not judged yet. */
type Threshold = { [Kind in FindingKind]: LookedAt<Kind> }[FindingKind];

/** The thresholds of a repo: percent and percentage points from 0 to 100, null if none is set. */
export interface Thresholds {
  readonly minimum: number | null;
  readonly allowedDrop: number | null;
  /** The best total that stood, and how far below it one may be; absent: no ratchet. */
  readonly ratchet?: Ratchet | undefined;
}

export interface Ratchet {
  readonly best: JudgedBase;
  readonly tolerance: number;
}

/** The table of minimum and allowed drop: what a total is judged by. */
function thresholdsOn(base: JudgedBase | undefined, thresholds: Thresholds): readonly Threshold[] {
  const { minimum, allowedDrop, ratchet } = thresholds;
  const stated: readonly Threshold[] = [
    ...(minimum === null ? [] : [{ kind: 'minimum', minimum } as const]),
    ...(ratchet ? [{ kind: 'ratchet', allowed: ratchet.tolerance, base: ratchet.best } as const] : []),
  ];
  if (!isComparable(base)) return stated;
  if (allowedDrop !== null) return [...stated, { kind: 'drop', allowed: allowedDrop, base }];
  return minimum === null ? [{ kind: 'decrease', base }, ...stated] : stated;
}

/** The percentage that a total must have; undefined: none. By exact counts. */
function demandOf(threshold: Threshold): Ratio | undefined {
  switch (threshold.kind) {
    case 'minimum':
      return exactDecimal(threshold.minimum);
    case 'decrease':
      return totalPercent(threshold.base.totals);
    case 'ratchet':
    case 'drop': {
      const before = totalPercent(threshold.base.totals);
      return before && subtractRatios(before, exactDecimal(threshold.allowed));
    }
    case 'build-minimum':
    case 'first-build':
    case 'first-report':
      return undefined;
  }
}

/** The percentages that a total must reach. */
export function demandedPercents(base: JudgedBase | undefined, thresholds: Thresholds): readonly Ratio[] {
  return thresholdsOn(base, thresholds).flatMap((threshold) => demandOf(threshold) ?? []);
}

/** The same by the change against the base alone. */
export function demandedByChange(base: JudgedBase | undefined, thresholds: Thresholds): readonly Ratio[] {
  return thresholdsOn(base, thresholds).flatMap((threshold) =>
    isChange(threshold) ? (demandOf(threshold) ?? []) : [],
  );
}

export function isChange({ kind }: { readonly kind: FindingKind }): boolean {
  return kind === 'decrease' || kind === 'drop';
}

export function judgeThreshold<One extends Threshold>(
  percent: Ratio,
  threshold: One,
): Extract<Finding, { readonly kind: One['kind'] }> {
  const { kind, ...of } = threshold;
  const demanded = demandOf(threshold);
  const passes = demanded === undefined || compareRatios(percent, demanded) >= 0;
  return { kind, passes, ...of } as unknown as Extract<Finding, { readonly kind: One['kind'] }>;
}

export function judgeTotal(
  percent: Ratio,
  { base, thresholds }: { readonly base: JudgedBase | undefined; readonly thresholds: Thresholds },
): readonly Finding[] {
  const findings = thresholdsOn(base, thresholds).map((threshold) => judgeThreshold(percent, threshold));
  return findings.length > 0 ? findings : [{ kind: 'first-build', passes: true }];
}

/** A flag without a minimum of its own, by its change alone. `minimum`: the repo's. */
export function judgeMovement(percent: Ratio, base: JudgedBase | undefined, thresholds: Thresholds): Finding {
  if (!isComparable(base)) return { kind: 'first-report', passes: true };
  const { allowedDrop, minimum } = thresholds;
  if (allowedDrop !== null) return judgeThreshold(percent, { kind: 'drop', allowed: allowedDrop, base });
  const finding = judgeThreshold(percent, { kind: 'decrease', base });
  return finding.passes || minimum === null ? finding : { kind: 'build-minimum', passes: true, base };
}

/** Whether there is a base, with a percentage. */
export function isComparable(base: JudgedBase | undefined): base is JudgedBase {
  return base !== undefined && totalPercent(base.totals) !== undefined;
}
