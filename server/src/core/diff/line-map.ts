import { type Column, NOT_RELEVANT, narrowColumn } from '../coverage/column.ts';
import { type BranchColumns, type FileCoverage, MAX_FILE_LINES } from '../coverage/file-coverage.ts';
import { normalizeFileName } from '../coverage/file-name.ts';
import { EVERY_LINE, type LineRange } from '../coverage/line-ranges.ts';
import type { FileDiff } from './file-diff.ts';

/**
 * Lines that both texts have: `length` lines from `oldStart` on are those from `newStart` on. The first run begins at
 * line 0 (where some tools put branches that belong to no line), the last has no end (Infinity).
 */
export interface UnchangedRun {
  readonly oldStart: number;
  readonly newStart: number;
  readonly length: number;
}

/** Every line of a text that did not change. */
export const UNCHANGED_TEXT: readonly UnchangedRun[] = [{ oldStart: 0, newStart: 0, length: Number.POSITIVE_INFINITY }];

/** The lines that stay, in order: none of an added or removed file; undefined if the hunks are not known. */
export function unchangedRuns(diff: FileDiff): readonly UnchangedRun[] | undefined {
  if (diff.kind === 'added' || diff.kind === 'removed') return [];
  if (!diff.complete) return undefined;
  const runs: UnchangedRun[] = [];
  let oldStart = 0;
  let newStart = 0;
  for (const hunk of diff.hunks) {
    runs.push({ oldStart, newStart, length: hunk.oldStart - oldStart });
    oldStart = hunk.oldStart + hunk.oldLines;
    newStart = hunk.newStart + hunk.newLines;
  }
  return [...runs, { oldStart, newStart, length: Number.POSITIVE_INFINITY }];
}

/** The lines of the new text that the old one does not have, sorted; undefined if the hunks are not known. */
export function addedLines(diff: FileDiff): readonly LineRange[] | undefined {
  if (diff.kind === 'added') return [EVERY_LINE];
  if (diff.kind === 'removed') return [];
  if (!diff.complete) return undefined;
  return diff.hunks
    .filter((hunk) => hunk.newLines > 0)
    .map((hunk): LineRange => [hunk.newStart, hunk.newStart + hunk.newLines - 1]);
}

/** The lines of the old text that the new one does not have, sorted; undefined if the hunks are not known. */
export function removedLines(diff: FileDiff): readonly LineRange[] | undefined {
  if (diff.kind === 'removed') return [EVERY_LINE];
  if (diff.kind === 'added') return [];
  if (!diff.complete) return undefined;
  return diff.hunks
    .filter((hunk) => hunk.oldLines > 0)
    .map((hunk): LineRange => [hunk.oldStart, hunk.oldStart + hunk.oldLines - 1]);
}

/**
 * Each line that did not change and that only one of two reports covers, by its number in the new text and in order:
 * `lost` was covered and is missed now (rule 25), `gained` is covered and was not.
 */
export function visitMoved(
  { before, after, runs }: { readonly before: Column; readonly after: Column; readonly runs: readonly UnchangedRun[] },
  visit: (line: number, moved: 'lost' | 'gained') => void,
): void {
  for (const { oldStart, newStart, length } of runs) {
    const shift = newStart - oldStart;
    const end = Math.min(newStart + length, after.length + 1);
    for (let line = Math.max(newStart, 1); line < end; line += 1) {
      const old = line - shift;
      const wasCovered = old <= before.length && (before[old - 1] as number) > 0;
      const hits = after[line - 1] as number;
      if (wasCovered && hits === 0) visit(line, 'lost');
      else if (hits > 0 && !wasCovered) visit(line, 'gained');
    }
  }
}

/**
 * The coverage of the old text as coverage of the new one (rule 16), under the new name, without digest and source.
 * Lines that stay keep their hits, added ones are not relevant. Undefined if the hunks are not known, of an added file,
 * and where a line would move beyond MAX_FILE_LINES.
 */
export function moveCoverage(file: FileCoverage, diff: FileDiff): FileCoverage | undefined {
  const runs = unchangedRuns(diff);
  if (runs === undefined || diff.kind === 'added') return undefined;
  const hits = moveHits(file.hits, runs);
  if (hits === undefined) return undefined;
  return {
    name: normalizeFileName(diff.name),
    digest: undefined,
    source: undefined,
    hits,
    branches: moveBranches(file.branches, runs),
  };
}

/** Whole runs at a time; undefined if a file cannot have that many lines. */
function moveHits(hits: Column, runs: readonly UnchangedRun[]): Column | undefined {
  const moved = runs.map(({ oldStart, newStart, length }) => {
    const skipped = oldStart === 0 ? 1 : 0;
    return { at: newStart + skipped - 1, values: hits.subarray(oldStart + skipped - 1, oldStart + length - 1) };
  });
  const length = moved.reduce((end, { at, values }) => (values.length > 0 ? at + values.length : end), 0);
  if (length > MAX_FILE_LINES) return undefined;
  const target = hits instanceof Float64Array ? new Float64Array(length) : new Int32Array(length);
  target.fill(NOT_RELEVANT);
  for (const { at, values } of moved) if (values.length > 0) target.set(values, at);
  return narrowColumn(target);
}

/** The order by line stays, since unchanged lines keep theirs. */
function moveBranches(branches: BranchColumns, runs: readonly UnchangedRun[]): BranchColumns {
  const kept = new Uint8Array(branches.line.length);
  const line = new Float64Array(branches.line.length);
  let run = 0;
  for (let index = 0; index < line.length; index += 1) {
    const old = branches.line[index] as number;
    while (run < runs.length && old >= (runs[run] as UnchangedRun).oldStart + (runs[run] as UnchangedRun).length)
      run += 1;
    const at = runs[run];
    if (at === undefined || old < at.oldStart) continue;
    kept[index] = 1;
    line[index] = at.newStart + (old - at.oldStart);
  }
  const keep = (column: Column): Column => narrowColumn(column.filter((_, index) => kept[index] === 1));
  return { line: keep(line), block: keep(branches.block), branch: keep(branches.branch), hits: keep(branches.hits) };
}
