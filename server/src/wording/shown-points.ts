import { changeOf, placesOf, type Ratio, shareOutPoints, showPart } from '../core/coverage/percent.ts';
import { attributeChange, CHANGE_PARTS, type ChangePart } from '../core/verdict/attribute-change.ts';
import type { ChangeSums } from '../core/verdict/split-change.ts';

/** A change and its parts, rounded: what is shown of the parts adds up to the change as it is shown. */
export interface ShownPoints {
  readonly change: Ratio;
  readonly places: number;
  /** In the order of CHANGE_PARTS. */
  readonly parts: readonly { readonly part: ChangePart; readonly points: Ratio }[];
}

/** `beyond`: the limit that the change must read as over. Undefined if base or build has no percentage. */
export function shownPoints(split: ChangeSums, beyond?: Ratio): ShownPoints | undefined {
  const points = attributeChange(split);
  const change = changeOf(split.head, split.base);
  if (points === undefined || change === undefined) return undefined;
  const places = placesOf({ ...change, beyond });
  const exact = CHANGE_PARTS.map((part) => points[part]);
  const shares = shareOutPoints(change, exact, places);
  const parts = CHANGE_PARTS.map((part, index) => ({ part, points: shares[index] as Ratio }));
  return { change: shares.reduce(addShares), places, parts };
}

/** `33.33`: without sign and unit. */
export function showSize(points: Ratio, places: number): string {
  return showPart(points, places).slice(1);
}

/** Shares of one change have one denominator. */
function addShares(a: Ratio, b: Ratio): Ratio {
  return { numerator: a.numerator + b.numerator, denominator: a.denominator };
}
