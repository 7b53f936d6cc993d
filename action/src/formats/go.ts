import {
  type CoverageFormat,
  expectedForm,
  expectedLinesTo,
  lineZeroLeftOut,
  type ParsedReport,
} from './coverage-format.ts';
import { FileHits, MAX_LINE } from './file-hits.ts';
import { HitFiles } from './hit-files.ts';
import { MAX_HITS } from './hits-text.ts';
import { type Block, damage, type ReportBytes, scanBlocks } from './report-bytes.ts';

const NEWLINE = 10;
const SPACE = 32;
const COLON = 58;
const POSITION = /^(\d{1,15})\.(\d{1,15}),(\d{1,15})\.(\d{1,15})$/;
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

class GoReader {
  readonly #report: ReportBytes;
  /** Its blocks stand as branches here, since -coverpkg names each once per test binary: their key is the position. */
  readonly #blocks = new HitFiles();
  #line = 0;
  #lineZero = 0;

  constructor(report: ReportBytes) {
    this.#report = report;
  }

  read(): ParsedReport {
    scanBlocks(this.#report, (block) => this.#scan(block));
    const { path } = this.#report;
    const files = new HitFiles();
    for (const blocks of this.#blocks.packed()) files.add(this.#linesOf(blocks));
    const warnings = this.#lineZero === 0 ? [] : [lineZeroLeftOut(path, { count: this.#lineZero, what: 'block' })];
    return { files: files.packed(), sources: [], warnings, importPaths: true };
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
    const match = POSITION.exec(position);
    if (match === null) throw this.#damaged(`${name}:${position}`);
    const [first = 0, column = 0, last = 0, lastColumn = 0] = match.slice(1).map(Number);
    if (Math.max(first, last) > MAX_LINE) {
      throw damage(this.#report, this.#line, expectedLinesTo(MAX_LINE, `${name}:${position}`));
    }
    this.#blocks.file(name).addBranch(first, last, columnsOf(column, lastColumn), Math.min(count, MAX_HITS));
  }

  /** A line has the largest count of its blocks: with the largest first it is set once, however many hold it. */
  #linesOf(blocks: FileHits): FileHits {
    const file = new FileHits(blocks.name);
    const byCount: { readonly first: number; readonly last: number; readonly count: number }[] = [];
    blocks.eachBranch((first, last, _, count) => {
      byCount.push({ first: Math.max(first, 1), last, count });
      if (first === 0) this.#lineZero += 1;
    });
    byCount.sort((a, b) => b.count - a.count);
    const isSet = new Skips(byCount.reduce((max, { last }) => Math.max(max, last), 0));
    for (const { first, last, count } of byCount) {
      for (let line = isSet.next(first); line <= last; line = isSet.next(line)) {
        file.addLine(line, count);
        isSet.add(line);
      }
    }
    return file;
  }

  #damaged(found: string): Error {
    return damage(this.#report, this.#line, expectedForm(FORM, found.trim()));
  }
}

/** No column is larger; two of them fit in one number. */
const MAX_COLUMN = 0xffff;

function columnsOf(first: number, last: number): number {
  return Math.min(first, MAX_COLUMN) * (MAX_COLUMN + 1) + Math.min(last, MAX_COLUMN);
}

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

function lastBefore(text: Buffer, byte: number, { start, end }: { start: number; end: number }): number {
  let at = end - 1;
  while (at >= start && text[at] !== byte) at -= 1;
  return at;
}
