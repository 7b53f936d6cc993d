import type { Report } from '../coverage/file-coverage.ts';
import { normalizeFileName } from '../coverage/file-name.ts';
import { intersectRanges, type LineRange, rangeTotals } from '../coverage/line-ranges.ts';
import {
  addTotals,
  type CoverageTotals,
  equalTotals,
  fileTotals,
  NO_TOTALS,
  reportTotals,
  subtractTotals,
} from '../coverage/totals.ts';
import type { Diff, FileDiff } from '../diff/file-diff.ts';
import {
  addedLines,
  removedLines,
  UNCHANGED_TEXT,
  type UnchangedRun,
  unchangedRuns,
  visitMoved,
} from '../diff/line-map.ts';
import { type FilePair, type FilePart, pairFiles } from '../diff/pair-files.ts';
import {
  type ComparedPlace,
  comparePlaces,
  countMissedBlocks,
  type FlippingLines,
  type MissedBlocks,
} from '../flipping/flipping-lines.ts';
import { bringToMergeBase } from './merge-base-report.ts';

/** Counts of the same part of the code, in the base and in the build. */
export interface Movement {
  readonly before: CoverageTotals;
  readonly after: CoverageTotals;
  /** Lines that were covered and are missed now. 0 where the lines cannot be matched. */
  readonly lostLines: number;
  /** Lines that are covered and were not. */
  readonly gainedLines: number;
}

/** What lines that flip without a change of their text moved, and whether chance moves that many. */
export interface FlippedMovement extends Movement, MissedBlocks {
  /** How many builds are recorded of the base's branch. */
  readonly recorded: number;
}

/**
 * One file's share. `removed` + `rest.before` + `flipped.before` is its count in the base, `changed` + `rest.after` +
 * `flipped.after` its count in the build.
 */
export interface FileSplit {
  /** The name in the build; in the base, of a file that the build does not report. */
  readonly name: string;
  readonly part: FilePart;
  /** Lines that the diff adds (a rewritten line is removed and added), as the build counts them. */
  readonly changed: CoverageTotals;
  /** Lines that the diff takes out, as the base counted them. */
  readonly removed: CoverageTotals;
  /** All other lines; of a file that is not in the diff, all. */
  readonly rest: Movement;
  /** Unchanged lines that flip without a change of their text, if their state is another one. */
  readonly flipped: Movement;
}

/** What others did to a base's counts before the change begins. */
export interface CountsBefore extends CommitsBefore {
  /** The base with it. */
  readonly totals: CoverageTotals;
  /** Lines that they took out, and those that they put in and the change left: base - removed + added = totals. */
  readonly removed: CoverageTotals;
  readonly added: CoverageTotals;
}

/** Commits without a build to compare with, between the base build's and the one where the change begins. */
export interface CommitsBefore {
  /** Undefined if they were not counted: the base build is not one of theirs. */
  readonly commits: number | undefined;
  /** Hostile text; undefined if it is not known. */
  readonly branch: string | undefined;
}

/**
 * The whole change between a base build and a build, in counts that add up exactly:
 * base (before.totals, where others changed something) = removed + outside.before + untouched.before +
 * unexplained.before + unstable.before,
 * head = changed + outside.after + untouched.after + unexplained.after + unstable.after.
 */
export interface ChangeSums {
  readonly base: CoverageTotals;
  readonly head: CoverageTotals;
  /** Absent if the change begins at the base's commit, and in results of earlier versions. */
  readonly before?: CountsBefore | undefined;
  readonly changed: CoverageTotals;
  readonly removed: CoverageTotals;
  /** Unchanged lines of files that the diff names. */
  readonly outside: Movement;
  /** Files that the diff does not name, or that have the same digest. */
  readonly untouched: Movement;
  /** Files whose text changed in a way that is not known. Never guessed. */
  readonly unexplained: Movement;
  /** Lines that flip without a change of their text. Absent if none did, and in results of earlier versions. */
  readonly unstable?: FlippedMovement | undefined;
  /** How many files of unknown change moved. */
  readonly unexplainedFiles: number;
  /**
   * What only the base reports, and no diff takes out: nothing that ran named these files. Absent in results of earlier
   * versions.
   */
  readonly vanished?: { readonly files: number; readonly lines: number } | undefined;
}

/** The sums with the files that they come from. */
export interface ChangeSplit extends ChangeSums {
  /** The files whose counts or lines moved; all others are equal in both. */
  readonly files: readonly FileSplit[];
}

