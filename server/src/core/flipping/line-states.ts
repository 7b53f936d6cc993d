import type { BranchColumns, FileCoverage } from '../coverage/file-coverage.ts';
import type { UnchangedRun } from '../diff/line-map.ts';
import type { FlipRecord } from './flip-record.ts';

type Place = Pick<FlipRecord, 'line' | 'arm'>;

type LineStates = Pick<FileCoverage, 'hits' | 'branches'>;

/** Whether a place is covered; undefined if the report does not measure it. */
export function stateOf({ hits, branches }: LineStates, { line, arm }: Place): boolean | undefined {
  if (arm === undefined) return stateOfHits(hits[line - 1]);
  for (let at = firstOfLine(branches, line); branches.line[at] === line; at += 1)
    if (branches.block[at] === arm[0] && branches.branch[at] === arm[1]) return (branches.hits[at] as number) > 0;
  return undefined;
}

function stateOfHits(hits: number | undefined): boolean | undefined {
  return hits === undefined || hits < 0 ? undefined : hits > 0;
}

/** Where the branches of a line begin, which are sorted by line. */
function firstOfLine({ line: lines }: BranchColumns, line: number): number {
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((lines[middle] as number) < line) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Each unchanged line or branch that both reports measure, and that one covers and the other misses, by its place in
 * the new text: first all lines, then all branches, each in order.
 */
export function visitFlips(
  {
    before,
    after,
    runs,
  }: { readonly before: LineStates; readonly after: LineStates; readonly runs: readonly UnchangedRun[] },
  visit: (place: Place, isCovered: boolean) => void,
): void {
  for (const run of runs) visitLines(before.hits, after.hits, run, visit);
  visitArms({ before: before.branches, after: after.branches, runs }, visit);
}

function visitLines(
  before: FileCoverage['hits'],
  after: FileCoverage['hits'],
  { oldStart, newStart, length }: UnchangedRun,
  visit: (place: Place, isCovered: boolean) => void,
): void {
  const shift = newStart - oldStart;
  const end = Math.min(newStart + length, after.length + 1, before.length + shift + 1);
  for (let line = Math.max(newStart, 1, 1 + shift); line < end; line += 1) {
    const is = after[line - 1] as number;
    const was = before[line - shift - 1] as number;
    // Most lines are not relevant, or were run as often.
    if (was !== is && was >= 0 && is >= 0 && was > 0 !== is > 0) visit({ line, arm: undefined }, is > 0);
  }
}

/** Both lists are sorted by line, block and branch, and unchanged lines keep their order: one pass over each. */
function visitArms(
  {
    before,
    after,
    runs,
  }: { readonly before: BranchColumns; readonly after: BranchColumns; readonly runs: readonly UnchangedRun[] },
  visit: (place: Place, isCovered: boolean) => void,
): void {
  let run = 0;
  let next = 0;
  for (let at = 0; at < before.line.length; at += 1) {
    const old = before.line[at] as number;
    while (run < runs.length && old >= (runs[run] as UnchangedRun).oldStart + (runs[run] as UnchangedRun).length)
      run += 1;
    const { oldStart = Number.POSITIVE_INFINITY, newStart = 0 } = runs[run] ?? {};
    if (old < oldStart) continue;
    const line = newStart + (old - oldStart);
    const [block, branch] = [before.block[at] as number, before.branch[at] as number];
    while (next < after.line.length && isBefore(after, next, line, block, branch)) next += 1;
    if (after.line[next] !== line || after.block[next] !== block || after.branch[next] !== branch) continue;
    const isCovered = (after.hits[next] as number) > 0;
    if ((before.hits[at] as number) > 0 !== isCovered) visit({ line, arm: [block, branch] }, isCovered);
  }
}

function isBefore(columns: BranchColumns, at: number, line: number, block: number, branch: number): boolean {
  const difference =
    (columns.line[at] as number) - line ||
    (columns.block[at] as number) - block ||
    (columns.branch[at] as number) - branch;
  return difference < 0;
}
