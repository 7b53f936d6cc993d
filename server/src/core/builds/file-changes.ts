import type { Column } from '../coverage/column.ts';
import type { FileCoverage, Report } from '../coverage/file-coverage.ts';
import { normalizeFileName } from '../coverage/file-name.ts';
import { rangeTotals } from '../coverage/line-ranges.ts';
import { compareNames } from '../coverage/merge.ts';
import { type CoverageTotals, fileTotals, missedBranches, missedLines } from '../coverage/totals.ts';
import { type Diff, type FileDiff, indexDiffs } from '../diff/file-diff.ts';
import { UNCHANGED_TEXT, type UnchangedRun, unchangedRuns, visitMoved } from '../diff/line-map.ts';
import { lostBranchLines } from '../diff/lost-branches.ts';
import { type BuildResult, type FileChange, MAX_FILE_CHANGES, MAX_RANGES } from './build.ts';

/** The diffs that say which files changed. */
export interface FileDiffs {
  /** From the base's commit to the build's, by which a renamed file is compared with the one it was. */
  readonly base?: Diff | undefined;
  /** The change's own: where it is known, it alone decides which files changed. */
  readonly patch?: Diff | undefined;
}

/**
 * What moved between a base's report and a build's: changed files, those that only one of them measures, and files
 * that lost coverage though they did not change. Each has its lines that did not change and are missed now (rule 25).
 *
 * Most newly missed lines first; at most MAX_FILE_CHANGES of `count`.
 */
export function compareFiles(
  report: Report,
  base: Report,
  diffs: FileDiffs = {},
): { readonly changes: readonly FileChange[]; readonly count: number } {
  const before = new Map(base.files.map((file) => [file.name, file]));
  const after = new Set(report.files.map((file) => file.name));
  for (const [name, rename] of findRenames(before, after, diffs.base ?? diffs.patch)) {
    before.set(name, rename);
    after.add(rename.name);
  }
  const comparing = { kindOf: createKindOf(diffs.patch ?? diffs.base), unchangedIn: createUnchangedIn(diffs.base) };
  const changes = [
    ...report.files.map((file) => compareFile(file, before.get(file.name), comparing)),
    ...base.files.filter((file) => !after.has(file.name)).map((file) => compareFile(undefined, file, comparing)),
  ].filter((change) => change !== undefined);
  changes.sort((a, b) => kindOrder(a) - kindOrder(b) || missedMore(b) - missedMore(a) || compareNames(a.name, b.name));
  return { changes: changes.slice(0, MAX_FILE_CHANGES), count: changes.length };
}

/**
 * Inclusive 1-based ranges of relevant lines without hits, the first of them and how many there are; lines that are not
 * relevant do not break a range. Not all are kept: a hostile file may have millions.
 */
export function uncoveredRanges(hits: Column): MissedRanges {
  const ranges: [number, number][] = [];
  let count = 0;
  let open = false;
  for (let index = 0; index < hits.length; index += 1) {
    const value = hits[index] as number;
    if (value > 0) open = false;
    else if (value === 0) {
      if (!open) count += 1;
      if (!open && count <= MAX_RANGES) ranges.push([index + 1, index + 1]);
      const last = ranges.at(-1);
      if (open && last && count <= MAX_RANGES) last[1] = index + 1;
      open = true;
    }
  }
  return { ranges, count };
}

interface MissedRanges {
  /** At most MAX_RANGES. */
  readonly ranges: readonly (readonly [first: number, last: number])[];
  /** How many there are in all. */
  readonly count: number;
}

/** What the files that the diff renames were before, by their new names; both sides must name them so. */
function findRenames(
  before: ReadonlyMap<string, FileCoverage>,
  after: ReadonlySet<string>,
  diff: Diff | undefined,
): ReadonlyMap<string, FileCoverage> {
  const renames = new Map<string, FileCoverage>();
  for (const [previousName, { name: newName }] of indexDiffs(diff?.files ?? []).byPreviousName) {
    const [name, old] = [normalizeFileName(newName), before.get(previousName)];
    if (old !== undefined && after.has(name) && !after.has(previousName) && !before.has(name)) renames.set(name, old);
  }
  return renames;
}

function compareFile(
  file: FileCoverage | undefined,
  base: FileCoverage | undefined,
  { kindOf, unchangedIn }: Comparing,
): FileChange | undefined {
  const runs = file && base && unchangedIn(file, base);
  const lost = runs && findLost(file, base, runs);
  const kind = kindOf(file, base, () => hasLost(file, base, { runs, lost }));
  if (kind === undefined) return undefined;
  const totals = file && fileTotals(file);
  const baseTotals = base && fileTotals(base);
  const { ranges, count } = uncoveredOf(file, { base, kind, lost });
  const name = (file ?? base)?.name ?? '';
  const change = { name, kind, totals, baseTotals, uncovered: ranges, uncoveredRanges: count };
  if (lost === undefined || (!isLost(lost) && kind !== 'elsewhere')) return change;
  const { partly } = lost;
  const ofLines = { ...change, newlyMissed: lost.ranges, newlyMissedRanges: lost.count };
  if (partly.length === 0) return ofLines;
  return { ...ofLines, newlyPartly: partly.slice(0, MAX_RANGES), newlyPartlyLines: partly.length };
}

/** For the lines that did not change: those that were covered and are missed now, and those that lost a branch. */
interface Lost extends MissedRanges {
  readonly partly: readonly number[];
}

function findLost(file: FileCoverage, base: FileCoverage, runs: readonly UnchangedRun[]): Lost {
  return { ...lostRanges(file, base, runs), partly: lostBranchLines(base, file, runs) };
}

function isLost({ count, partly }: Lost): boolean {
  return count > 0 || partly.length > 0;
}

