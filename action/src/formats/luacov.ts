import { type CoverageFormat, expectedForm, expectedLinesTo, type ParsedReport } from './coverage-format.ts';
import { type FileHits, MAX_LINE } from './file-hits.ts';
import { HitFiles } from './hit-files.ts';
import { readHits } from './hits-text.ts';
import { damage, type ReportBytes, readLines } from './report-bytes.ts';

const RULE = '='.repeat(78);
const COUNT = /^ +\d+(?= |$)/;
const MISSED = /^\*+0(?= |$)/;

/** The report of LuaCov's default reporter (luacov.report.out): counts left of the text, `***0` where it was missed. */
export const luacov: CoverageFormat = {
  name: 'luacov',
  globs: ['luacov.report*.out'],
  matches: (head) => /^={78}\r?\n[^\n]+\n={78}\r?\n/.test(head),
  parse: (report) => new LuacovReader(report).read(),
};

class LuacovReader {
  readonly #report: ReportBytes;
  readonly #files = new HitFiles();
  /** What a line may be now: the first rule, the name below it, the rule below that, or source text. */
  #expected: 'rule' | 'name' | 'named' | 'text' = 'rule';
  #name = '';
  #file: FileHits | undefined;
  #line = 0;
  #isSummary = false;
  /** How wide the counts are: text that is not code is indented by more, and may itself begin with a number. */
  #width = Number.POSITIVE_INFINITY;

  constructor(report: ReportBytes) {
    this.#report = report;
  }

  read(): ParsedReport {
    let at = 0;
    readLines(this.#report, (text) => {
      const count = COUNT.exec(text) ?? MISSED.exec(text);
      if (count !== null) this.#width = Math.min(this.#width, count[0].length);
    });
    readLines(this.#report, (text, line) => {
      at = line;
      if (!this.#isSummary) this.#read(text, line);
    });
    if (!this.#isSummary) throw damage(this.#report, at, 'expected the Summary behind the files, but the file ends');
    return { files: this.#files.packed(), sources: [], warnings: [] };
  }

  #read(text: string, at: number): void {
    const isRule = text === RULE;
    if (this.#expected === 'name') {
      if (text === '' || isRule) throw this.#damaged(at, '<file>', text);
      this.#name = text;
      this.#expected = 'named';
    } else if (this.#expected === 'named') {
      if (!isRule) throw this.#damaged(at, RULE, text);
      this.#open();
    } else if (isRule) this.#expected = 'name';
    else if (this.#expected === 'rule') throw this.#damaged(at, RULE, text);
    else this.#readText(text, at);
  }

  #open(): void {
    this.#isSummary = this.#name === 'Summary';
    this.#expected = 'text';
    if (this.#isSummary) return;
    this.#file = this.#files.file(this.#name);
    this.#line = 0;
  }

  #readText(text: string, at: number): void {
    this.#line += 1;
    if (this.#line > MAX_LINE) throw damage(this.#report, at, expectedLinesTo(MAX_LINE, text));
    const count = COUNT.exec(text) ?? MISSED.exec(text);
    if (count?.[0].length === this.#width) {
      const hits = MISSED.test(text) ? 0 : readHits(count[0])?.hits;
      this.#file?.addLine(this.#line, hits ?? 0);
    } else if (text.slice(0, this.#width).trim() !== '') throw this.#damaged(at, '<hits> <source>', text);
  }

  #damaged(at: number, form: string, found: string): Error {
    return damage(this.#report, at, expectedForm(form, found));
  }
}
