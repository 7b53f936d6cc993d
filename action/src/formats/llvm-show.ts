import { type CoverageFormat, expectedForm, expectedLinesTo, type ParsedReport } from './coverage-format.ts';
import { type FileHits, MAX_LINE } from './file-hits.ts';
import { HitFiles } from './hit-files.ts';
import { MAX_HITS } from './hits-text.ts';
import { damage, type ReportBytes, readLines } from './report-bytes.ts';

const LINE = /^ *(\d{1,9})\| *(?:(\d+(?:\.\d+)?[kMGTPEZY]?) *)?\|/;
const NAME = /^(\S.*):$/;
/** The arms of a decision. Those of expanded macros and of single instances of a template stand further in. */
const BRANCH =
  /^ {2}\| {2}Branch \((\d+):(\d{1,9})\): \[(?:True: ([\d.]+)([%kA-Z]?), False: ([\d.]+)([%kA-Z]?)|Folded.*)\]$/;
/** Rulers, what stands further in, and the counts of regions below a line. */
const OTHER = /^(?: {2}(?:-{18}$|\|)| *\^[\d.^ kMGTPEZY]*$|\s*$)/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: `llvm-cov show -use-color` colors its counts.
const COLOR = /\x1b\[[\d;]*m/g;
const THOUSANDS = ['k', 'M', 'G', 'T', 'P', 'E', 'Z', 'Y'];

/** Annotated sources as `llvm-cov show` writes them, also `cargo llvm-cov --text`: of each file lines with counts. */
export const llvmShow: CoverageFormat = {
  name: 'llvm-cov-show',
  globs: ['*llvm-cov*.txt'],
  matches: (head) => /^(?:\S.*:\r?\n)? {4}1\| *[\d.]*[kMGTPEZY]?\|/.test(head.slice(0, 8192).replaceAll(COLOR, '')),
  parse: (report) => new ShowReader(report).read(),
};

class ShowReader {
  readonly #report: ReportBytes;
  readonly #files = new HitFiles();
  #file: FileHits | undefined;
  #at = 0;

  constructor(report: ReportBytes) {
    this.#report = report;
  }

  read(): ParsedReport {
    readLines(this.#report, (text, at) => {
      this.#at = at;
      this.#read(text.includes('\x1b') ? text.replaceAll(COLOR, '') : text);
    });
    return { files: this.#files.packed(), sources: [], warnings: [] };
  }

  #read(text: string): void {
    const line = LINE.exec(text);
    if (line !== null) this.#readLine(line);
    else if (text.startsWith('  |  Branch ')) this.#readBranch(text);
    else if (!OTHER.test(text)) this.#open(text);
  }

  #readLine([text, number = '', count]: RegExpExecArray): void {
    const line = Number(number);
    if (line < 1 || line > MAX_LINE) throw damage(this.#report, this.#at, expectedLinesTo(MAX_LINE, text));
    const file = this.#current();
    if (count !== undefined) file.addLine(line, hitsOf(count));
  }

  /** The instances of a template name their decisions again: hits are summed, as in what llvm-cov exports. */
  #readBranch(text: string): void {
    const match = BRANCH.exec(text);
    if (match === null) throw this.#damaged('Branch (<line>:<column>): [True: <count>, False: <count>]', text);
    const [, line, column, taken, takenUnit = '', not, notUnit = ''] = match;
    if (taken === undefined || not === undefined) return;
    if (Number(line) < 1 || Number(line) > MAX_LINE)
      throw damage(this.#report, this.#at, expectedLinesTo(MAX_LINE, text));
    const file = this.#current();
    file.addBranch(Number(line), Number(column), 0, armHits(taken, takenUnit));
    file.addBranch(Number(line), Number(column), 1, armHits(not, notUnit));
  }

  #open(text: string): void {
    const name = NAME.exec(text)?.[1]?.trim();
    if (!name) throw this.#damaged('<line>|<count>|<source>', text);
    this.#file = this.#files.file(name);
  }

  #current(): FileHits {
    if (this.#file === undefined)
      throw damage(
        this.#report,
        this.#at,
        'expected "<file>:" before the lines; of one file llvm-cov leaves it out: run "llvm-cov export" instead',
      );
    return this.#file;
  }

  #damaged(form: string, found: string): Error {
    return damage(this.#report, this.#at, expectedForm(form, found));
  }
}

/** `1.23M` is all that llvm-cov writes of 1234567. */
function hitsOf(count: string): number {
  const power = THOUSANDS.indexOf(count.slice(-1)) + 1;
  if (power === 0) return Math.min(Math.round(Number(count)), MAX_HITS);
  return Math.min(Math.round(Number(count.slice(0, -1)) * 1000 ** power), MAX_HITS);
}

/** For a percentage (`-show-branches=percent`) it is only known whether the arm was taken. */
function armHits(count: string, unit: string): number {
  const hits = hitsOf(unit === '%' ? count : count + unit);
  return unit === '%' ? Number(Number(count) > 0) : hits;
}
