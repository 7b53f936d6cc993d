import type { FileDiff, Hunk } from './file-diff.ts';
import { markShortestEdit, type SearchLimits } from './shortest-edit.ts';

/** Larger differences are not worth finding: carried hits would be left of nearly no line. About 0.3 s at worst. */
export const DIFF_LIMITS: SearchLimits = { edits: 5_000, steps: 50_000_000 };

/**
 * The lines of a source text. A line feed ends one, with or without a carriage return before it, so that changed line
 * endings move no line; a final one opens none.
 */
export function splitLines(text: string): readonly string[] {
  const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** What changed between two texts of the same file (rule 16); undefined if the difference is beyond the limits. */
export function diffTexts(name: string, texts: { readonly old: string; readonly new: string }): FileDiff | undefined {
  const hunks = diffLines(splitLines(texts.old), splitLines(texts.new));
  return hunks && { name, previousName: undefined, kind: 'modified', hunks, complete: true };
}

/**
 * A shortest list of changes from one text to the other. Common ends and lines that only one text has are set aside
 * first: no common subsequence needs them. Undefined if the rest differs in more than `limits.edits` lines or takes
 * more than `limits.steps`.
 */
export function diffLines(
  old: readonly string[],
  now: readonly string[],
  limits: SearchLimits = DIFF_LIMITS,
): readonly Hunk[] | undefined {
  const shortest = Math.min(old.length, now.length);
  let head = 0;
  while (head < shortest && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < shortest - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail += 1;
  const removed = new Uint8Array(old.length - tail);
  const added = new Uint8Array(now.length - tail);
  const { ids, oldKnown, newKnown } = nameLines(old.slice(head, old.length - tail), now.slice(head, now.length - tail));
  removed.fill(1, head);
  added.fill(1, head);
  const marks = markShortestEdit(pick(ids.old, oldKnown), pick(ids.new, newKnown), limits);
  if (marks === undefined) return undefined;
  oldKnown.forEach((at, index) => {
    removed[head + at] = marks.removed[index] as number;
  });
  newKnown.forEach((at, index) => {
    added[head + at] = marks.added[index] as number;
  });
  return toHunks(removed, added);
}

/** Equal lines as equal numbers, and where the lines stand that both texts have. */
function nameLines(old: readonly string[], now: readonly string[]) {
  const names = new Map<string, number>();
  const nameOf = (line: string): number => {
    const name = names.get(line) ?? names.size;
    names.set(line, name);
    return name;
  };
  const ids = { old: Int32Array.from(old, nameOf), new: Int32Array.from(now, nameOf) };
  const inOld = new Uint8Array(names.size);
  const inNew = new Uint8Array(names.size);
  for (const id of ids.old) inOld[id] = 1;
  for (const id of ids.new) inNew[id] = 1;
  const positions = (all: Int32Array, other: Uint8Array): Int32Array =>
    Int32Array.from(all.keys()).filter((at) => other[all[at] as number] === 1);
  return { ids, oldKnown: positions(ids.old, inNew), newKnown: positions(ids.new, inOld) };
}

function pick(from: Int32Array, positions: Int32Array): Int32Array {
  return positions.map((at) => from[at] as number);
}

/** Walks both texts side by side: what is not marked is common. */
function toHunks(removed: Uint8Array, added: Uint8Array): readonly Hunk[] {
  const hunks: Hunk[] = [];
  let old = 0;
  let now = 0;
  while (old < removed.length || now < added.length) {
    const [oldStart, newStart] = [old, now];
    while (old < removed.length && removed[old] === 1) old += 1;
    while (now < added.length && added[now] === 1) now += 1;
    if (old > oldStart || now > newStart)
      hunks.push({
        oldStart: oldStart + 1,
        oldLines: old - oldStart,
        newStart: newStart + 1,
        newLines: now - newStart,
      });
    old += 1;
    now += 1;
  }
  return hunks;
}