export interface ComparedReports {
  readonly base: Report;
  readonly head: Report;
  /**
   * From the base build's commit to the build's (not from the merge base, where that is another one); undefined if none
   * can be had.
   */
  readonly diff: Diff | undefined;
  /** By file, lines of which no report may be believed (rule 16). */
  readonly unmeasured?: ReadonlyMap<string, readonly LineRange[]> | undefined;
  /** What flips in the text of the base. */
  readonly flipping?: FlippingLines | undefined;
}

export const NO_MOVEMENT: Movement = { before: NO_TOTALS, after: NO_TOTALS, lostLines: 0, gainedLines: 0 };

/** Splits what changed between two reports by the diff of their commits: one pass over the columns, nothing copied. */
export function splitChange(compared: ComparedReports): ChangeSplit {
  let split: ChangeSums = {
    base: NO_TOTALS,
    head: NO_TOTALS,
    changed: NO_TOTALS,
    removed: NO_TOTALS,
    outside: NO_MOVEMENT,
    untouched: NO_MOVEMENT,
    unexplained: NO_MOVEMENT,
    unexplainedFiles: 0,
  };
  const files: FileSplit[] = [];
  const vanished = { files: 0, lines: 0 };
  const places: ComparedPlace[] = [];
  let flipped = NO_MOVEMENT;
  for (const found of pairFiles(compared)) {
    const pair = isTrusted(found, compared) ? found : { ...found, part: 'unexplained' as const, diff: undefined };
    const flipping = findPlaces(pair, compared.flipping);
    const file = splitFile(pair, flipping);
    places.push(...flipping);
    flipped = addMovements(flipped, file.flipped);
    if (pair.after === undefined && pair.part !== 'in-diff' && file.rest.before.relevantLines > 0) {
      vanished.files += 1;
      vanished.lines += file.rest.before.relevantLines;
    }
    split = addFile(split, file);
    if (hasMoved(file)) files.push(file);
  }
  const unstable = equalTotals(flipped.before, flipped.after)
    ? {}
    : { unstable: describeFlipped(flipped, places, compared.flipping) };
  const unexplainedFiles = files.filter(({ part }) => part === 'unexplained').length;
  return { ...split, ...unstable, unexplainedFiles, vanished, files };
}

/** Without the files: of those there may be very many, and no verdict needs them. */
export function sumChange(compared: ComparedReports): ChangeSums {
  const { files: _, ...sums } = splitChange(compared);
  return sums;
}

/** What changed since a base build. */
export interface ChangeDiffs {
  /** From the base build's commit to the build's. */
  readonly base?: Diff | undefined;
  /** What the pull request, or the push, itself changed: from the merge base. */
  readonly patch?: Diff | undefined;
  /** From the base build's commit to where the patch begins; absent if that is the same. */
  readonly before?: DiffBefore | undefined;
}

export interface DiffBefore extends CommitsBefore {
  /** From the base build's commit; undefined if it is not known. */
  readonly diff: Diff | undefined;
}

/**
 * The change of a build: what others did before it is counted apart, and changed lines are its own. Undefined if no
 * diff tells.
 */
export function sumOwnChange(
  reports: Pick<ComparedReports, 'base' | 'head' | 'unmeasured' | 'flipping'>,
  { base: whole, patch, before }: ChangeDiffs,
): ChangeSums | undefined {
  if (before === undefined) return whole && sumChange({ ...reports, diff: whole });
  const { diff, ...commits } = before;
  const begun = patch && diff && bringToMergeBase({ ...reports, between: diff, patch });
  if (begun === undefined) return undefined;
  const flipping = reports.flipping && withoutFiles(reports.flipping, diff?.files ?? []);
  const sums = sumChange({ ...reports, base: begun.report, diff: begun.diff, flipping });
  const { removed, added } = begun;
  return { ...sums, base: reportTotals(reports.base), before: { ...commits, totals: sums.base, removed, added } };
}

/** Files that others changed have their lines elsewhere. */
function withoutFiles(flipping: FlippingLines, files: readonly FileDiff[]): FlippingLines {
  const changed = new Set(
    files.flatMap(({ name, previousName }) => [name, previousName ?? name]).map(normalizeFileName),
  );
  return { ...flipping, files: new Map([...flipping.files].filter(([name]) => !changed.has(name))) };
}

/** Whether what the report says of the lines that the diff adds is about these lines. */
function isTrusted({ after, diff }: FilePair, { unmeasured }: ComparedReports): boolean {
  const lines = after && unmeasured?.get(after.name);
  if (after === undefined || diff === undefined || lines === undefined) return true;
  return equalTotals(rangeTotals(after, intersectRanges(addedLines(diff) ?? [], lines)), NO_TOTALS);
}

