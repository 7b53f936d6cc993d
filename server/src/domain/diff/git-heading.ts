import type { DiffKind } from './file-diff.ts';
import { readHeaderName, readName } from './git-names.ts';
import type { LineCursor } from './line-cursor.ts';

const GIT_HEADER = 'diff --git ';
/** A merge's diff against several parents: its hunks speak of more than one old text. */
const COMBINED_HEADERS: readonly string[] = ['diff --cc ', 'diff --combined '];

/** What git says of a file before its first hunk. */
export interface GitHeading {
  readonly name: string | undefined;
  readonly previousName: string | undefined;
  readonly kind: DiffKind;
  /** Whether the text differs: then hunks must follow. */
  readonly differs: boolean;
  /** Whether there is anything but the first line. */
  readonly stated: boolean;
  /** False where what follows are not hunks that we can read. */
  readonly readable: boolean;
}

/** Whether a file's part of a diff begins at the cursor. */
export function opensFile(cursor: LineCursor): boolean {
  return cursor.startsWith(GIT_HEADER) || COMBINED_HEADERS.some((header) => cursor.startsWith(header));
}

/**
 * Reads a file's heading; the cursor ends at its first hunk, or at what else comes. Source: git-diff(1), "Generating
 * patch text with -p".
 */
export function readHeading(cursor: LineCursor): GitHeading {
  let heading = readFirstLine(cursor);
  cursor.next();
  while (!cursor.done && cursor.first !== undefined && !cursor.startsWith('@@') && !opensFile(cursor)) {
    const [prefix, note] = HEADING_LINES.find(([start]) => cursor.startsWith(start)) ?? ['', () => UNREADABLE];
    heading = { ...heading, ...note(cursor.rest(prefix.length)), stated: true };
    cursor.next();
  }
  return heading;
}

function readFirstLine(cursor: LineCursor): GitHeading {
  const combined = COMBINED_HEADERS.find((header) => cursor.startsWith(header));
  const name =
    combined === undefined ? readHeaderName(cursor.rest(GIT_HEADER.length)) : readName(cursor.rest(combined.length));
  return {
    name,
    previousName: undefined,
    kind: 'modified',
    differs: false,
    stated: false,
    readable: combined === undefined,
  };
}

const DIFFERS = { differs: true };
const UNREADABLE = { readable: false };

/** Each line that git may put there, by how it begins, and what the rest of it tells. */
const HEADING_LINES: readonly (readonly [prefix: string, note: (rest: string) => Partial<GitHeading>])[] = [
  ['old mode ', () => ({})],
  ['new mode ', () => ({})],
  ['new file mode ', () => ({ kind: 'added' })],
  ['deleted file mode ', () => ({ kind: 'removed' })],
  ['similarity index 100%', () => ({})],
  ['similarity index ', () => DIFFERS],
  ['dissimilarity index ', () => DIFFERS],
  ['rename from ', (rest) => ({ kind: 'renamed', previousName: readName(rest) })],
  ['rename to ', (rest) => ({ name: readName(rest) })],
  // Hunks of a copy speak of the file it was copied from; here all its lines are new.
  ['copy from ', () => ({ kind: 'added', ...UNREADABLE })],
  ['copy to ', (rest) => ({ name: readName(rest) })],
  ['index ', () => DIFFERS],
  ['--- ', () => DIFFERS],
  ['+++ ', () => DIFFERS],
  ['Binary files ', () => UNREADABLE],
  ['GIT binary patch', () => UNREADABLE],
];
