import type { DiffHunk } from '@coverage/shared';

/** Hunks by the blobs of both sides (`<old>..<new>`); null if git calls every file of them binary. */
export type HunksByBlobs = ReadonlyMap<string, DiffHunk[] | null>;

const INDEX = /^index ([0-9a-f]+\.\.[0-9a-f]+)/;
const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
/** Enough of a line of git's own to read it; the rest is the name of a function or a file. */
const MAX_KEPT = 200;
const LINE_FEED = 10;
const BACKSLASH = 92;

/**
 * Reads what `git diff-tree -p -U0 --full-index` prints, piece by piece, and keeps line numbers only. Files are known
 * by their blobs, so that no name has to be read: equal blobs have equal hunks.
 * Source: git-diff-tree(1), "Generating patch text with -p".
 */
export class HunkReader {
  readonly #byBlobs = new Map<string, DiffHunk[] | null>();
  readonly #limit: number;
  #count = 0;
  /** The file that is being read, and its hunks so far. */
  #current: string | undefined;
  #hunks: DiffHunk[] | null = [];
  /** Lines of text that still belong to the hunk. */
  #body = 0;
  #line = '';
  /** The first byte of the line; below 0 at its start. */
  #first = -1;

  /** `limit`: hunks of all files. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** False: there are more hunks than the limit, so reading further makes no sense. */
  read(piece: Buffer): boolean {
    for (let start = 0; ; ) {
      const end = piece.indexOf(LINE_FEED, start);
      const stop = end < 0 ? piece.length : end;
      if (this.#first < 0 && stop > start) this.#first = piece[start] as number;
      if (this.#body === 0 && this.#line.length < MAX_KEPT) {
        this.#line += piece.toString('latin1', start, Math.min(stop, start + MAX_KEPT));
      }
      if (end < 0) return true;
      this.#endLine();
      if (this.#count > this.#limit) return false;
      start = end + 1;
    }
  }

  /** `whole`: git printed everything. If not, the hunks of the last file may not be all of it, and it is left out. */
  finish(whole: boolean): HunksByBlobs {
    if (whole) this.#store();
    return this.#byBlobs;
  }

  #store(): void {
    if (this.#current === undefined) return;
    // Attributes of its name may make git call one of two equal files binary; the other one's hunks hold for both.
    if (this.#hunks !== null || !this.#byBlobs.has(this.#current)) this.#byBlobs.set(this.#current, this.#hunks);
  }

  #endLine(): void {
    // "\ No newline at end of file" is printed among the lines of a hunk, but is none of them.
    if (this.#body > 0) this.#body -= this.#first === BACKSLASH ? 0 : 1;
    else this.#readHeading(this.#line);
    this.#line = '';
    this.#first = -1;
  }

  #readHeading(line: string): void {
    const blobs = INDEX.exec(line)?.[1];
    const hunk = HUNK.exec(line);
    if (blobs !== undefined) {
      this.#store();
      this.#current = blobs;
      this.#hunks = [];
    } else if (line.startsWith('Binary files ')) this.#hunks = null;
    else if (hunk !== null) this.#addHunk(hunk);
  }

  #addHunk([, old, oldCount = '1', now, newCount = '1']: RegExpExecArray): void {
    const [oldLines, newLines] = [Number(oldCount), Number(newCount)];
    this.#body = oldLines + newLines;
    this.#count += 1;
    // For no lines, git names the line before.
    const hunk: DiffHunk = [
      Number(old) + (oldLines === 0 ? 1 : 0),
      oldLines,
      Number(now) + (newLines === 0 ? 1 : 0),
      newLines,
    ];
    this.#hunks?.push(hunk);
  }
}
