import type { BuildJson } from '@coverage/shared';
import { counted } from './words.ts';

/**
 * The step's log. Every line may hold hostile text: whatever prints it passes it through `oneLine`.
 */
export interface Log {
  info(line: string): void;
  warning(line: string): void;
}

// The C0 and C1 control characters and the Unicode line separators.
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is what it is for
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/**
 * Hostile text as one line of the job's log: no control characters, so that no name begins a line of its own, and
 * neither form of a workflow command (`::name::` at the start, `##[name]` anywhere).
 * https://docs.github.com/actions/reference/workflow-commands-for-github-actions
 */
export function oneLine(text: string): string {
  return text
    .replace(CONTROL_CHARACTERS, ' ')
    .replace(/^(\s*):(?=:)/, '$1: ')
    .replaceAll('##[', '## [');
}

/** What GitHub shows of the warnings of one step. */
export const MOST_ANNOTATIONS = 10;

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
  return left > 0 ? { annotations, rest: moreUncovered(left, url) } : { annotations };
}

/** Lines of one file, both ends included. */
function uncovered(first: number, last: number): string {
  return first === last
    ? `Line ${first} is changed and not covered.`
    : `Lines ${first} to ${last} are changed and not covered.`;
}

function moreUncovered(count: number, url: string): string {
  return `GitHub shows 10 annotations of a step. ${counted(count, 'more uncovered place')} of the change: ${url}`;
}
