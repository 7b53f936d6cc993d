import { normalizeFileName } from '../coverage/file-name.ts';
import { type Diff, type FileDiff, type Hunk, indexDiffs } from './file-diff.ts';

/** What led from the new text to the old one. */
export function invertDiff(diff: FileDiff): FileDiff {
  const kinds = { added: 'removed', removed: 'added', modified: 'modified', renamed: 'renamed' } as const;
  return {
    ...diff,
    name: diff.previousName ?? diff.name,
    previousName: diff.previousName === undefined ? undefined : diff.name,
    kind: kinds[diff.kind],
    hunks: diff.hunks.map(({ oldStart, oldLines, newStart, newLines }) => ({
      oldStart: newStart,
      oldLines: newLines,
      newStart: oldStart,
      newLines: oldLines,
    })),
  };
}

/**
 * The part of the changes from one commit to a third (`whole`) that leads to the second, where a change of its own
 * (`own`) begins. The lines of a file that both steps changed in different ways are not known.
 */
export function diffBetween(whole: Diff, own: Diff): Diff {
  const ofOwn = indexDiffs(own.files);
  const ofWhole = indexDiffs(whole.files);
  const before = [...ofWhole.byName].flatMap(([name, file]) => {
    const after = ofOwn.byName.get(name);
    if (after === undefined) return [own.complete ? file : unknownStep(file, file)];
    return isSameStep(file, after) ? [] : [stepBefore(file, after)];
  });
  // What is as it was at first, though the second step changed it, was changed the other way round before.
  const undone = [...ofOwn.byName].flatMap(([name, file]) => {
    if (ofWhole.byName.has(name) || ofWhole.byPreviousName.has(name)) return [];
    return [whole.complete ? invertDiff(file) : unknownStep(file, file)];
  });
  return { files: [...before, ...undone], complete: whole.complete };
}

/** Whether the second step alone made the whole of it. */
function isSameStep(whole: FileDiff, own: FileDiff): boolean {
  if (whole.kind !== own.kind) return false;
  if (whole.kind === 'added' || whole.kind === 'removed') return true;
  if (nameBefore(whole) !== nameBefore(own) || !whole.complete || !own.complete) return false;
  return (
    whole.hunks.length === own.hunks.length && whole.hunks.every((hunk, index) => isSameHunk(hunk, own.hunks[index]))
  );
}

function isSameHunk(one: Hunk, other: Hunk | undefined): boolean {
  return (
    one.oldStart === other?.oldStart &&
    one.oldLines === other.oldLines &&
    one.newStart === other.newStart &&
    one.newLines === other.newLines
  );
}

/** The first of two steps that changed one file. */
function stepBefore(whole: FileDiff, own: FileDiff): FileDiff {
  const isNew = whole.kind === 'added' && (own.kind === 'modified' || own.kind === 'renamed');
  return isNew ? { ...whole, name: own.previousName ?? own.name } : unknownStep(whole, own);
}

function unknownStep(whole: FileDiff, own: FileDiff): FileDiff {
  const [name, previous] = [own.previousName ?? own.name, whole.previousName ?? whole.name];
  const isRenamed = normalizeFileName(name) !== normalizeFileName(previous);
  return {
    name,
    previousName: isRenamed ? previous : undefined,
    kind: isRenamed ? 'renamed' : 'modified',
    hunks: [],
    complete: false,
  };
}

function nameBefore({ name, previousName }: FileDiff): string {
  return normalizeFileName(previousName ?? name);
}
