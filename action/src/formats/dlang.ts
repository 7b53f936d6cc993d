import { type CoverageFormat, expectedForm, expectedLinesTo, type ParsedReport } from './coverage-format.ts';
import { FileHits, MAX_LINE } from './file-hits.ts';
import { HitFiles } from './hit-files.ts';
import { readHits } from './hits-text.ts';
import { damage, type ReportBytes, readLines } from './report-bytes.ts';

/** A count in at least seven places, zeros where the line did not run, blanks where it is no code. */
const LINE = /^(?=[ \d]{7,30}\|)( *\d+| +)\|/;
const END = /^(.+?) (?:is \d{1,3}% covered|has no code)$/;
/** How many lines are enough to tell that a file is such a listing. */
const HEAD_LINES = 20;

/** What programs of D's compilers write with `-cov`: a listing of one source file, whose name stands at its end. */
export const dlang: CoverageFormat = {
  name: 'dlang',
  globs: ['*.lst'],
  onePerSource: true,
  matches(head) {
    const lines = head.split('\n', HEAD_LINES + 1).map((line) => line.replace(/\r$/, ''));
    const whole = lines.slice(0, lines.length > 1 ? -1 : undefined);
    return LINE.test(whole[0] ?? '') && whole.every((line) => LINE.test(line) || END.test(line));
  },
  parse: (report) => parseListing(report),
};

function parseListing(report: ReportBytes): ParsedReport {
  const files = new HitFiles();
  let file = new FileHits('');
  let [line, last] = [0, 0];
  readLines(report, (text, at) => {
    last = at;
    const match = LINE.exec(text);
    if (match !== null) {
      line += 1;
      if (line > MAX_LINE) throw damage(report, at, expectedLinesTo(MAX_LINE, text));
      const count = match[1]?.trim();
      if (count) file.addLine(line, readHits(count)?.hits ?? 0);
      return;
    }
    const name = END.exec(text)?.[1]?.trim();
    if (!name) throw damage(report, at, expectedForm('<count>|<source>', text));
    files.file(name).merge(file);
    file = new FileHits('');
    line = 0;
  });
  if (line > 0)
    throw damage(report, last, 'expected "<file> is <number>% covered" behind the listing, but the file ends');
  return { files: files.packed(), sources: [], warnings: [] };
}
