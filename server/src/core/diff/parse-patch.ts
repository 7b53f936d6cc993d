import { type DiffKind, type FileDiff, type Hunk, unknownDiff } from './file-diff.ts';
import { countChanges, LineCursor, readHunks } from './read-hunks.ts';

/**
 * One changed file as a provider's API lists it. A copied file is `added`, without a patch: all its lines are new here.
 */
export interface ListedFile {
  readonly name: string;
  readonly previousName: string | undefined;
  readonly kind: DiffKind;
  /** Hunks only, without headers; undefined if the provider leaves it out (too large, binary). */
  readonly patch: string | undefined;
  /** Lines put in and taken out, where stated: a patch that was cut between two hunks shows by them alone. */
  readonly additions?: number | undefined;
  readonly deletions?: number | undefined;
}

/**
 * The diff of one listed file. Whatever the text is, nothing is thrown: a patch that cannot be read, or that does not
 * fit what is stated of the file, is not `complete`. Work grows with the text's length alone. Source: GitHub REST,
 * "Compare two commits".
 */
export function parseFilePatch(file: ListedFile): FileDiff {
  const { name, kind, patch, additions, deletions } = file;
  const previousName = kind === 'renamed' ? file.previousName : undefined;
  const diff: FileDiff = { name, previousName, kind, hunks: [], complete: true };
  const hunks = patch === undefined ? [] : readPatch(patch);
  if (hunks === undefined || (kind === 'renamed' && previousName === undefined)) return unknownDiff(diff);
  // A rename alone comes without a patch. For another file a missing patch says nothing: GitHub counts no lines of
  // a binary one.
  if (hunks.length === 0) return kind === 'renamed' && additions === 0 && deletions === 0 ? diff : unknownDiff(diff);
  const counted = countChanges(hunks);
  const fits = (additions ?? counted.added) === counted.added && (deletions ?? counted.removed) === counted.removed;
  return fits ? withHunks(diff, hunks) : unknownDiff(diff);
}

/** Undefined if anything but hunks is there. */
function readPatch(patch: string): readonly Hunk[] | undefined {
  const cursor = new LineCursor(patch);
  const hunks = readHunks(cursor);
  skipBlank(cursor);
  return cursor.done ? hunks : undefined;
}

/** An added file has no old lines, a removed one no new ones: hunks that say otherwise are not of this file. */
function withHunks(diff: FileDiff, hunks: readonly Hunk[]): FileDiff {
  const { removed, added } = countChanges(hunks);
  const fits = (diff.kind !== 'added' || removed === 0) && (diff.kind !== 'removed' || added === 0);
  return fits ? { ...diff, hunks } : unknownDiff(diff);
}

function skipBlank(cursor: LineCursor): void {
  while (!cursor.done && cursor.first === undefined) cursor.next();
}
