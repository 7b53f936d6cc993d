import * as say from '../messages/damage.ts';
import type { CoverageFormat, ParsedReport } from './coverage-format.ts';
import { FileHits, MAX_HITS, MAX_LINE } from './file-hits.ts';
import { type Block, damage, type ReportBytes, scanBlocks } from './report-bytes.ts';

const NEWLINE = 10;
const SPACE = 32;
const COLON = 58;
const POSITION = /^(\d{1,15})\.\d{1,15},(\d{1,15})\.\d{1,15}$/;
const COUNTS = /^\d+ (\d+)\s*$/;
const FORM = '<file>:<line>.<column>,<line>.<column> <statements> <count>';

/**
 * Cover profiles of `go test -coverprofile` and `go tool covdata textfmt`, in each mode. Names are import paths. Lines
 * are counted as goveralls and gcov2lcov count them: each from the first to the last of a block.
 */
export const go: CoverageFormat = {
  name: 'go',
  aliases: ['golang'],
  globs: ['cover*.out', 'coverage.txt', 'cover.txt', 'c.out', 'profile.out', 'profile.cov', '*.coverprofile'],
  matches: (head) => /^mode: (?:set|count|atomic)\s/.test(head),
  parse: (report) => new GoReader(report).read(),
};

/** The counts of one file by block (`12.3,14.5`): with -coverpkg each test binary names every block. */
type Blocks = Map<string, number>;

class GoReader {
  readonly #report: ReportBytes;
  readonly #files = new Map<string, Blocks>();
  #line = 0;
  #lineZero = 0;

  constructor(report: ReportBytes) {
    this.#report = report;
  }

  read(): ParsedReport {
    scanBlocks(this.#report, (block) => this.#scan(block));
    const { path } = this.#report;
    const files = [...this.#files].map(([name, blocks]) => this.#linesOf(name, blocks));
    const warnings = this.#lineZero === 0 ? [] : [say.lineZero(path, { count: this.#lineZero, what: 'block' })];
    return { files, sources: [], warnings, importPaths: true };
  }

  #scan({ bytes, end, last }: Block): number {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, end);
    const stop = last ? end : text.lastIndexOf(NEWLINE) + 1;
    for (let at = 0; at < stop; ) {
      this.#line += 1;
      const lineEnd = text.indexOf(NEWLINE, at);
      this.#readLine(text, at, lineEnd);
      at = lineEnd + 1;
    }
    return stop;
  }

  /** A kept position is decoded for itself: cut out of a longer string it would keep all of that in memory. */
  #readLine(text: Buffer, start: number, end: number): void {
    const colon = lastBefore(text, COLON, { start, end });
    const space = text.indexOf(SPACE, colon);
    if (colon > start && space > 0 && space < end) {
      const position = text.toString('latin1', colon + 1, space);
      const count = COUNTS.exec(text.toString('latin1', space + 1, end))?.[1];
      if (count !== undefined) {
        this.#addBlock(text.toString('utf8', start, colon), position, Number(count));
        return;
      }
    }
    const line = text.toString('utf8', start, end);
    // Profiles that were joined with cat have a mode line each.
    if (line.trim() !== '' && !/^(?:\ufeff)?mode: \w+\s*$/.test(line)) throw this.#damaged(line);
  }

  #addBlock(name: string, position: string, count: number): void {
    const blocks: Blocks = this.#files.get(name) ?? new Map();
    if (blocks.size === 0) this.#files.set(name, blocks);
    const known = blocks.get(position);
    if (known === undefined) this.#check(`${name}:${position}`, position);
    blocks.set(position, Math.min((known ?? 0) + count, MAX_HITS));
  }

  #check(found: string, position: string): void {
    const match = POSITION.exec(position);
    if (match === null) throw this.#damaged(found);
    if (Number(match[1]) === 0) this.#lineZero += 1;
    if (Math.max(Number(match[1]), Number(match[2])) <= MAX_LINE) return;
    throw damage(this.#report, this.#line, say.expectedLinesTo(MAX_LINE, found));
  }

  /**
   * Each line has the largest count of its blocks: with the largest first, a line is set once, however many hold it.
   */
  #linesOf(name: string, blocks: Blocks): FileHits {
    const file = new FileHits(name);
    const byCount = [...blocks].map(([position, count]) => ({ ...spanOf(position), count }));
    byCount.sort((a, b) => b.count - a.count);
    const isSet = new Skips(byCount.reduce((most, { last }) => Math.max(most, last), 0));
    for (const { first, last, count } of byCount) {
      for (let line = isSet.next(Math.max(first, 1)); line <= last; line = isSet.next(line)) {
        file.addLine(line, count);
        isSet.add(line);
      }
    }
    this.#files.set(name, NOTHING);
    return file;
  }

  #damaged(found: string): Error {
    return damage(this.#report, this.#line, say.expectedForm(FORM, found.trim()));
  }
}

const NOTHING: Blocks = new Map();

/** Lines that are set, passed over in one step. */
class Skips {
  readonly #to: Int32Array;

  constructor(lines: number) {
    this.#to = Int32Array.from({ length: lines + 2 }, (_, line) => line);
  }

  /** The first line from here on that is not set. */
  next(line: number): number {
    let free = line;
    while (free < this.#to.length && this.#to[free] !== free) free = this.#to[free] as number;
    for (let at = line; at < free; ) {
      const after = this.#to[at] as number;
      this.#to[at] = free;
      at = after;
    }
    return free;
  }

  add(line: number): void {
    this.#to[line] = line + 1;
  }
}

function spanOf(position: string): { readonly first: number; readonly last: number } {
  const [, first, last] = POSITION.exec(position) ?? [];
  return { first: Number(first), last: Number(last) };
}

function lastBefore(text: Buffer, byte: number, { start, end }: { start: number; end: number }): number {
  let at = end - 1;
  while (at >= start && text[at] !== byte) at -= 1;
  return at;
}
