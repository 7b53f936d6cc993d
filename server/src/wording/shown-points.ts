import { changeOf, placesOf, type Ratio, shareOutPoints, showPart, subtractRatios } from '../core/coverage/percent.ts';
import { printable } from '../core/printable.ts';
import { attributeChange, CHANGE_PARTS, type ChangePart } from '../core/verdict/attribute-change.ts';
import type { ChangeSums, CommitsBefore } from '../core/verdict/split-change.ts';
import { counted } from './phrases.ts';

/** A change and its parts, rounded: what is shown of the parts adds up to the change as it is shown. */
interface ShownPoints {
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
function showSize(points: Ratio, places: number): string {
  return showPart(points, places).slice(1);
}

/** Shares of one change have one denominator. */
function addShares(a: Ratio, b: Ratio): Ratio {
  return { numerator: a.numerator + b.numerator, denominator: a.denominator };
}

/** Names of branches are as long as an upload made them. */
const MAX_NAME = 40;

/** What others did to a total that fell, before the change begins; undefined if that moved nothing. */
export function describeBefore(
  split: ChangeSums,
  beyond?: Ratio,
): { readonly full: string; readonly brief: string } | undefined {
  const shown = split.before && shownPoints(split, beyond);
  const points = shown?.parts.find(({ part }) => part === 'before')?.points;
  if (split.before === undefined || shown === undefined || points === undefined) return undefined;
  const { change, places } = shown;
  if (points.numerator === 0n || change.numerator >= 0n) return undefined;
  const size = (ratio: Ratio): string => showSize(ratio, places);
  const who = describeCommits(split.before);
  const own = subtractRatios(change, points);
  const brief = `${size(points)} points came with ${commitsOn(split.before)}`;
  if (points.numerator > 0n)
    return {
      full: `${size(points)} points were gained with ${who}, and ${size(own)} were lost with this change`,
      brief,
    };
  const full =
    own.numerator > 0n
      ? `${size(points)} points were lost with ${who}, and ${size(own)} came back with this change`
      : `of the drop of ${size(change)} points, ${size(points)} came with ${who}`;
  return { full, brief };
}

/** `2 commits on main that have no build to compare with` */
export function describeCommits(before: CommitsBefore): string {
  if (before.commits === undefined) return commitsOn(before);
  return `${commitsOn(before)} that ${before.commits === 1 ? 'has' : 'have'} no build to compare with`;
}

function commitsOn({ commits, branch }: CommitsBefore): string {
  const what = commits === undefined ? 'other commits' : counted(commits, 'commit');
  return branch === undefined ? what : `${what} on ${printable(branch, MAX_NAME)}`;
}
