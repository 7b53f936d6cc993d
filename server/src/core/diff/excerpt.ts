import type { Column } from '../coverage/column.ts';
import type { BranchColumns } from '../coverage/file-coverage.ts';
import { createIsWithin, type LineRange } from '../coverage/line-ranges.ts';
import type { FileDiff } from './file-diff.ts';
import { addedLines, removedLines } from './line-map.ts';

/** Some lines of one file as they were measured, and what is known of their change. */
export interface ExcerptOf {
  /** The line before the first of `hits`; 0: it is the file's first. */
  readonly offset: number;
  readonly hits: Column;
  /** For these lines. */
  readonly branches: BranchColumns;
  /** Undefined if no diff is known: then `missed` alone says what is to be covered. */
  readonly diff: FileDiff | undefined;
  /** Changed lines without hits, as the build keeps them. */
  readonly missed: readonly LineRange[];
  /** Rows that it may have. */
  readonly max: number;
  /** Covered changed lines, and lines that were taken out, are shown too. */
  readonly whole?: boolean;
  /** Lines that did not change and are missed now, sorted: they are shown too. */
  readonly lost?: readonly LineRange[] | undefined;
}

export interface ExcerptLine {
  readonly kind: 'line';
  readonly line: number;
  /** -1: not relevant. */
  readonly hits: number;
  /** Undefined: the line has no branches. */
  readonly branches: { readonly covered: number; readonly all: number } | undefined;
  readonly changed: boolean;
  /** Unchanged, covered before, and missed now. */
  readonly lost?: true;
  /** Changed or lost, and without hits or with a missed branch. */
  readonly toCover: boolean;
}

export type ExcerptRow =
  | ExcerptLine
  /** Lines that are left out, since none of them is to be covered. */
  | { readonly kind: 'fold'; readonly first: number; readonly last: number }
  /** Lines of the old text that stood here. */
  | { readonly kind: 'removed'; readonly first: number; readonly count: number };

export interface Excerpt {
  readonly rows: readonly ExcerptRow[];
  /** Whether there is more to cover below. */
  readonly cut: boolean;
}

/** A longer run of lines of which none is to be covered is folded, except for the lines next to one that is. */
const LONGEST_RUN = 4;

/** What is to be covered in a file, each place between the lines around it. Empty if nothing is. */
export function makeExcerpt(of: ExcerptOf): Excerpt {
  const lines = readLines(of);
  const removed = new Map(removedBefore(of.diff).map((hunk) => [hunk.before, hunk]));
  const isShown = ({ toCover, changed, line }: ExcerptLine): boolean =>
    toCover || (of.whole === true && (changed || removed.has(line)));
  const last = lines.findLastIndex(isShown);
  if (last < 0) return { rows: [], cut: false };
  const rows = foldRuns(lines, isShown).flatMap((row): readonly ExcerptRow[] => {
    const gone = row.kind === 'line' ? removed.get(row.line) : undefined;
    return gone === undefined ? [row] : [{ kind: 'removed', first: gone.first, count: gone.count }, row];
  });
  const lastLine = lines[last]?.line ?? 0;
  const end = rows.findIndex((row) => row.kind === 'line' && row.line === lastLine);
  return { rows: rows.slice(0, of.max), cut: end >= of.max };
}

function readLines(of: ExcerptOf): readonly ExcerptLine[] {
  const { offset, hits, branches, diff, missed, lost = [] } = of;
  const isAdded = createIsWithin((diff && addedLines(diff)) ?? missed);
  const isLost = createIsWithin(lost);
  const counts = countBranches(branches);
  return Array.from(hits, (value, index) => {
    const line = offset + index + 1;
    const changed = isAdded(line);
    const ofLine = counts.get(line);
    const isMissed = value === 0 || (ofLine !== undefined && ofLine.covered < ofLine.all);
    const wasLost = !changed && isLost(line);
    const toCover = (changed || wasLost) && isMissed;
    return { kind: 'line', line, hits: value, branches: ofLine, changed, toCover, ...(wasLost && { lost: true }) };
  });
}

function countBranches({ line, hits }: BranchColumns): ReadonlyMap<number, { covered: number; all: number }> {
  const counts = new Map<number, { covered: number; all: number }>();
  for (let index = 0; index < line.length; index += 1) {
    const count = counts.get(line[index] as number) ?? { covered: 0, all: 0 };
    count.all += 1;
    if ((hits[index] as number) > 0) count.covered += 1;
    counts.set(line[index] as number, count);
  }
  return counts;
}

function foldRuns(lines: readonly ExcerptLine[], isShown: (line: ExcerptLine) => boolean): readonly ExcerptRow[] {
  const rows: ExcerptRow[] = [];
  let run: ExcerptLine[] = [];
  for (const line of lines) {
    if (isShown(line)) {
      rows.push(...foldRun(run, { before: rows.length > 0 ? 1 : 0, after: 1 }), line);
      run = [];
    } else run.push(line);
  }
  return [...rows, ...foldRun(run, { before: 1, after: 0 })];
}

/** `before` and `after`: how many of its lines stay, next to what is to be covered. */
function foldRun(
  run: readonly ExcerptLine[],
  { before, after }: { readonly before: number; readonly after: number },
): readonly ExcerptRow[] {
  if (run.length <= LONGEST_RUN) return run;
  const end = run.length - after;
  const [first, last] = [run[before], run[end - 1]];
  if (first === undefined || last === undefined) return run;
  return [...run.slice(0, before), { kind: 'fold', first: first.line, last: last.line }, ...run.slice(end)];
}

/** Old lines by the new line that they stand before. */
function removedBefore(diff: FileDiff | undefined) {
  if (diff === undefined || removedLines(diff) === undefined || diff.kind === 'added') return [];
  return diff.hunks
    .filter(({ oldLines }) => oldLines > 0)
    .map(({ newStart, oldStart, oldLines }) => ({ before: newStart, first: oldStart, count: oldLines }));
}
