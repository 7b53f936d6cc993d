import { branchesFromGroups } from '../../core/coverage/branches.ts';
import { Failure } from '../../core/failure.ts';
import { type PackedBranches, packBranchColumns } from '../codec/packed-file.ts';
import type { ParsedBranches, ParsedFile } from './parsed-job.ts';

/** Branches of a job in files that do not list them in order: sorting a million of them takes two seconds. */
const MAX_UNSORTED_BRANCHES = 2 ** 20;

/**
 * The packed branches of each file. Throws a Failure payload-too-large for more branches out of order than can be
 * sorted in time.
 */
export function branchesOfFiles(files: readonly ParsedFile[]): readonly PackedBranches[] {
  const unsorted = files.reduce(
    (all, { branches }) => (isPacked(branches) || isSorted(branches) ? all : all + branches.length / 4),
    0,
  );
  if (unsorted > MAX_UNSORTED_BRANCHES)
    throw new Failure(
      'payload-too-large',
      `A job can have at most ${MAX_UNSORTED_BRANCHES} branches in files that do not ` +
        'list them in order (line, block, branch), each ' +
        `once; this one has ${unsorted}. Sort them, or split the job with \`parallel\`.`,
    );
  return files.map(({ branches }) => (isPacked(branches) ? branches : packBranchColumns(branchesFromGroups(branches))));
}

function isPacked(branches: ParsedBranches): branches is PackedBranches {
  return 'keys' in branches && typeof branches.keys === 'number';
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
