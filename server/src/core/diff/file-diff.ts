import { normalizeFileName } from '../coverage/file-name.ts';

/**
 * One run of lines that were taken out, put in, or replaced, without any unchanged line in it. Lines count from 1.
 * If none was taken out, `oldStart` is the old line that the new ones stand before (git writes the one before that);
 * `newStart` likewise if none was put in.
 */
export interface Hunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
}

export type DiffKind = 'added' | 'removed' | 'modified' | 'renamed';

/** What changed in one file. */
export interface FileDiff {
  /** The new name; of a removed file, the one it had. As git gives it: repo-relative, not yet normalized. */
  readonly name: string;
  /** For a renamed file, else undefined. */
  readonly previousName: string | undefined;
  readonly kind: DiffKind;
  /** In order, with at least one unchanged line between two; empty if not `complete`. */
  readonly hunks: readonly Hunk[];
  /**
   * False if the hunks are not known (binary, left out, cut off, garbled). For an added or removed file no hunk is
   * needed: every line is new, or removed.
   */
  readonly complete: boolean;
  /** Set where its hunks come from the upload, and the list of files from elsewhere. */
  readonly source?: 'upload';
}

/**
 * Lines that one diff may put into files that were there before: more than any person writes. Carried lines move behind
 * them (rule 16), so that they are what a diff of some bytes could make of a report.
 */
export const MAX_ADDED_LINES = 2 ** 22;

/** What changed between two commits. */
export interface Diff {
  readonly files: readonly FileDiff[];
  /** False if more files may have changed than are listed. */
  readonly complete: boolean;
}

/** The files of a diff by their normalized names (rule 6), under which reports know them. */
export interface DiffIndex {
  readonly byName: ReadonlyMap<string, FileDiff>;
  /** Renamed files only. */
  readonly byPreviousName: ReadonlyMap<string, FileDiff>;
}

/**
 * A name that occurs twice (a file that became a link is a removed and an added one) is modified in a way that is not
 * known.
 */
export function indexDiffs(files: readonly FileDiff[]): DiffIndex {
  const byName = new Map<string, FileDiff>();
  const byPreviousName = new Map<string, FileDiff>();
  for (const file of files) {
    const name = normalizeFileName(file.name);
    byName.set(name, byName.has(name) ? { ...unknownDiff(file), kind: 'modified', previousName: undefined } : file);
  }
  for (const file of byName.values()) {
    if (file.previousName !== undefined) byPreviousName.set(normalizeFileName(file.previousName), file);
  }
  return { byName, byPreviousName };
}

/** Lines that are put into files that were there before. */
export function countAddedLines(files: readonly FileDiff[]): number {
  return files.reduce((sum, { kind, hunks }) => sum + (kind === 'added' || kind === 'removed' ? 0 : addedBy(hunks)), 0);
}

function addedBy(hunks: readonly Hunk[]): number {
  return hunks.reduce((sum, { newLines }) => sum + newLines, 0);
}

/** The same file, its hunks not known. */
export function unknownDiff(file: FileDiff): FileDiff {
  return { ...file, hunks: [], complete: false };
}
