import { type BranchColumns, NO_BRANCHES } from '../domain/coverage/file-coverage.ts';
import { sortGroups, splitGroups } from '../domain/coverage/merge.ts';
import { Failure } from '../domain/failure.ts';
import * as say from '../messages/jobs.ts';
import type { ParsedBranches, ParsedFile } from './parsed-job.ts';

/** Branches of a job in files that do not list them in order: sorting a million of them takes two seconds. */
const MAX_UNSORTED_BRANCHES = 2 ** 20;

/**
 * The branch columns of each file, in one array of numbers instead of four of each file. Throws a Failure
 * payload-too-large for more branches out of order than can be sorted in time.
 */
export function branchesOfFiles(files: readonly ParsedFile[]): readonly BranchColumns[] {
  const room = new Int32Array(
    files.reduce((all, { branches }) => (isColumns(branches) ? all : all + branches.length), 0),
  );
  let end = 0;
  let unsorted = 0;
  const split = files.map(({ branches }) => {
    if (isColumns(branches)) return branches;
    if (branches.length === 0) return NO_BRANCHES;
    end += branches.length;
    const columns = splitGroups(branches, room.subarray(end - branches.length, end));
    if (columns === undefined && !isSorted(branches)) unsorted += branches.length / 4;
    return columns ?? branches;
  });
  if (unsorted > MAX_UNSORTED_BRANCHES)
    throw new Failure('payload-too-large', say.tooManyUnsorted(MAX_UNSORTED_BRANCHES, unsorted));
  return split.map((branches) => (isColumns(branches) ? branches : sortGroups(branches)));
}

function isColumns(branches: ParsedBranches): branches is BranchColumns {
  return 'line' in branches;
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
