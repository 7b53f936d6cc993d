import type { FileCoverage, Report } from '../coverage/file-coverage.ts';
import { normalizeFileName } from '../coverage/file-name.ts';
import { EVERY_LINE, intersectRanges, type LineRange } from '../coverage/line-ranges.ts';
import { type Diff, type DiffIndex, indexDiffs } from '../diff/file-diff.ts';
import { addedLines } from '../diff/line-map.ts';

/** Lines that nothing ran since they were written, by file: no report of them can be trusted (rule 16). */
export type UnmeasuredLines = ReadonlyMap<string, readonly LineRange[]>;

export interface UnmeasuredSoFar {
  readonly lines: UnmeasuredLines;
  /** Notes a carried report, with the diff from its commit to the build's where that is known. */
  add(carried: Report, diff: Diff | undefined): void;
}

/** Collects the lines of files that carried reports alone name: what a report was carried past, it never measured. */
export function collectUnmeasured(own: Report): UnmeasuredSoFar {
  const measured = new Set(own.files.map(({ name }) => name));
  const lines = new Map<string, readonly LineRange[]>();
  return {
    lines,
    add(carried, diff) {
      const diffs = diff && indexDiffs(diff.files);
      for (const file of carried.files) {
        const { name, since } = linesSince(file, diffs, diff?.complete ?? false);
        if (measured.has(name)) continue;
        const before = lines.get(name);
        // What one of several carried reports measured is measured.
        lines.set(name, before === undefined ? since : intersectRanges(before, since));
      }
    },
  };
}

/** If it is not known how a file changed, all of it may have. */
function linesSince(
  { name }: FileCoverage,
  diffs: DiffIndex | undefined,
  complete: boolean,
): { readonly name: string; readonly since: readonly LineRange[] } {
  const rename = diffs?.byPreviousName.get(name);
  const diff = rename ?? diffs?.byName.get(name);
  if (diff === undefined) return { name, since: complete ? [] : [EVERY_LINE] };
  return {
    name: rename === undefined ? name : normalizeFileName(rename.name),
    since: addedLines(diff) ?? [EVERY_LINE],
  };
}
