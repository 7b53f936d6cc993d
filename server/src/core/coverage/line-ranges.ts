import { type Column, NOT_RELEVANT } from './column.ts';
import type { FileCoverage } from './file-coverage.ts';
import type { CoverageTotals } from './totals.ts';

/** Inclusive range of line numbers, which count from 1. */
export type LineRange = readonly [first: number, last: number];

/** All lines of a file, line 0 too: some tools put branches there that belong to no line. */
export const EVERY_LINE: LineRange = [0, Number.MAX_SAFE_INTEGER];

/**
 * Counts of a file on some of its lines, branches by the line they stand on. The ranges are sorted and do not overlap.
 */
export function rangeTotals(
  file: Pick<FileCoverage, 'hits' | 'branches'>,
  ranges: readonly LineRange[],
): CoverageTotals {
  const { hits, branches } = file;
  const sum = { coveredLines: 0, relevantLines: 0, coveredBranches: 0, branches: 0 };
  let branch = 0;
  for (const [first, last] of ranges) {
    const end = Math.min(last, hits.length);
    for (let line = Math.max(first, 1); line <= end; line += 1) {
      const value = hits[line - 1] as number;
      if (value > 0) sum.coveredLines += 1;
      if (value >= 0) sum.relevantLines += 1;
    }
    while (branch < branches.line.length && (branches.line[branch] as number) < first) branch += 1;
    for (; branch < branches.line.length && (branches.line[branch] as number) <= last; branch += 1) {
      if ((branches.hits[branch] as number) > 0) sum.coveredBranches += 1;
      sum.branches += 1;
    }
  }
  return sum;
}

/**
 * Lines among some that have a missed branch and are not missed themselves. The ranges are sorted and do not overlap.
 */
export function partlyCoveredLines(
  { hits, branches }: Pick<FileCoverage, 'hits' | 'branches'>,
  ranges: readonly LineRange[],
): readonly number[] {
  const lines: number[] = [];
  let range = 0;
  for (let branch = 0; branch < branches.line.length; branch += 1) {
    const line = branches.line[branch] as number;
    while ((ranges[range]?.[1] ?? line) < line) range += 1;
    const first = ranges[range]?.[0];
    if (first === undefined) break;
    const isMissed = (branches.hits[branch] as number) === 0 && hits[line - 1] !== 0;
    if (isMissed && line >= Math.max(first, 1) && lines.at(-1) !== line) lines.push(line);
  }
  return lines;
}

/** The lines that are in both. Each list is sorted and does not overlap; so is the answer. */
export function intersectRanges(one: readonly LineRange[], other: readonly LineRange[]): readonly LineRange[] {
  const both: LineRange[] = [];
  for (let i = 0, j = 0; i < one.length && j < other.length; ) {
    const [a, b] = [one[i] as LineRange, other[j] as LineRange];
    const range: LineRange = [Math.max(a[0], b[0]), Math.min(a[1], b[1])];
    if (range[0] <= range[1]) both.push(range);
    if (a[1] < b[1]) i += 1;
    else j += 1;
  }
  return both;
}

/** The lines of the first that are not in the other. Each list is sorted and does not overlap; so is the answer. */
export function subtractRanges(one: readonly LineRange[], other: readonly LineRange[]): readonly LineRange[] {
  return one.flatMap(([first, last]) => {
    const left: LineRange[] = [];
    let from = first;
    for (const [start, end] of intersectRanges([[first, last]], other)) {
      if (start > from) left.push([from, start - 1]);
      from = end + 1;
    }
    return from <= last ? [...left, [from, last] as const] : left;
  });
}

/**
 * The missed lines among some, as ranges: lines that are not relevant do not break one, covered lines do, and so does
 * the end of a given range, since what lies between two was not asked for.
 */
export function missedRanges(hits: Column, ranges: readonly LineRange[]): readonly LineRange[] {
  return ranges.flatMap((range) => missedWithin(hits, range));
}

function missedWithin(hits: Column, [first, last]: LineRange): readonly LineRange[] {
  const found: [number, number][] = [];
  let open = false;
  for (let line = Math.max(first, 1); line <= Math.min(last, hits.length); line += 1) {
    const value = hits[line - 1] ?? NOT_RELEVANT;
    const latest = found.at(-1);
    if (value > 0) open = false;
    else if (value === 0 && open && latest) latest[1] = line;
    else if (value === 0) {
      found.push([line, line]);
      open = true;
    }
  }
  return found;
}

/** Whether a line is in sorted ranges; asked for one line after the other. */
export function createIsWithin(ranges: readonly LineRange[]): (line: number) => boolean {
  let at = 0;
  return (line) => {
    while (at < ranges.length && (ranges[at]?.[1] ?? 0) < line) at += 1;
    return at < ranges.length && (ranges[at]?.[0] ?? 0) <= line;
  };
}
