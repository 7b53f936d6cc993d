import {
  type CoverageFormat,
  expectedBefore,
  expectedForm,
  expectedLinesTo,
  negativeHits,
  type ParsedReport,
} from './coverage-format.ts';
import { type FileHits, MAX_LINE } from './file-hits.ts';
import { HitFiles } from './hit-files.ts';
import { MAX_HITS, readHits } from './hits-text.ts';
import { damage, type ReportBytes, readLines } from './report-bytes.ts';

const LINE = /^ *([^ :]+): *(\d{1,15})(:|-block)(.*)$/;
const BRANCH = /^branch +(\d{1,9}) (?:taken ([^ %]+)(%?)|never executed)(?: \([a-z]+\))*$/;
const OTHER = /^(?:function .* called |call +\d+ |unconditional +\d+ |-{18}$)/;
/** What gcov says of the files, where that was written into the same file. */
const SUMMARY =
  /^(?:|(?:File|Function|Creating|Removing) '.*|No (?:executable lines|branches|calls)|[A-Z][a-z ]+:[\d.]+% of \d+)$/;
const SEPARATOR = '-'.repeat(18);
// biome-ignore lint/suspicious/noControlCharactersInRegex: `gcov -k` colors its counts.
const COLOR = /\x1b\[[\d;]*[A-Za-z]/g;
const MISSED: ReadonlySet<string> = new Set(['#####', '=====']);
const THOUSANDS = ['k', 'M', 'G', 'T', 'P', 'E', 'Z', 'Y'];

/**
 * Annotated sources as gcov and `llvm-cov gcov` write them, one file for each source, or all in one (`gcov -t`). The
 * counts of a template's instances follow their sum: the sum is what counts, as in gcov's own totals.
 */
export const gcov: CoverageFormat = {
  name: 'gcov',
  globs: ['*.gcov'],
  onePerSource: true,
  matches: (head) => /^ *-: +0:(?:Source|Colorization):/.test(head.slice(0, 200).replaceAll(COLOR, '')),
  parse: (report) => new GcovReader(report).read(),
};

class GcovReader {
  readonly #report: ReportBytes;
  readonly #files = new HitFiles();
  #file: FileHits | undefined;
  #at = 0;
  #line = 0;
  #negative = 0;
  #isInstance = false;
  #afterSeparator = false;

  constructor(report: ReportBytes) {
    this.#report = report;
  }

  read(): ParsedReport {
    readLines(this.#report, (text, at) => {
      this.#at = at;
      this.#read(text.includes('\x1b') ? text.replaceAll(COLOR, '') : text);
    });
    const negative = negativeHits(this.#report.path, { count: this.#negative });
    return { files: this.#files.packed(), sources: [], warnings: this.#negative === 0 ? [] : [negative] };
  }

  #read(text: string): void {
    const match = LINE.exec(text);
    if (this.#afterSeparator) this.#isInstance = match === null && !OTHER.test(text) && !BRANCH.test(text);
    const isName = this.#afterSeparator && this.#isInstance;
    this.#afterSeparator = text === SEPARATOR;
    if (match !== null) this.#readLine(match);
    else if (text.startsWith('branch ')) this.#readBranch(text);
    else if (!isName && !OTHER.test(text) && !SUMMARY.test(text)) throw this.#damaged('<count>:<line>:<source>', text);
  }

  #readLine([text, count = '', number = '', mark, rest = '']: RegExpExecArray): void {
    const line = Number(number);
    if (line === 0) {
      if (rest.startsWith('Source:')) this.#open(rest.slice('Source:'.length).trim());
      return;
    }
    if (line > MAX_LINE) throw damage(this.#report, this.#at, expectedLinesTo(MAX_LINE, text));
    if (mark !== ':') return;
    const file = this.#current();
    this.#line = line;
    const hits = count === '-' ? undefined : this.#hits(count, text);
    if (hits !== undefined && !this.#isInstance) file.addLine(line, hits);
  }

  #open(name: string): void {
    if (name === '')
      throw damage(this.#report, this.#at, 'expected the name of a source file after Source:, got nothing');
    this.#file = this.#files.file(name);
    this.#line = 0;
    this.#isInstance = false;
  }

  #readBranch(text: string): void {
    const match = BRANCH.exec(text);
    if (match === null) throw this.#damaged('branch <number> taken <count>', text);
    const [, branch, taken = '0', percent] = match;
    const hits = this.#hits(taken, text);
    if (this.#isInstance || this.#line === 0) return;
    this.#current().addBranch(this.#line, 0, Number(branch), percent === '%' ? Math.min(hits, 1) : hits);
  }

  /** `12`, `12*` (some blocks of the line did not run), `1.2k` (`gcov -H`). */
  #hits(count: string, text: string): number {
    if (MISSED.has(count)) return 0;
    const plain = count.replace(/\*$/, '');
    const power = THOUSANDS.indexOf(plain.slice(-1)) + 1;
    const read = readHits(power === 0 ? plain : plain.slice(0, -1));
    if (read === undefined) throw this.#damaged('<count>:<line>:<source>', text);
    if (read.negative) this.#negative += 1;
    if (power === 0) return read.hits;
    return Math.min(Math.round(Number(plain.slice(0, -1)) * 1000 ** power), MAX_HITS);
  }

  #current(): FileHits {
    if (this.#file === undefined) throw damage(this.#report, this.#at, expectedBefore('0:Source:<file>', 'counts'));
    return this.#file;
  }

  #damaged(form: string, found: string): Error {
    return damage(this.#report, this.#at, expectedForm(form, found));
  }
}
