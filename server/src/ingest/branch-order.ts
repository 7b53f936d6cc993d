import { Failure } from '../domain/failure.ts';
import * as say from '../messages/jobs.ts';
import type { ParsedFile } from './parsed-job.ts';

/** Branches of a job in files that do not list them in order: sorting a million of them takes two seconds. */
const MAX_UNSORTED_BRANCHES = 2 ** 20;

/** Throws a Failure payload-too-large for more branches out of order than can be sorted in time. */
export function checkBranchOrder(files: readonly ParsedFile[]): void {
  let unsorted = 0;
  for (const { branches } of files) if (branches.length > 0 && !isSorted(branches)) unsorted += branches.length / 4;
  if (unsorted <= MAX_UNSORTED_BRANCHES) return;
  throw new Failure('payload-too-large', say.tooManyUnsorted(MAX_UNSORTED_BRANCHES, unsorted));
}

/** Whether flat groups of four are in order of (line, block, branch), each once. */
function isSorted(groups: ArrayLike<number>): boolean {
  for (let at = 4; at < groups.length; at += 4) {
    const order =
      (groups[at] as number) - (groups[at - 4] as number) ||
      (groups[at + 1] as number) - (groups[at - 3] as number) ||
      (groups[at + 2] as number) - (groups[at - 2] as number);
    if (order <= 0) return false;
  }
  return true;
}
