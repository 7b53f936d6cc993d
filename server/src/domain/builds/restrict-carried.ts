import { type Column, NOT_RELEVANT, narrowColumn } from '../coverage/column.ts';
import type { BranchColumns, FileCoverage, Report } from '../coverage/file-coverage.ts';
import { normaliseFileName } from '../coverage/file-name.ts';
import { mergeReports } from '../coverage/merge.ts';
import {
  countAddedLines,
  type Diff,
  type DiffIndex,
  type FileDiff,
  indexDiffs,
  MAX_ADDED_LINES,
} from '../diff/file-diff.ts';
import { moveCoverage } from '../diff/line-map.ts';

/** A carried report as it counts in the build. */
export interface FittedReport {
  readonly report: Report;
  /** Files of which only lines count that the build's own jobs call relevant: how lines moved is not known. */
  readonly restricted: number;
}

/** What became of one carried file; no file where it was removed. */
interface Fitted {
  readonly file: FileCoverage | undefined;
  readonly restricted: boolean;
}

interface FitContext {
  /** The files of the build's own jobs, by name. */
  readonly own: ReadonlyMap<string, FileCoverage>;
  readonly diffs: DiffIndex;
}

/**
 * Rule 16: the lines of a file that has changed since are moved by the diff from the carried report's commit to the
 * build's, whether or not a job of the build names it. Where there is none, and both digests are known and different,
 * its hits count only on lines that the build's own jobs call relevant.
 *
 * A file that the diff renames has its new name. One that it removes is gone, unless a job of the build names it. A
 * diff that adds more than MAX_ADDED_LINES counts as none: an upload may state anything.
 */
export function restrictCarried(carried: Report, own: Report, diff?: Diff): FittedReport {
  const changed = diff?.files ?? [];
  const context: FitContext = {
    own: new Map(own.files.map((file) => [file.name, file])),
    diffs: indexDiffs(countAddedLines(changed) > MAX_ADDED_LINES ? [] : changed),
  };
  const fitted = carried.files.map((file) => fitFile(file, context));
  const files = fitted.map(({ file }) => file).filter((file) => file !== undefined);
  const renamed = fitted.some(({ file }, index) => file !== undefined && file.name !== carried.files[index]?.name);
  return {
    // A new name may belong elsewhere in the order, or to another carried file too.
    report: renamed ? mergeReports(files.map((file) => ({ files: [file] }))) : { files },
    restricted: fitted.filter((one) => one.restricted).length,
  };
}

function fitFile(file: FileCoverage, context: FitContext): Fitted {
  const { own, diffs } = context;
  const current = own.get(file.name);
  const diff = diffs.byName.get(file.name);
  if (current !== undefined) {
    if (isOtherText(file, current)) return fitChanged(file, current, diff);
    const isSameText = current.digest !== undefined && current.digest === file.digest;
    return kept((isSameText ? undefined : moveChanged(file, current, diff)) ?? file);
  }
  const rename = diffs.byPreviousName.get(file.name);
  if (rename !== undefined) return fitRenamed(file, own.get(normaliseFileName(rename.name)), rename);
  if (diff?.kind === 'removed') return { file: undefined, restricted: false };
  return kept(moveChanged(file, undefined, diff) ?? file);
}

/** A diff of other texts (without hunks, or of a file that was not there) moves nothing. */
function fitChanged(file: FileCoverage, current: FileCoverage, diff: FileDiff | undefined): Fitted {
  const moved = moveChanged(file, current, diff);
  return moved === undefined ? { file: restrictFile(file, current), restricted: true } : kept(moved);
}

/** Whether a job of the build names the file or not; undefined where no diff tells how its lines moved. */
function moveChanged(
  file: FileCoverage,
  current: FileCoverage | undefined,
  diff: FileDiff | undefined,
): FileCoverage | undefined {
  const moved = diff?.kind === 'modified' && diff.hunks.length > 0 ? moveCoverage(file, diff) : undefined;
  return moved && { ...moved, digest: current?.digest, source: current?.source };
}

/** `current`: the file under its new name, where the build's own jobs name it. */
function fitRenamed(file: FileCoverage, current: FileCoverage | undefined, rename: FileDiff): Fitted {
  const named = { ...file, name: normaliseFileName(rename.name) };
  const isSameText = current?.digest !== undefined && current.digest === file.digest;
  const isOther = current !== undefined && isOtherText(file, current);
  if (isSameText || (rename.complete && rename.hunks.length === 0 && !isOther)) return kept(named);
  const moved = rename.hunks.length > 0 ? moveCoverage(file, rename) : undefined;
  if (moved !== undefined) return kept({ ...moved, digest: current?.digest, source: current?.source });
  return current === undefined ? kept(file) : { file: restrictFile(named, current), restricted: true };
}

function kept(file: FileCoverage): Fitted {
  return { file, restricted: false };
}

function isOtherText(file: FileCoverage, current: FileCoverage): boolean {
  return file.digest !== undefined && current.digest !== undefined && file.digest !== current.digest;
}

/**
 * The carried file takes the digest and source of the current text, since its remaining lines are lines of that text.
 */
function restrictFile(carried: FileCoverage, current: FileCoverage): FileCoverage {
  const relevant = (line: number): boolean => (current.hits[line - 1] ?? NOT_RELEVANT) >= 0;
  const length = Math.min(carried.hits.length, current.hits.length);
  const hits = narrowColumn(
    carried.hits.subarray(0, length).map((value, index) => (relevant(index + 1) ? value : NOT_RELEVANT)),
  );
  return {
    name: carried.name,
    digest: current.digest,
    source: current.source,
    hits,
    branches: keepBranches(carried.branches, relevant),
  };
}

function keepBranches(branches: BranchColumns, keep: (line: number) => boolean): BranchColumns {
  const kept = (column: Column): Column =>
    narrowColumn(column.filter((_, index) => keep(branches.line[index] as number)));
  return {
    line: kept(branches.line),
    block: kept(branches.block),
    branch: kept(branches.branch),
    hits: kept(branches.hits),
  };
}
