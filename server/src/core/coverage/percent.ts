import type { CoverageTotals } from './totals.ts';

/** An exact fraction, so that no comparison ever depends on rounding (rule 3). The denominator is above 0. */
export interface Ratio {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/**
 * Rule 2: 100 x (covered lines + covered branches) / (relevant lines + branches); undefined when nothing is relevant
 * (rule 4).
 */
export function totalPercent(totals: CoverageTotals): Ratio | undefined {
  return percentOf(totals.coveredLines + totals.coveredBranches, totals.relevantLines + totals.branches);
}

/** 100 x covered / relevant lines; undefined when no line is relevant. */
export function linePercent(totals: CoverageTotals): Ratio | undefined {
  return percentOf(totals.coveredLines, totals.relevantLines);
}

/** 100 x covered / all branches; undefined without branches. */
export function branchPercent(totals: CoverageTotals): Ratio | undefined {
  return percentOf(totals.coveredBranches, totals.branches);
}

/** The change against the base in percentage points, exact; undefined if either has no percentage. */
export function changeOf(
  totals: CoverageTotals | undefined,
  baseTotals: CoverageTotals | undefined,
): Ratio | undefined {
  const percent = totals && totalPercent(totals);
  const before = baseTotals && totalPercent(baseTotals);
  return percent && before ? subtractRatios(percent, before) : undefined;
}

export function subtractRatios(a: Ratio, b: Ratio): Ratio {
  return {
    numerator: a.numerator * b.denominator - b.numerator * a.denominator,
    denominator: a.denominator * b.denominator,
  };
}

/** Below 0, 0 or above 0, as a is below, equal to or above b. */
export function compareRatios(a: Ratio, b: Ratio): number {
  const difference = a.numerator * b.denominator - b.numerator * a.denominator;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** The exact decimal of a number's shortest text: 66.67 is 6667/100, 1e-7 is 1/10000000 (rule 3). */
export function exactDecimal(value: number): Ratio {
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  const scale = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction);
  return scale >= 0
    ? { numerator: digits, denominator: 10n ** BigInt(scale) }
    : { numerator: digits * 10n ** BigInt(-scale), denominator: 1n };
}

/** For JSON: the nearest double to the exact value, unrounded. */
export function ratioToNumber(ratio: Ratio): number {
  const numerator = Number(ratio.numerator);
  const denominator = Number(ratio.denominator);
  if (Number.isSafeInteger(numerator) && Number.isSafeInteger(denominator)) return numerator / denominator;
  const scale = 10n ** 15n;
  return Number((ratio.numerator * scale) / ratio.denominator) / 1e15;
}

/** Rule 5: two decimals, rounded down, so that 100.00% appears only when nothing is missed. */
export function showPercent(percent: Ratio | undefined): string {
  if (percent === undefined) return 'no relevant lines';
  return `${decimals(percent.numerator, percent.denominator, 2)}%`;
}

/** The minus of typography: a hyphen before a number is read as a dash. */
const MINUS = '\u2212';

/** Nobody writes a threshold with more decimals; of one that has them two digits are shown. */
const MAX_PLACES = 20;

/** A threshold as people write it: 2.5, 66.67, 0.0000001. */
export function showLimit(limit: number): string {
  const { numerator, denominator } = exactDecimal(limit);
  // A power of ten.
  const places = String(denominator).length - 1;
  if (places === 0) return String(numerator);
  return places > MAX_PLACES ? String(Number(limit.toPrecision(2))) : decimals(numerator, denominator, places);
}

/** A change that must read as over a limit, where it is: in each place it is shown with the same decimals (rule 5). */
export interface ShownChange extends Ratio {
  /** The allowed drop that failed a verdict. */
  readonly beyond?: Ratio | undefined;
}

/**
 * Rule 5: `−7.10 points`, cut toward zero, with as many decimals as it needs not to read as zero, and to read as over
 * its limit; `unchanged` for an exact zero.
 */
export function showChange(change: ShownChange, withoutUnit = false): string {
  if (change.numerator === 0n) return 'unchanged';
  return showPart(change, placesOf(change)) + (withoutUnit ? '' : ' points');
}

/** A change, or a part of one, with this many decimals and without its unit: `−6.13`. */
export function showPart(change: Ratio, places: number): string {
  return `${change.numerator < 0n ? MINUS : '+'}${showSize(change, places)}`;
}

/** The same for JSON, whose text stays: `-7.10%`. */
export function changeText(change: Ratio, places: number): string {
  if (change.numerator === 0n) return 'unchanged';
  return `${change.numerator < 0n ? '-' : '+'}${showSize(change, places)}%`;
}

/** How many decimals a change needs, two at least. */
export function placesOf(change: ShownChange): number {
  const { beyond } = change;
  const size = sizeOf(change);
  const readsWrong = (places: number): boolean => {
    const shown = {
      numerator: (size * 10n ** BigInt(places)) / change.denominator,
      denominator: 10n ** BigInt(places),
    };
    return shown.numerator === 0n || (beyond !== undefined && compareRatios(shown, beyond) <= 0);
  };
  let places = 2;
  while (size > 0n && readsWrong(places)) places += 1;
  return places;
}

/**
 * Parts that sum to `change`, rounded to this many decimals, in the same order: what is shown adds up to the change as
 * it is shown, by the largest remainders.
 */
export function shareOutPoints(change: Ratio, parts: readonly Ratio[], places: number): readonly Ratio[] {
  const scale = 10n ** BigInt(places);
  const floors = parts.map(({ numerator, denominator }) => floorDiv(numerator * scale, denominator));
  const remainders = parts.map((part, index) => ({
    index,
    left: {
      numerator: part.numerator * scale - (floors[index] as bigint) * part.denominator,
      denominator: part.denominator,
    },
  }));
  const shown = (sizeOf(change) * scale) / change.denominator;
  const total = change.numerator < 0n ? -shown : shown;
  const missing = Number(total - floors.reduce((sum, one) => sum + one, 0n));
  const raised = remainders.sort((a, b) => compareRatios(b.left, a.left) || a.index - b.index);
  for (const { index } of raised.slice(0, Math.max(0, missing))) floors[index] = (floors[index] as bigint) + 1n;
  return floors.map((numerator) => ({ numerator, denominator: scale }));
}

function percentOf(covered: number, all: number): Ratio | undefined {
  return all === 0 ? undefined : { numerator: 100n * BigInt(covered), denominator: BigInt(all) };
}

function decimals(numerator: bigint, denominator: bigint, places: number): string {
  const digits = ((numerator * 10n ** BigInt(places)) / denominator).toString().padStart(places + 1, '0');
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

function sizeOf({ numerator }: Ratio): bigint {
  return numerator < 0n ? -numerator : numerator;
}

function showSize(change: Ratio, places: number): string {
  return decimals(sizeOf(change), change.denominator, places);
}

function floorDiv(numerator: bigint, denominator: bigint): bigint {
  const cut = numerator / denominator;
  return numerator < 0n && cut * denominator !== numerator ? cut - 1n : cut;
}