/** All missed lines; of a file that did not change those that were not missed before, by number if no diff tells. */
function uncoveredOf(
  file: FileCoverage | undefined,
  { base, kind, lost }: Pick<FileChange, 'kind'> & { base: FileCoverage | undefined; lost: MissedRanges | undefined },
): MissedRanges {
  if (file === undefined) return NONE_MISSED;
  if (kind !== 'elsewhere') return uncoveredRanges(file.hits);
  return lost ?? uncoveredRanges(file.hits.map((value, index) => (value === 0 && base?.hits[index] === 0 ? 1 : value)));
}

const NONE_MISSED: MissedRanges = { ranges: [], count: 0 };

interface Comparing {
  readonly kindOf: KindOf;
  readonly unchangedIn: UnchangedIn;
}

/** The lines that did not change between the texts of two reports; undefined if that is not known. */
type UnchangedIn = (file: FileCoverage, base: FileCoverage) => readonly UnchangedRun[] | undefined;

/** By the reports' digests, or by a diff from the base's own commit. */
function createUnchangedIn(diff: Diff | undefined): UnchangedIn {
  const { byName, byPreviousName } = indexDiffs(diff?.files ?? []);
  return (file, base) => {
    if (file.digest !== undefined && file.digest === base.digest) return UNCHANGED_TEXT;
    const found = byPreviousName.get(base.name) ?? byName.get(file.name);
    if (found !== undefined) return unchangedRuns(found);
    return diff?.complete === true ? UNCHANGED_TEXT : undefined;
  };
}

/** Lines that were covered, did not change, and are missed now; lines that were missed before break a range. */
function lostRanges(file: FileCoverage, base: FileCoverage, runs: readonly UnchangedRun[]): MissedRanges {
  let lost: Column | undefined;
  visitMoved({ before: base.hits, after: file.hits, runs }, (line, moved) => {
    if (moved === 'gained') return;
    lost ??= file.hits.map((value) => (value === 0 ? 1 : value));
    lost[line - 1] = 0;
  });
  return lost === undefined ? NONE_MISSED : uncoveredRanges(lost);
}

/** Whether lines or branches that did not change are missed now; if no diff tells, whether more is missed. */
function hasLost(
  file: FileCoverage | undefined,
  base: FileCoverage | undefined,
  { runs, lost }: { readonly runs: readonly UnchangedRun[] | undefined; readonly lost: Lost | undefined },
): boolean {
  if (file === undefined || base === undefined) return false;
  if (runs === undefined) return missed(fileTotals(file)) > missed(fileTotals(base));
  if (lost !== undefined && isLost(lost)) return true;
  const missedOn = ({ hits, branches }: FileCoverage, starts: 'oldStart' | 'newStart'): number =>
    missedBranches(
      rangeTotals(
        { hits, branches },
        runs.map((run) => [run[starts], run[starts] + run.length - 1]),
      ),
    );
  return missedOn(file, 'newStart') > missedOn(base, 'oldStart');
}

/** What a file in one report or in both is; undefined: nothing of it is worth a row. */
type KindOf = (
  file: FileCoverage | undefined,
  base: FileCoverage | undefined,
  hasLost: () => boolean,
) => FileChange['kind'] | undefined;

/** A diff that does not list every file says nothing of the others. */
function createKindOf(diff: Diff | undefined): KindOf {
  if (diff === undefined) return kindByText;
  const { byName, byPreviousName } = indexDiffs(diff.files);
  return (file, base, hasLost) => {
    const found = (file && byName.get(file.name)) ?? (base && (byName.get(base.name) ?? byPreviousName.get(base.name)));
    if (found !== undefined && isMoved(found)) return kindByText(file, base, hasLost);
    if (found !== undefined) return file === undefined ? 'removed' : found.kind === 'added' ? 'added' : 'changed';
    if (!diff.complete) return kindByText(file, base, hasLost);
    if (file === undefined) return 'no-longer-measured';
    if (base === undefined) return 'newly-measured';
    return hasLost() ? 'elsewhere' : undefined;
  };
}

/** Renamed, with its text as it was. */
function isMoved({ kind, complete, hunks }: FileDiff): boolean {
  return kind === 'renamed' && complete && hunks.length === 0;
}

/** If no diff is known the reports' digests tell whether the text is another. */
function kindByText(...[file, base, hasLost]: Parameters<KindOf>): ReturnType<KindOf> {
  if (file === undefined) return 'removed';
  if (base === undefined) return 'added';
  if (file.digest !== undefined && base.digest !== undefined && file.digest !== base.digest) return 'changed';
  return hasLost() ? 'elsewhere' : undefined;
}

const ORDER: Readonly<Record<FileChange['kind'], number>> = {
  changed: 0,
  added: 0,
  removed: 0,
  'newly-measured': 1,
  'no-longer-measured': 1,
  elsewhere: 2,
};

function kindOrder({ kind }: FileChange): number {
  return ORDER[kind];
}

function missedMore(change: FileChange): number {
  return missed(change.totals) - missed(change.baseTotals);
}

function missed(totals: CoverageTotals | undefined): number {
  if (totals === undefined) return 0;
  return missedLines(totals) + missedBranches(totals);
}

/**
 * The files of which unchanged lines, or branches on them, were covered in the base and are missed now (rule 25); none
 * where something did not report (rule 13).
 */
export function filesWithLostLines(result: {
  readonly verdict: Pick<BuildResult['verdict'], 'state'>;
  readonly fileChanges: readonly FileChange[];
}): readonly FileChange[] {
  const { verdict, fileChanges } = result;
  if (verdict.state === 'incomplete') return [];
  return fileChanges.filter(
    ({ newlyMissedRanges = 0, newlyPartlyLines = 0 }) => newlyMissedRanges + newlyPartlyLines > 0,
  );
}
