import { diffLines } from '../../../server/src/core/diff/diff-lines.ts';
import type { Hunk } from '../../../server/src/core/diff/file-diff.ts';

/** Unchanged lines that git shows on each side of a change. */
const CONTEXT = 3;

/** The lines of a text, each with its end: a last line without one differs from the same line with one. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function changesOf(old: readonly string[], now: readonly string[]): readonly Hunk[] {
  const hunks = diffLines(old, now);
  if (hunks === undefined) throw new Error('These texts differ too much for a test');
  return hunks;
}

export interface Patch {
  readonly additions: number;
  readonly deletions: number;
  /** From the first hunk on, as GitHub gives it; undefined if no line differs. */
  readonly patch: string | undefined;
}

/** What `git diff` shows of a file, except for the names that it finds for hunks. */
export function writePatch(oldText: string, newText: string): Patch {
  const [old, now] = [linesOf(oldText), linesOf(newText)];
  const hunks = changesOf(old, now);
  const sum = (lines: readonly number[]): number => lines.reduce((all, one) => all + one, 0);
  const shown = groupHunks(hunks).flatMap((group) => writeGroup(group, old, now));
  return {
    additions: sum(hunks.map(({ newLines }) => newLines)),
    deletions: sum(hunks.map(({ oldLines }) => oldLines)),
    patch: shown.length === 0 ? undefined : shown.join('\n'),
  };
}

/** Changes whose context would meet are shown together. */
function groupHunks(hunks: readonly Hunk[]): readonly (readonly Hunk[])[] {
  const groups: Hunk[][] = [];
  for (const hunk of hunks) {
    const last = groups.at(-1)?.at(-1);
    if (last !== undefined && hunk.oldStart - (last.oldStart + last.oldLines) <= 2 * CONTEXT) groups.at(-1)?.push(hunk);
    else groups.push([hunk]);
  }
  return groups;
}

function writeGroup(group: readonly Hunk[], old: readonly string[], now: readonly string[]): readonly string[] {
  const [first, last] = [group[0] as Hunk, group.at(-1) as Hunk];
  const before = Math.min(CONTEXT, first.oldStart - 1);
  const after = Math.min(CONTEXT, old.length - (last.oldStart + last.oldLines - 1));
  const from = first.oldStart - before;
  const to = last.oldStart + last.oldLines + after;
  const newFrom = first.newStart - before;
  const newTo = last.newStart + last.newLines + after;
  const lines = [`@@ -${range(from, to - from)} +${range(newFrom, newTo - newFrom)} @@`];
  let at = from;
  for (const { oldStart, oldLines, newStart, newLines } of group) {
    lines.push(...marked(' ', old.slice(at - 1, oldStart - 1)));
    lines.push(...marked('-', old.slice(oldStart - 1, oldStart - 1 + oldLines)));
    lines.push(...marked('+', now.slice(newStart - 1, newStart - 1 + newLines)));
    at = oldStart + oldLines;
  }
  return [...lines, ...marked(' ', old.slice(at - 1, to - 1))];
}

/** For no lines, git names the line before. */
function range(start: number, lines: number): string {
  if (lines === 1) return String(start);
  return `${lines === 0 ? start - 1 : start},${lines}`;
}

function marked(mark: string, lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) =>
    line.endsWith('\n') ? [`${mark}${line.slice(0, -1)}`] : [`${mark}${line}`, '\\ No newline at end of file'],
  );
}

/** What both sides made of a text, as `git merge -X ours`: where their changes meet, ours alone. */
export function mergeTexts(base: string, ours: string, theirs: string): string {
  const [baseLines, ourLines, theirLines] = [linesOf(base), linesOf(ours), linesOf(theirs)];
  const own = changesOf(baseLines, ourLines).map((hunk) => ({ hunk, lines: ourLines }));
  const meets = (one: Hunk): boolean =>
    own.some(
      ({ hunk }) => one.oldStart <= hunk.oldStart + hunk.oldLines && hunk.oldStart <= one.oldStart + one.oldLines,
    );
  const other = changesOf(baseLines, theirLines)
    .filter((hunk) => !meets(hunk))
    .map((hunk) => ({ hunk, lines: theirLines }));
  const merged: string[] = [];
  let at = 1;
  for (const { hunk, lines } of [...own, ...other].sort((a, b) => a.hunk.oldStart - b.hunk.oldStart)) {
    merged.push(...baseLines.slice(at - 1, hunk.oldStart - 1));
    merged.push(...lines.slice(hunk.newStart - 1, hunk.newStart - 1 + hunk.newLines));
    at = hunk.oldStart + hunk.oldLines;
  }
  return [...merged, ...baseLines.slice(at - 1)].join('');
}
