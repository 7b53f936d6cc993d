import type { FileCoverage, Report } from '../coverage/file-coverage.ts';
import { normalizeFileName } from '../coverage/file-name.ts';
import { mergeReports } from '../coverage/merge.ts';
import {
  countAddedLines,
  type Diff,
  type DiffIndex,
  type FileDiff,
  indexDiffs,
  MAX_ADDED_LINES,
  unknownDiff,
} from '../diff/file-diff.ts';
import { moveCoverage } from '../diff/line-map.ts';

/** What is known of the texts that a carried report was made from, and of those that it is laid on. */
export interface TextsSince {
  /** From the commit that the report was made for to the build's, where it is known (rule 16). */
  readonly diff?: Diff | undefined;
  /** Nobody can be asked what changed: what is not known to be another text counts as the same. */
  readonly assumesSame?: boolean | undefined;
}

/** A carried report as it counts in the build. */
export interface FittedReport {
  readonly report: Report;
  /** Files that are left out, since it is not known where their lines are now. */
  readonly leftOut: number;
}

/** A carried file on its new text; `gone`: there is none; `unknown`: nobody knows where its lines are. */
type Fitted = FileCoverage | 'gone' | 'unknown';

interface FitContext {
  /** The files of the build's own jobs, by name. */
  readonly own: ReadonlyMap<string, FileCoverage>;
  readonly diffs: DiffIndex;
  /** Whether a file that no diff names counts as the same text. */
  readonly othersAreSame: boolean;
}

/**
 * Rule 16: a report is never laid on a text that it was not made from. A file of an equal digest stays as it is, any
 * other is moved by the diff, under its new name. If no diff tells, it is left out. A diff that adds more than
 * MAX_ADDED_LINES knows no line: an upload may state anything.
 */
export function fitCarried(carried: Report, own: Report, { diff, assumesSame }: TextsSince): FittedReport {
  const changed = diff?.files ?? [];
  const context: FitContext = {
    own: new Map(own.files.map((file) => [file.name, file])),
    diffs: indexDiffs(countAddedLines(changed) > MAX_ADDED_LINES ? changed.map(unknownDiff) : changed),
    othersAreSame: assumesSame === true || diff?.complete === true,
  };
  const fitted = carried.files.map((file) => fitFile(file, context));
  const files = fitted.filter((file) => file !== 'gone' && file !== 'unknown');
  const renamed = fitted.some((file, index) => typeof file === 'object' && file.name !== carried.files[index]?.name);
  return {
    // A new name may belong elsewhere in the order, or to another carried file too.
    report: renamed ? mergeReports(files.map((file) => ({ files: [file] }))) : { files },
    leftOut: fitted.filter((file) => file === 'unknown').length,
  };
}

function fitFile(file: FileCoverage, { own, diffs, othersAreSame }: FitContext): Fitted {
  const current = own.get(file.name);
  if (isSameText(file, current)) return file;
  const diff = diffs.byPreviousName.get(file.name) ?? diffs.byName.get(file.name);
  if (diff === undefined) return othersAreSame && !isOtherText(file, current) ? file : 'unknown';
  switch (diff.kind) {
    case 'removed':
      return current === undefined ? 'gone' : 'unknown';
    case 'added':
      // It was in no commit then: what it held is not known.
      return 'unknown';
    case 'modified':
      return moveFile(file, diff, current);
    case 'renamed':
      return moveFile(file, diff, own.get(normalizeFileName(diff.name)));
  }
}

/** `current`: what the build's own jobs say of the file under its name of now. */
function moveFile(file: FileCoverage, diff: FileDiff, current: FileCoverage | undefined): Fitted {
  const named = { ...file, name: normalizeFileName(diff.name) };
  if (isSameText(file, current)) return named;
  // Without a hunk all lines stay: what is another text anyway did not come of this diff.
  if (diff.complete && diff.hunks.length === 0) return isOtherText(file, current) ? 'unknown' : named;
  const moved = moveCoverage(file, diff);
  return moved === undefined ? 'unknown' : { ...moved, digest: current?.digest, source: current?.source };
}

function isSameText(file: FileCoverage, current: FileCoverage | undefined): boolean {
  return file.digest !== undefined && current?.digest === file.digest;
}

function isOtherText(file: FileCoverage, current: FileCoverage | undefined): boolean {
  return file.digest !== undefined && current?.digest !== undefined && current.digest !== file.digest;
}
