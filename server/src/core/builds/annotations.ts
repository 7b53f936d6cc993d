import type { Column } from '../coverage/column.ts';
import type { FileCoverage, Report } from '../coverage/file-coverage.ts';
import { intersectRanges, type LineRange, missedRanges } from '../coverage/line-ranges.ts';
import { compareNames } from '../coverage/merge.ts';
import { type Diff, type DiffIndex, type FileDiff, indexDiffs } from '../diff/file-diff.ts';
import { addedLines, UNCHANGED_TEXT, type UnchangedRun, unchangedRuns } from '../diff/line-map.ts';
import { type AnnotationPlace, type Annotations, MAX_MARKS } from './build-facts.ts';

/** A file with uncovered changed lines. */
interface MissedFile {
  /** In the report. */
  readonly name: string;
  readonly lines: number;
  /** The largest first. */
  readonly places: readonly AnnotationPlace[];
  /** Whether every one of its uncovered changed lines is in one of the places. */
  readonly complete: boolean;
}

/** A diff without any file: both commits hold the same text. */
export const SAME_TEXT: Diff = { files: [], complete: true };

/** Names that git takes and hosts may refuse: one of them must not cost all other annotations. */
const REFUSED_NAME = /\p{Cc}|\p{Cs}/u;

/**
 * Which lines are annotated: the uncovered ones that `patch` adds, as runs of neighbors, under their numbers in the
 * text from which `shown` leads to the tested one.
 *
 * If there are more than MAX_MARKS runs, files take turns, the one with the most uncovered lines first, each with
 * its largest run: no file takes all.
 */
export function markLines(found: { readonly report: Report; readonly patch: Diff; readonly shown: Diff }): Annotations {
  const { report, patch, shown } = found;
  const changes = indexDiffs(patch.files);
  const moves = indexDiffs(shown.files);
  const files = report.files.flatMap((file) => missedFile(file, changes.byName.get(file.name), { shown, moves }));
  files.sort((a, b) => b.lines - a.lines || compareNames(a.name, b.name));
  const places = takeTurns(files);
  return {
    places,
    more: files.reduce((sum, file) => sum + file.places.length, 0) - places.length,
    lostFiles: files.filter((file) => !file.complete).length,
  };
}

interface AnnotatedText {
  readonly shown: Diff;
  readonly moves: DiffIndex;
}

function missedFile(
  file: FileCoverage,
  change: FileDiff | undefined,
  { shown, moves }: AnnotatedText,
): readonly MissedFile[] {
  const added = change === undefined ? undefined : addedLines(change);
  if (change === undefined || added === undefined) return [];
  const lines = countMissed(file.hits, missedRanges(file.hits, added));
  if (lines === 0) return [];
  const move = moves.byName.get(file.name);
  const path = move?.previousName ?? change.name;
  const runs = REFUSED_NAME.test(path) ? [] : runsOf(move, shown);
  const pieces = piecesOf(file, { added, runs });
  const places = joinNeighbors(pieces.map(({ at }) => at)).map(([first, last]) => ({ file: path, first, last }));
  places.sort((a, b) => b.last - b.first - (a.last - a.first) || a.first - b.first);
  return [{ name: file.name, lines, places, complete: pieces.reduce((sum, piece) => sum + piece.lines, 0) === lines }];
}

/** The lines that both texts have; none if no diff is known. */
function runsOf(move: FileDiff | undefined, shown: Diff): readonly UnchangedRun[] {
  if (move !== undefined) return unchangedRuns(move) ?? [];
  return shown.complete ? UNCHANGED_TEXT : [];
}

/** Where the uncovered changed lines are in the annotated text, in order, and how many they are. */
function piecesOf(
  { hits }: FileCoverage,
  { added, runs }: { readonly added: readonly LineRange[]; readonly runs: readonly UnchangedRun[] },
): readonly { readonly at: LineRange; readonly lines: number }[] {
  const kept = runs.map(({ newStart, length }): LineRange => [newStart, newStart + length - 1]);
  let index = 0;
  return missedRanges(hits, intersectRanges(added, kept)).map((range) => {
    while ((kept[index]?.[1] ?? range[0]) < range[0]) index += 1;
    const { oldStart, newStart } = runs[index] ?? { oldStart: 0, newStart: 0 };
    return { at: [range[0] - newStart + oldStart, range[1] - newStart + oldStart], lines: countMissed(hits, [range]) };
  });
}

function countMissed(hits: Column, ranges: readonly LineRange[]): number {
  return ranges.reduce(
    (sum, [first, last]) => sum + hits.subarray(first - 1, last).filter((value) => value === 0).length,
    0,
  );
}

/** What lines of another text lie between is one run in this one. */
function joinNeighbors(ranges: readonly LineRange[]): readonly LineRange[] {
  const joined: [number, number][] = [];
  for (const [first, last] of ranges) {
    const before = joined.at(-1);
    if (before !== undefined && before[1] + 1 === first) before[1] = last;
    else joined.push([first, last]);
  }
  return joined;
}

function takeTurns(files: readonly MissedFile[]): readonly AnnotationPlace[] {
  const taken = files.map((): AnnotationPlace[] => []);
  let left = MAX_MARKS;
  for (let turn = 0; left > 0; turn += 1) {
    const before = left;
    for (const [index, { places }] of files.entries()) {
      const place = places[turn];
      if (place === undefined || left === 0) continue;
      taken[index]?.push(place);
      left -= 1;
    }
    if (left === before) break;
  }
  return taken.flatMap((places) => places.toSorted((a, b) => a.first - b.first));
}
