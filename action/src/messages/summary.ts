// What the job summary says of the change, beside the server's own sentences.
import { counted } from './counted.ts';
import type { Counts } from './values.ts';

export const FILE_TABLE_HEAD = '| Changed file | Lines | Branches | Uncovered lines |';

/** `percent`: without a sign for it; undefined where no changed line is relevant. */
export function changedLines(
  counts: Counts<'covered_lines' | 'relevant_lines' | 'covered_branches' | 'relevant_branches'>,
  percent: string | undefined,
): string {
  if (percent === undefined) return 'No changed line is relevant.';
  const { covered_lines, relevant_lines, covered_branches, relevant_branches } = counts;
  const ofBranches =
    relevant_branches === 0 ? '' : ` and ${covered_branches} of ${counted(relevant_branches, 'branch', 'branches')}`;
  return `Of the change ${percent}% is covered: ${covered_lines} of ${counted(relevant_lines, 'line')}${ofBranches}.`;
}

export function moreFiles(count: number): string {
  return `The build page lists ${counted(count, 'more changed file')}.`;
}

export function moreFlags(count: number): string {
  return `The build page lists ${counted(count, 'more flag')}.`;
}

export function moreRanges(count: number): string {
  return `and ${count} more`;
}

/** `names` are Markdown. */
export function unmeasured(count: number, names: string): string {
  const files = counted(count, 'changed source file');
  return `${files} named by no report, so not measured: ${names}${count > 5 ? ', …' : ''}`;
}

/** Lines of one file, both ends included. */
export function uncovered(first: number, last: number): string {
  return first === last
    ? `Line ${first} is changed and not covered.`
    : `Lines ${first} to ${last} are changed and not covered.`;
}

export const ANNOTATION_TITLE = 'Coverage';

export function moreUncovered(count: number, url: string): string {
  return `GitHub shows 10 annotations of a step. ${counted(count, 'more uncovered place')} of the change: ${url}`;
}
