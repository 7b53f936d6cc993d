import { NOT_RELEVANT, narrowColumn } from '../coverage/column.ts';
import type { FileCoverage, Report } from '../coverage/file-coverage.ts';
import { normalizeFileName } from '../coverage/file-name.ts';
import { type LineRange, rangeTotals } from '../coverage/line-ranges.ts';
import { mergeReports } from '../coverage/merge.ts';
import { addTotals, type CoverageTotals, fileTotals, NO_TOTALS } from '../coverage/totals.ts';
import { invertDiff } from '../diff/diff-between.ts';
import {
  countAddedLines,
  type Diff,
  type DiffIndex,
  type FileDiff,
  indexDiffs,
  MAX_ADDED_LINES,
  unknownDiff,
} from '../diff/file-diff.ts';
import { addedLines, moveCoverage, removedLines } from '../diff/line-map.ts';

/** A base's report as it would be where the change begins. */
export interface MergeBaseReport {
  readonly report: Report;
  /** The change's own diff; files that were changed before in a way that is not known are not known in it. */
  readonly diff: Diff;
  /** What was taken out and put in before: base - removed + added = report. */
  readonly removed: CoverageTotals;
  readonly added: CoverageTotals;
}

interface Steps {
  /** From the base build's commit to where the change begins. */
  readonly before: DiffIndex;
  readonly isBeforeComplete: boolean;
  /** The change's own. */
  readonly own: DiffIndex;
  readonly isOwnComplete: boolean;
  readonly head: ReadonlyMap<string, FileCoverage>;
}

/** A file where the change begins. `isKnown`: how it came about is. */
interface Brought {
  readonly name: string;
  readonly file: FileCoverage | undefined;
  readonly isKnown: boolean;
  readonly count: CoverageTotals;
}

/**
 * The base's lines that were left then, and the lines that others put in since as the build counts them: no report of
 * that commit is there. Lines that others put in and the change took out again were never measured.
 * Undefined if the diffs state more lines than anybody writes.
 */
export function bringToMergeBase(found: {
  readonly base: Report;
  readonly head: Report;
  readonly between: Diff;
  readonly patch: Diff;
}): MergeBaseReport | undefined {
  const { base, head, between, patch } = found;
  const undone = patch.files.map(invertDiff);
  if (Math.max(countAddedLines(between.files), countAddedLines(undone)) > MAX_ADDED_LINES) return undefined;
  const steps: Steps = {
    before: indexDiffs(between.files),
    isBeforeComplete: between.complete,
    own: indexDiffs(patch.files),
    isOwnComplete: patch.complete,
    head: new Map(head.files.map((file) => [file.name, file])),
  };
  const kept = base.files.map((file) => keepLines(file, steps));
  const put = [...steps.before.byName.values()].map((diff) => putIn(diff, steps));
  const unknown = [...kept, ...put].filter(({ isKnown }) => !isKnown).map(({ name }) => name);
  const left = new Set(unknown);
  // For a file that is not known nothing is claimed: it stays as the base has it.
  const files = [...kept, ...put.filter(({ name }) => !left.has(name))].flatMap(({ file }) => file ?? []);
  return {
    report: mergeReports(files.map((file) => ({ files: [file] }))),
    diff: withUnknown(patch, left),
    removed: sum(kept),
    added: sum(put.filter(({ name }) => !left.has(name))),
  };
}

function sum(brought: readonly Brought[]): CoverageTotals {
  return brought.reduce((all, { count }) => addTotals(all, count), NO_TOTALS);
}

/** What is left of a file of the base; counts what was taken out of it. */
function keepLines(file: FileCoverage, { before, isBeforeComplete, head }: Steps): Brought {
  const { name } = file;
  const rename = before.byPreviousName.get(name);
  const diff = rename ?? before.byName.get(name);
  const asItWas = { name, file, count: NO_TOTALS };
  if (diff === undefined) {
    const isSame = file.digest !== undefined && file.digest === head.get(name)?.digest;
    return { ...asItWas, isKnown: isBeforeComplete || isSame };
  }
  const isOverwritten = rename === undefined && diff.kind === 'renamed';
  if (diff.kind === 'removed' || isOverwritten)
    return { name, file: undefined, isKnown: true, count: fileTotals(file) };
  const moved = moveCoverage(file, diff);
  const newName = normalizeFileName(diff.name);
  if (moved === undefined) return { ...asItWas, name: newName, file: { ...file, name: newName }, isKnown: false };
  return { name: newName, file: moved, isKnown: true, count: rangeTotals(file, removedLines(diff) ?? []) };
}

/** The lines that others put into a file, as far as the change left them; counts them. */
function putIn(diff: FileDiff, steps: Steps): Brought {
  const name = normalizeFileName(diff.name);
  const lines = addedLines(diff);
  const later = takeBack(name, steps);
  if (lines === undefined || later === 'unknown') return { name, file: undefined, isKnown: false, count: NO_TOTALS };
  if (later === undefined || lines.length === 0) return { name, file: undefined, isKnown: true, count: NO_TOTALS };
  return { name, file: restrict(later, lines), isKnown: true, count: rangeTotals(later, lines) };
}

/** The build's coverage of a file on the lines that it had where the change begins. */
function takeBack(name: string, { own, isOwnComplete, head }: Steps): FileCoverage | 'unknown' | undefined {
  const rename = own.byPreviousName.get(name);
  const diff = rename ?? own.byName.get(name);
  if (diff === undefined) return isOwnComplete ? head.get(name) : 'unknown';
  if (diff.kind === 'added' || (rename === undefined && diff.kind === 'renamed')) return undefined;
  const file = head.get(normalizeFileName(diff.name));
  return file && (moveCoverage(file, invertDiff(diff)) ?? 'unknown');
}

function restrict(file: FileCoverage, lines: readonly LineRange[]): FileCoverage {
  const isIn = createIsIn(lines);
  const { line, block, branch, hits } = file.branches;
  const kept = [...line.keys()].filter((index) => isIn(line[index] as number));
  const keep = (column: typeof line) => narrowColumn(Float64Array.from(kept, (index) => column[index] as number));
  const isLineIn = createIsIn(lines);
  return {
    name: file.name,
    digest: undefined,
    source: undefined,
    hits: narrowColumn(file.hits.map((value, index) => (isLineIn(index + 1) ? value : NOT_RELEVANT))),
    branches: { line: keep(line), block: keep(block), branch: keep(branch), hits: keep(hits) },
  };
}

/** Asked for lines in order. */
function createIsIn(ranges: readonly LineRange[]): (line: number) => boolean {
  let at = 0;
  return (line) => {
    while (at < ranges.length && (ranges[at] as LineRange)[1] < line) at += 1;
    return at < ranges.length && (ranges[at] as LineRange)[0] <= line;
  };
}

/** By their names where the change begins. */
function withUnknown(patch: Diff, unknown: ReadonlySet<string>): Diff {
  if (unknown.size === 0) return patch;
  const nameBefore = ({ name, previousName }: FileDiff): string => normalizeFileName(previousName ?? name);
  const named = new Set(patch.files.map(nameBefore));
  const others = [...unknown].filter((name) => !named.has(name));
  return {
    complete: patch.complete,
    files: [
      ...patch.files.map((file) => (unknown.has(nameBefore(file)) && isChange(file) ? unknownDiff(file) : file)),
      ...others.map((name) => unknownFile(name)),
    ],
  };
}

function isChange({ kind }: FileDiff): boolean {
  return kind === 'modified' || kind === 'renamed';
}

function unknownFile(name: string): FileDiff {
  return { name, previousName: undefined, kind: 'modified', hunks: [], complete: false };
}
