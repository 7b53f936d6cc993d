import type { Column } from '../coverage/column.ts';
import type { FileCoverage, Report } from '../coverage/file-coverage.ts';
import { normaliseFileName } from '../coverage/file-name.ts';
import { compareNames } from '../coverage/merge.ts';
import { type CoverageTotals, fileTotals } from '../coverage/totals.ts';
import { type Diff, type FileDiff, indexDiffs } from '../diff/file-diff.ts';
import { type FileChange, MAX_FILE_CHANGES, MAX_RANGES } from './build.ts';

/** The diffs that say which files changed. */
export interface FileDiffs {
  /** From the base's commit to the build's, by which a renamed file is compared with the one it was. */
  readonly base?: Diff | undefined;
  /** The change's own: where it is known, it alone decides which files changed. */
  readonly patch?: Diff | undefined;
}

/**
 * What moved between a base's report and a build's: changed files, those that only one of them measures, and files
 * that lost coverage though they did not change.
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
  const comparing = { kindOf: createKindOf(diffs.patch ?? diffs.base), isSameText: createIsSameText(diffs.base) };
  const changes = [
    ...report.files.map((file) => compareFile(file, before.get(file.name), comparing)),
    ...base.files.filter((file) => !after.has(file.name)).map((file) => compareFile(undefined, file, comparing)),
  ].filter((change) => change !== undefined);
  changes.sort((a, b) => kindOrder(a) - kindOrder(b) || missedMore(b) - missedMore(a) || compareNames(a.name, b.name));
  return { changes: changes.slice(0, MAX_FILE_CHANGES), count: changes.length };
}

/**
 * Inclusive 1-based ranges of relevant lines without hits, the first of them and how many there are; lines that are not
 * relevant do not break a range. Not all are kept: a hostile file may have millions. `before`: of the same text; only
 * what was not missed then is listed.
 */
export function uncoveredRanges(
  hits: Column,
  before?: Column,
): {
  readonly ranges: readonly (readonly [first: number, last: number])[];
  readonly count: number;
} {
  const ranges: [number, number][] = [];
  let count = 0;
  let open = false;
  for (let index = 0; index < hits.length; index += 1) {
    const value = hits[index] as number;
    if (value > 0 || (value === 0 && before?.[index] === 0)) open = false;
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

/** What the files that the diff renames were before, by their new names; both sides must name them so. */
function findRenames(
  before: ReadonlyMap<string, FileCoverage>,
  after: ReadonlySet<string>,
  diff: Diff | undefined,
): ReadonlyMap<string, FileCoverage> {
  const renames = new Map<string, FileCoverage>();
  for (const [previousName, { name: newName }] of indexDiffs(diff?.files ?? []).byPreviousName) {
    const [name, old] = [normaliseFileName(newName), before.get(previousName)];
    if (old !== undefined && after.has(name) && !after.has(previousName) && !before.has(name)) renames.set(name, old);
  }
  return renames;
}

function compareFile(
  file: FileCoverage | undefined,
  base: FileCoverage | undefined,
  { kindOf, isSameText }: Comparing,
): FileChange | undefined {
  const kind = kindOf(file, base);
  if (kind === undefined) return undefined;
  const totals = file && fileTotals(file);
  const baseTotals = base && fileTotals(base);
  const before = kind === 'elsewhere' ? base?.hits : undefined;
  const { ranges, count } = file ? uncoveredRanges(file.hits, before) : { ranges: [], count: 0 };
  const name = (file ?? base)?.name ?? '';
  const change = { name, kind, totals, baseTotals, uncovered: ranges, uncoveredRanges: count };
  if (kind !== 'elsewhere' || file === undefined || base === undefined || !isSameText(file, base)) return change;
  const lost = uncoveredRanges(lostLines(file.hits, base.hits));
  return { ...change, newlyMissed: lost.ranges, newlyMissedRanges: lost.count };
}

interface Comparing {
  readonly kindOf: KindOf;
  readonly isSameText: (file: FileCoverage, base: FileCoverage) => boolean;
}

/** By the reports' digests, or by a diff from the base's own commit that lists every file. */
function createIsSameText(diff: Diff | undefined): Comparing['isSameText'] {
  const listed = diff?.complete === true ? indexDiffs(diff.files).byName : undefined;
  return (file, base) =>
    (file.digest !== undefined && file.digest === base.digest) || (listed !== undefined && !listed.has(file.name));
}

/** The hits of a file, in which lines that were missed before break a range as covered ones do. */
function lostLines(hits: Column, before: Column): Column {
  return hits.map((value, index) => (value === 0 && !((before[index] ?? -1) > 0) ? 1 : value));
}

/** What a file in one report or in both is; undefined: nothing of it is worth a row. */
type KindOf = (file: FileCoverage | undefined, base: FileCoverage | undefined) => FileChange['kind'] | undefined;

/** A diff that does not list every file says nothing of the others. */
function createKindOf(diff: Diff | undefined): KindOf {
  if (diff === undefined) return kindByText;
  const { byName, byPreviousName } = indexDiffs(diff.files);
  return (file, base) => {
    const found = (file && byName.get(file.name)) ?? (base && (byName.get(base.name) ?? byPreviousName.get(base.name)));
    if (found !== undefined && isMoved(found)) return kindByText(file, base);
    if (found !== undefined) return file === undefined ? 'removed' : found.kind === 'added' ? 'added' : 'changed';
    if (!diff.complete) return kindByText(file, base);
    if (file === undefined) return 'no-longer-measured';
    return base === undefined ? 'newly-measured' : lossOf(file, base);
  };
}

/** Renamed, with its text as it was. */
function isMoved({ kind, complete, hunks }: FileDiff): boolean {
  return kind === 'renamed' && complete && hunks.length === 0;
}

/** Where no diff is known the reports' digests tell whether the text is another. */
function kindByText(...[file, base]: Parameters<KindOf>): ReturnType<KindOf> {
  if (file === undefined) return 'removed';
  if (base === undefined) return 'added';
  if (file.digest !== undefined && base.digest !== undefined && file.digest !== base.digest) return 'changed';
  return lossOf(file, base);
}

function lossOf(file: FileCoverage, base: FileCoverage): 'elsewhere' | undefined {
  return missed(fileTotals(file)) > missed(fileTotals(base)) ? 'elsewhere' : undefined;
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
  return totals.relevantLines - totals.coveredLines + totals.branches - totals.coveredBranches;
}
