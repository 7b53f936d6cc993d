import type { BranchColumns, FileCoverage } from '../coverage/file-coverage.ts';
import type { UnchangedRun } from './line-map.ts';

/**
 * The lines that did not change and of which a branch was covered and is missed now (rule 25), by their numbers in the
 * new text and in order; not those that are missed as a whole. Tools number branches again when code is put in before
 * them, so they are counted by line.
 */
export function lostBranchLines(
  before: FileCoverage,
  after: FileCoverage,
  runs: readonly UnchangedRun[],
): readonly number[] {
  const [old, now] = [countByLine(before.branches), countByLine(after.branches)];
  const lost: number[] = [];
  let run = 0;
  for (const [line, { covered, missed }] of now) {
    while (run < runs.length && line >= endOf(runs[run] as UnchangedRun)) run += 1;
    const at = runs[run];
    if (at === undefined) break;
    const was = line < Math.max(at.newStart, 1) ? undefined : old.get(line - at.newStart + at.oldStart);
    const isLost = was !== undefined && covered < was.covered && missed > was.missed;
    if (isLost && after.hits[line - 1] !== 0) lost.push(line);
  }
  return lost;
}

function endOf({ newStart, length }: UnchangedRun): number {
  return newStart + length;
}

interface BranchCounts {
  covered: number;
  missed: number;
}

/** In the order of lines. */
function countByLine({ line, hits }: BranchColumns): ReadonlyMap<number, BranchCounts> {
  const counts = new Map<number, BranchCounts>();
  for (let index = 0; index < line.length; index += 1) {
    const at = line[index] as number;
    const of = counts.get(at) ?? { covered: 0, missed: 0 };
    if ((hits[index] as number) > 0) of.covered += 1;
    else of.missed += 1;
    counts.set(at, of);
  }
  return counts;
}
