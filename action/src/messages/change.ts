// Why the changed lines of a commit go along with its upload, or not. What names a reason is a clause after "because".
import { counted } from './counted.ts';
import type { Counts, Texts } from './values.ts';

export const TESTED_COMMIT_UNKNOWN = 'nothing says which commit was tested';

export const SHALLOW_CLONE =
  'the clone is shallow and where the pull request began is not in it: give actions/checkout "fetch-depth: 0"';

export function linesSent(
  files: number,
  { isComplete, base }: Texts<'base'> & { readonly isComplete: boolean },
): string {
  const count = `${counted(files, 'changed file')}${isComplete ? '' : ' (not all)'}`;
  return `The line numbers of ${count} since ${base} go with this upload.`;
}

export function linesNotSent(reason: string): string {
  return `Changed lines are not sent with this upload, because ${reason}.`;
}

export function noCheckout(root: string): string {
  return `git knows no checkout at ${root}`;
}

export function gitTooSlow(milliseconds: number): string {
  return `git took longer than ${milliseconds / 1000} s`;
}

export function nothingCheckedOut(head: string): string {
  return `nothing is checked out and ${head} was tested`;
}

export function otherCheckedOut(found: string | undefined, head: string): string {
  return `${found ?? 'nothing'} is checked out and ${head} was tested`;
}

export function baseNotHeld(base: string): string {
  return `the clone does not hold ${base}, and could not get it`;
}

export function cannotCompare(base: string, head: string): string {
  return `git could not compare ${base} with ${head}`;
}

export function tooManyToFetch(files: number): string {
  return `the clone is partial and would have to get more than ${files} changed files`;
}

export function withoutParent(head: string): string {
  return `${head} has no parent`;
}

export function forkPointUnknown(head: string, base: string): string {
  return `the clone does not tell where ${head} left ${base}`;
}

/** How many source texts go along, and how many stay behind. */
export function textsSent({ sent, kept }: Counts<'sent' | 'kept'>): string {
  const more = kept === 0 ? '' : `; ${kept} stayed behind, being no text or beyond 1 MiB each and 32 MiB in all`;
  return `The text of ${counted(sent, 'source file')} goes with this upload${more}.`;
}
