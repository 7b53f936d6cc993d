import { counted } from '../runner/words.ts';
import {
  type CoverageFormat,
  expectedBefore,
  expectedForm,
  lineZeroLeftOut,
  negativeHits,
  type ParsedReport,
  shown,
} from './coverage-format.ts';
import { type FileHits, MAX_LINE } from './file-hits.ts';
import { HitFiles } from './hit-files.ts';
import { readHits } from './hits-text.ts';
import { branchKey, splitBranch } from './lcov-branch.ts';
import { PlainRecords } from './lcov-plain.ts';
import { type Block, damage, type ReportBytes, scanBlocks } from './report-bytes.ts';

const NEWLINE = 10;
const COLON = 58;
const UPPER_A = 65;
const UPPER_Z = 90;
const END = Buffer.from('end_of_record');
const READ = ['SF:', 'DA:', 'BRDA:'].map((name) => Buffer.from(name));
const RECORD = /^[A-Z][A-Z0-9_]*:/;

/**
 * LCOV tracefiles, of lcov 1 and 2 and of everything that writes like them (geninfo(1), "TRACEFILE FORMAT"). Only DA
 * and BRDA count: LF, LH, BRF and BRH are sums that several tools get wrong, and every other record is skipped.
 */
export const lcov: CoverageFormat = {
  name: 'lcov',
  globs: ['lcov*.info', 'coverage*.info', '*.lcov'],
  matches: (head) => /^\s*(?:#.*\r?\n\s*)*(?:TN|SF):/.test(head),
  parse: (report) => new LcovReader(report).read(),
};

class LcovReader {
  readonly #report: ReportBytes;
  readonly #files = new HitFiles();
  readonly #texts = new Map<string, number>();
  readonly #unusual = { negative: 0, firstNegative: 0, lineZero: 0, unknown: 0, firstUnknown: 0 };
  readonly #plain = new PlainRecords();
  #file: FileHits | undefined;
  #line = 0;
  #recordStart = 0;

  constructor(report: ReportBytes) {
    this.#report = report;
  }

  read(): ParsedReport {
    scanBlocks(this.#report, (block) => this.#scan(block));
    if (this.#file !== undefined) {
      throw this.#damaged(
        `expected end_of_record for the record that begins at line ${this.#recordStart}, but the file ends`,
      );
    }
    return { files: this.#files.packed(), sources: [], warnings: this.#warnings() };
  }

  #scan({ bytes, end, last }: Block): number {
    const stop = last ? end : bytes.lastIndexOf(NEWLINE, end - 1) + 1;
    let at = 0;
    while (at < stop) {
      if (this.#file !== undefined) {
        at = this.#plain.read(bytes, at, stop, this.#file);
        this.#line += this.#plain.lines;
        if (at === stop) break;
      }
      this.#line += 1;
      at = this.#readText(bytes, at);
    }
    return stop;
  }

  #readText(bytes: Buffer, start: number): number {
    let end = start;
    while (bytes[end] !== NEWLINE) end += 1;
    if (spells(bytes, start, END) && end === start + END.length) this.#closeRecord();
    else if (!isPassedOver(bytes, start)) {
      const text = bytes.toString('utf8', start, end);
      this.#readRecord(text.endsWith('\r') ? text.slice(0, -1) : text);
    }
    return end + 1;
  }

  #readRecord(text: string): void {
    if (text.startsWith('DA:')) this.#readLine(text.slice(3));
    else if (text.startsWith('BRDA:')) this.#readBranch(text.slice(5));
    else if (text.startsWith('SF:')) this.#openRecord(text.slice(3).trim());
    else if (text.trimEnd() === 'end_of_record') this.#closeRecord();
    else if (text.trim() !== '' && !text.startsWith('#') && !RECORD.test(text)) {
      this.#unusual.firstUnknown ||= this.#line;
      this.#unusual.unknown += 1;
    }
  }

  #openRecord(name: string): void {
    if (name === '') throw this.#damaged('expected the name of a source file after SF:, got nothing');
    if (this.#file !== undefined) {
      throw this.#damaged(
        `expected end_of_record before the next SF:, for the record that begins at line ${this.#recordStart}`,
      );
    }
    this.#file = this.#files.file(name);
    this.#recordStart = this.#line;
  }

  #closeRecord(): void {
    if (this.#file === undefined) throw this.#damaged(expectedBefore('SF:<source file>', 'end_of_record'));
    this.#file = undefined;
  }

  #readLine(text: string): void {
    const [number = '', count = ''] = text.split(',');
    const read = readHits(count);
    if (!/^\s*\d+\s*$/.test(number) || read === undefined) {
      throw this.#damaged(expectedForm('DA:<line>,<hits>', `DA:${text}`));
    }
    const line = this.#lineNumber(number, 'DA');
    if (line === 0) return;
    if (read.negative) this.#countNegative();
    this.#currentFile('DA').addLine(line, read.hits);
  }

  #readBranch(text: string): void {
    const fields = splitBranch(text);
    const read = fields?.taken === '-' ? { hits: 0, negative: false } : readHits(fields?.taken ?? '');
    if (fields === undefined || read === undefined) {
      throw this.#damaged(expectedForm('BRDA:<line>,<block>,<branch>,<hits or ->', `BRDA:${text}`));
    }
    const line = this.#lineNumber(fields.line, 'BRDA');
    if (line === 0) return;
    if (read.negative) this.#countNegative();
    this.#currentFile('BRDA').addBranch(line, this.#key(fields.block), this.#key(fields.branch), read.hits);
  }

  #key(text: string): number {
    let key = this.#texts.get(text);
    if (key === undefined) {
      key = branchKey(text);
      this.#texts.set(text, key);
    }
    return key;
  }

  #lineNumber(text: string, record: string): number {
    const line = Number(text);
    if (line > MAX_LINE)
      throw this.#damaged(`expected a line number up to ${MAX_LINE} after ${record}:, got ${shown(text)}`);
    if (line === 0) this.#unusual.lineZero += 1;
    return line;
  }

  #currentFile(record: string): FileHits {
    if (this.#file === undefined) throw this.#damaged(expectedBefore('SF:<source file>', `${record}:`));
    return this.#file;
  }

  #countNegative(): void {
    this.#unusual.firstNegative ||= this.#line;
    this.#unusual.negative += 1;
  }

  #damaged(expected: string): Error {
    return damage(this.#report, Math.max(this.#line, 1), expected);
  }

  #warnings(): string[] {
    const { path } = this.#report;
    const { negative, firstNegative, lineZero, unknown, firstUnknown } = this.#unusual;
    const warnings: string[] = [];
    if (negative > 0) warnings.push(negativeHits(path, { count: negative, first: firstNegative }));
    if (lineZero > 0) warnings.push(lineZeroLeftOut(path, { count: lineZero, what: 'record' }));
    if (unknown > 0)
      warnings.push(
        `${path}: skipped ${counted(unknown, 'line')} that no LCOV record begins with, ` +
          `the first is line ${firstUnknown}`,
      );
    return warnings;
  }
}

/** Names of tests and functions, and sums: a third of a report, of which no strings need to be made. */
function isPassedOver(bytes: Uint8Array, start: number): boolean {
  if (READ.some((name) => spells(bytes, start, name))) return false;
  let at = start;
  while (isNamePart(bytes[at] as number)) at += 1;
  return at > start && bytes[at] === COLON;
}

function isNamePart(byte: number): boolean {
  return byte >= UPPER_A && byte <= UPPER_Z;
}

function spells(bytes: Uint8Array, start: number, text: Uint8Array): boolean {
  for (let at = 0; at < text.length; at += 1) if (bytes[start + at] !== text[at]) return false;
  return true;
}