/** In a file that the change names, only what is proven to flip counts as such (rules.md "Lines that flip"). */
function findPlaces({ before, after, part, diff }: FilePair, flipping: FlippingLines | undefined) {
  const places = before && flipping?.files.get(before.name);
  if (places === undefined || before === undefined || after === undefined) return [];
  const some = part === 'untouched' ? places : places.filter(({ isProven }) => isProven);
  return comparePlaces(some, { before, after, runs: runsOf(part, diff) });
}

function describeFlipped(
  flipped: Movement,
  places: readonly ComparedPlace[],
  flipping: FlippingLines | undefined,
): FlippedMovement {
  const { chances = [], builds = 0 } = flipping ?? {};
  return { ...flipped, ...countMissedBlocks(places, chances), recorded: builds };
}

function countFlipped(places: readonly ComparedPlace[]): Movement {
  const flips = places.filter(({ wasCovered, isCovered }) => wasCovered !== isCovered);
  const lines = flips.filter(({ isLine }) => isLine);
  const [lost, gained] = [true, false].map((was) => lines.filter(({ wasCovered }) => wasCovered === was).length);
  const branches = flips.length - lines.length;
  const lostBranches = flips.filter(({ isLine, wasCovered }) => !isLine && wasCovered).length;
  const counts = (coveredLines = 0, coveredBranches = 0): CoverageTotals => ({
    coveredLines,
    relevantLines: lines.length,
    coveredBranches,
    branches,
  });
  return {
    before: counts(lost, lostBranches),
    after: counts(gained, branches - lostBranches),
    lostLines: lost ?? 0,
    gainedLines: gained ?? 0,
  };
}

function splitFile({ before, after, part, diff }: FilePair, places: readonly ComparedPlace[]): FileSplit {
  const name = (after ?? before)?.name ?? '';
  const removed = diff && before ? rangeTotals(before, removedLines(diff) ?? []) : NO_TOTALS;
  const changed = diff && after ? rangeTotals(after, addedLines(diff) ?? []) : NO_TOTALS;
  const flipped = countFlipped(places);
  const moved = countMoved({ before, after }, runsOf(part, diff));
  const rest: Movement = {
    before: before ? subtractTotals(subtractTotals(fileTotals(before), removed), flipped.before) : NO_TOTALS,
    after: after ? subtractTotals(subtractTotals(fileTotals(after), changed), flipped.after) : NO_TOTALS,
    lostLines: moved.lostLines - flipped.lostLines,
    gainedLines: moved.gainedLines - flipped.gainedLines,
  };
  return { name, part, changed, removed, rest, flipped };
}

function runsOf(part: FilePart, diff: FileDiff | undefined): readonly UnchangedRun[] {
  if (part === 'unexplained') return [];
  return diff === undefined ? UNCHANGED_TEXT : (unchangedRuns(diff) ?? []);
}

function countMoved(
  { before, after }: Pick<FilePair, 'before' | 'after'>,
  runs: readonly UnchangedRun[],
): Pick<Movement, 'lostLines' | 'gainedLines'> {
  const counts = { lost: 0, gained: 0 };
  const hits = { before: before?.hits ?? NO_HITS, after: after?.hits ?? NO_HITS, runs };
  visitMoved(hits, (_, moved) => {
    counts[moved] += 1;
  });
  return { lostLines: counts.lost, gainedLines: counts.gained };
}

const NO_HITS = new Int32Array();

function addFile(split: ChangeSums, file: FileSplit): ChangeSums {
  const { changed, removed, rest, flipped } = file;
  const whole = {
    ...split,
    base: addTotals(split.base, addTotals(removed, addTotals(rest.before, flipped.before))),
    head: addTotals(split.head, addTotals(changed, addTotals(rest.after, flipped.after))),
    changed: addTotals(split.changed, changed),
    removed: addTotals(split.removed, removed),
  };
  const part = file.part === 'in-diff' ? 'outside' : file.part;
  return { ...whole, [part]: addMovements(split[part], rest) };
}

function addMovements(a: Movement, b: Movement): Movement {
  return {
    before: addTotals(a.before, b.before),
    after: addTotals(a.after, b.after),
    lostLines: a.lostLines + b.lostLines,
    gainedLines: a.gainedLines + b.gainedLines,
  };
}

function hasMoved({ changed, removed, rest, flipped }: FileSplit): boolean {
  return (
    flipped.lostLines + flipped.gainedLines > 0 ||
    [changed, removed].some((totals) => totals.relevantLines + totals.branches > 0) ||
    rest.lostLines + rest.gainedLines > 0 ||
    !equalTotals(rest.before, rest.after)
  );
}
