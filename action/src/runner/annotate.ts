import type { BuildJson } from '@coverage/shared';
import { counted } from './words.ts';

/** What GitHub shows of the warnings of one step. */
export const MAX_ANNOTATIONS = 10;

/** A warning beside the code. */
interface Annotation {
  readonly file: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly message: string;
}

/** Uncovered changed lines, worst file first; at most `room`, and a sentence about the rest. */
export function annotationsOf(
  { patch, url }: BuildJson,
  room: number,
): { readonly annotations: readonly Annotation[]; readonly rest?: string } {
  const files = patch?.files ?? [];
  const all = files.flatMap(({ name, uncovered: ranges }) =>
    ranges.map(([first, last]) => ({ file: name, startLine: first, endLine: last, message: uncovered(first, last) })),
  );
  const annotations = all.slice(0, Math.max(0, room));
  const left = files.reduce((sum, { uncovered_ranges: count }) => sum + count, 0) - annotations.length;
  return left > 0
    ? {
        annotations,
        rest: `GitHub shows 10 annotations of a step. ${counted(left, 'more missed place')} in the change: ${url}`,
      }
    : { annotations };
}

/** Lines of one file, both ends included. */
function uncovered(first: number, last: number): string {
  return first === last
    ? `Line ${first} is changed and not covered.`
    : `Lines ${first} to ${last} are changed and not covered.`;
}
