import { type Ratio, subtractRatios } from '../core/coverage/percent.ts';
import { printable } from '../core/printable.ts';
import type { ChangeSums, CommitsBefore } from '../core/verdict/split-change.ts';
import { counted } from './phrases.ts';
import { shownPoints, showSize } from './shown-points.ts';

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
