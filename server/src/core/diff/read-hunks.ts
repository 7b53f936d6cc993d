import { MAX_FILE_LINES } from '../coverage/file-coverage.ts';
import type { Hunk } from './file-diff.ts';

const HEADER = /^@@ -(\d{1,10})(?:,(\d{1,10}))? \+(\d{1,10})(?:,(\d{1,10}))? @@/;
/** A header with numbers of ten digits is shorter; what follows (the enclosing function) may be of any length. */
const HEADER_LENGTH = 60;

const SPACE = 32;
const PLUS = 43;
const MINUS = 45;
const BACKSLASH = 92;

/** A place in the old and the new text: the lines that come next. */
interface Place {
  readonly old: number;
  readonly new: number;
}

/** What a hunk's header says. */
interface Stated extends Place {
  readonly oldLines: number;
  readonly newLines: number;
}

/**
 * The hunks from the cursor's line on, as many as follow each other, cut down to what changed; the cursor ends behind
 * them. Undefined if they cannot be right: wrong counts, hunks that overlap, or unequal numbers of unchanged lines
 * between two. Source: git-diff(1), "Generating patch text with -p".
 */
export function readHunks(cursor: LineCursor): readonly Hunk[] | undefined {
  const changes: Hunk[] = [];
  let place: Place = { old: 1, new: 1 };
  while (!cursor.done && cursor.startsWith('@@')) {
    const stated = readHeader(cursor.head(HEADER_LENGTH));
    if (stated === undefined || stated.old < place.old || stated.old - place.old !== stated.new - place.new)
      return undefined;
    cursor.next();
    if (!readBody(cursor, stated, changes)) return undefined;
    place = { old: stated.old + stated.oldLines, new: stated.new + stated.newLines };
  }
  return changes;
}

/** Lines taken out and lines put in. */
export function countChanges(hunks: readonly Hunk[]): { readonly removed: number; readonly added: number } {
  let removed = 0;
  let added = 0;
  for (const hunk of hunks) {
    removed += hunk.oldLines;
    added += hunk.newLines;
  }
  return { removed, added };
}

function readHeader(line: string): Stated | undefined {
  const found = HEADER.exec(line);
  if (found === null) return undefined;
  const [oldStart, oldLines, newStart, newLines] = [found[1], found[2] ?? 1, found[3], found[4] ?? 1].map(Number) as [
    number,
    number,
    number,
    number,
  ];
  // For no lines, git names the line before.
  const stated = {
    old: oldStart + (oldLines === 0 ? 1 : 0),
    oldLines,
    new: newStart + (newLines === 0 ? 1 : 0),
    newLines,
  };
  const fits =
    Math.min(stated.old, stated.new) >= 1 &&
    Math.max(stated.old + oldLines, stated.new + newLines) - 1 <= MAX_FILE_LINES;
  return fits ? stated : undefined;
}

/** Reads as many lines as the header states. False if there are other ones. */
function readBody(cursor: LineCursor, stated: Stated, changes: Hunk[]): boolean {
  const oldEnd = stated.old + stated.oldLines;
  const newEnd = stated.new + stated.newLines;
  let old = stated.old;
  let now = stated.new;
  for (; old < oldEnd || now < newEnd; cursor.next()) {
    if (cursor.done) return false;
    // An editor that strips trailing blanks makes an empty line of an empty unchanged one; git apply takes it too.
    const sign = cursor.first ?? SPACE;
    if (sign === BACKSLASH) continue;
    if (sign !== SPACE && sign !== MINUS && sign !== PLUS) return false;
    const removed = sign === MINUS ? 1 : 0;
    const added = sign === PLUS ? 1 : 0;
    if (removed + added > 0) addChange(changes, { oldStart: old, oldLines: removed, newStart: now, newLines: added });
    old += 1 - added;
    now += 1 - removed;
    if (old > oldEnd || now > newEnd) return false;
  }
  while (!cursor.done && cursor.first === BACKSLASH) cursor.next();
  return true;
}

/** Joined to the last one if nothing lies between. */
function addChange(changes: Hunk[], change: Hunk): void {
  const last = changes.at(-1);
  const touches =
    last !== undefined &&
    last.oldStart + last.oldLines === change.oldStart &&
    last.newStart + last.newLines === change.newStart;
  if (!touches) {
    changes.push(change);
    return;
  }
  const { oldStart, newStart } = last;
  changes[changes.length - 1] = {
    oldStart,
    oldLines: last.oldLines + change.oldLines,
    newStart,
    newLines: last.newLines + change.newLines,
  };
}

const CARRIAGE_RETURN = 13;

/** Walks over the lines of a text (ended by a line feed, as git counts them) without copying it. */
export class LineCursor {
  readonly #text: string;
  #start = 0;
  #end = 0;

  constructor(text: string) {
    this.#text = text;
    this.#findEnd();
  }

  /** True after the last line; a final line feed opens no line. */
  get done(): boolean {
    return this.#start >= this.#text.length;
  }

  /** The first UTF-16 code unit of the line; undefined for an empty line (one of a lone carriage return too). */
  get first(): number | undefined {
    if (this.#start >= this.#end) return undefined;
    const code = this.#text.charCodeAt(this.#start);
    return code === CARRIAGE_RETURN && this.#end === this.#start + 1 ? undefined : code;
  }

  startsWith(prefix: string): boolean {
    return this.#text.startsWith(prefix, this.#start);
  }

  /** The beginning of the line, without its end, a carriage return included; at most `limit` code units. */
  head(limit: number): string {
    const cut = this.#end > this.#start && this.#text.charCodeAt(this.#end - 1) === CARRIAGE_RETURN ? 1 : 0;
    return this.#text.slice(this.#start, Math.min(this.#end - cut, this.#start + limit));
  }

  next(): void {
    this.#start = this.#end + 1;
    this.#findEnd();
  }

  #findEnd(): void {
    const at = this.#text.indexOf('\n', this.#start);
    this.#end = at < 0 ? this.#text.length : at;
  }
}
