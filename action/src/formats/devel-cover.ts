import { type CoverageFormat, expectedForm, expectedLinesTo, type ParsedReport } from './coverage-format.ts';
import { type FileHits, MAX_LINE } from './file-hits.ts';
import { HitFiles } from './hit-files.ts';
import { readHits } from './hits-text.ts';
import { damage, type ReportBytes, readLines } from './report-bytes.ts';

const LISTING = /^line {2}err .*\bcode$/;
const STATEMENTS = 'stmt';
/** How wide a count is; a larger one moves what follows. */
const WIDTH = 6;
/** How wide a line's number is. */
const NUMBER = 5;
const BRANCHES = /^line {2}err {6}% {3}true {2}false {3}branch$/;
/** The line, where it is another than above; how often the condition was true, and how often false. */
const BRANCH = /^(\d*) +(?:\*\*\* +)?-?[\d.]+ +(-?\d+) +(-?\d+)(?: {3}|$)/;
const FORM = '<line> <stmt>';

/** Devel::Cover's text (`cover -report text`): each source with the counts of its statements, then its branches. */
export const develCover: CoverageFormat = {
  name: 'devel-cover',
  aliases: ['perl'],
  globs: ['devel-cover*.txt'],
  matches: (head) => head.split('\n').some(beginsListing),
  parse: (report) => new DevelCoverReader(report).read(),
};

/** Below a file's name and an empty line. */
function beginsListing(line: string, at: number, lines: readonly string[]): boolean {
  return LISTING.test(line.trimEnd()) && lines[at - 1]?.trim() === '' && (lines[at - 2] ?? '').trim() !== '';
}

class DevelCoverReader {
  readonly #report: ReportBytes;
  readonly #files = new HitFiles();
  #at = 0;
  #part: 'other' | 'listing' | 'branches' = 'other';
  /** The last line that was not empty: above a listing its file's name. */
  #above = '';
  #file: FileHits | undefined;
  /** Where the counts of statements begin in a listing. */
  #counts = 0;
  #line = 0;
  /** The largest count of the line's statements; undefined: it has none. */
  #hits: number | undefined;
  /** How many branches its line had before. */
  #branch = 0;

  constructor(report: ReportBytes) {
    this.#report = report;
  }

  read(): ParsedReport {
    readLines(this.#report, (text, at) => {
      this.#at = at;
      this.#read(text);
    });
    this.#endLine();
    if (this.#file === undefined) throw this.#damaged(FORM, '');
    return { files: this.#files.packed(), sources: [], warnings: [] };
  }

  #read(text: string): void {
    if (text === '') {
      if (this.#part === 'listing') this.#endLine();
      this.#part = 'other';
    } else if (this.#part === 'listing') this.#readRow(text);
    else if (this.#part === 'branches') this.#readBranch(text);
    else if (BRANCHES.test(text)) this.#part = 'branches';
    else if (LISTING.test(text)) this.#open(text);
    if (text !== '') this.#above = text;
  }

  #open(header: string): void {
    const statements = header.indexOf(` ${STATEMENTS} `);
    if (statements < 0) throw this.#damaged('line err stmt ... code', header);
    this.#part = 'listing';
    this.#file = this.#files.file(this.#above);
    this.#counts = statements + 1 + STATEMENTS.length - WIDTH;
    this.#line = 0;
  }

  /** A line with several statements has a row for each, the first with its number. */
  #readRow(text: string): void {
    const [number = ''] = /^\d*/.exec(text) ?? [];
    if (number !== '') this.#begin(number, text);
    const from = this.#counts + Math.max(0, number.length - NUMBER);
    if (text.slice(from, from + WIDTH).trim() === '') return;
    const count = /^ *(-?\d+)(?: |$)/.exec(text.slice(from))?.[1];
    const read = count === undefined ? undefined : readHits(count.replace('-', ''));
    if (count === undefined || read === undefined || this.#line === 0) throw this.#damaged(FORM, text);
    // Marked as not coverable.
    if (!count.startsWith('-')) this.#hits = Math.max(this.#hits ?? 0, read.hits);
  }

  #begin(number: string, text: string): void {
    this.#endLine();
    this.#line = Number(number);
    if (this.#line > MAX_LINE) throw damage(this.#report, this.#at, expectedLinesTo(MAX_LINE, text));
  }

  #endLine(): void {
    if (this.#hits !== undefined) this.#file?.addLine(this.#line, this.#hits);
    this.#hits = undefined;
  }

  /** The text of a branch may continue in lines that are no rows. */
  #readBranch(text: string): void {
    const match = BRANCH.exec(text);
    if (match === null) return;
    const [, number = '', ...arms] = match;
    if (number !== '') [this.#line, this.#branch] = [Math.min(Number(number), MAX_LINE), 0];
    else this.#branch += 1;
    arms.forEach((arm, index) => {
      const read = arm.startsWith('-') ? undefined : readHits(arm);
      if (read !== undefined && this.#line > 0) this.#file?.addBranch(this.#line, this.#branch, index, read.hits);
    });
  }

  #damaged(form: string, found: string): Error {
    return damage(this.#report, this.#at, expectedForm(form, found));
  }
}
