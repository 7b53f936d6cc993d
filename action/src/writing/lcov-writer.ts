import { ActionFailure } from '../failure.ts';
import type { FileHits } from '../formats/file-hits.ts';
import { notInLcov } from '../messages/command/merge.ts';
import { AsciiText } from './ascii-text.ts';
import type { ReportWriter } from './report-writer.ts';

/** LCOV tracefiles (geninfo(1)), with branches; functions are in no report of ours. */
export const lcovWriter: ReportWriter = {
  name: 'lcov',
  endings: ['.info', '.lcov'],
  *write(files) {
    const text = new AsciiText();
    for (const file of files) yield recordOf(file, text);
  },
};

function recordOf(file: FileHits, text: AsciiText): string {
  if (/[\r\n]/.test(file.name)) throw new ActionFailure('bad-input', notInLcov(file.name));
  file.eachLine((line, hits) => {
    text.word('DA:');
    text.number(line);
    text.word(',');
    text.number(hits);
    text.word('\n');
  });
  writeBranches(file, text);
  const branches = file.countBranches();
  if (branches.all > 0) text.word(`BRF:${branches.all}\nBRH:${branches.covered}\n`);
  const lines = file.countLines();
  text.word(`LF:${lines.all}\nLH:${lines.covered}\nend_of_record\n`);
  return `TN:\nSF:${file.name}\n${text.take()}`;
}

function writeBranches(file: FileHits, text: AsciiText): void {
  const groups = file.branches();
  const coverage = groups.length === 0 ? [] : file.coverage();
  for (let start = 0; start < groups.length; ) {
    const line = groups[start] as number;
    let end = start;
    // "-" says that the decision was never reached.
    let isReached = (coverage[line - 1] ?? 0) > 0;
    for (; groups[end] === line; end += 4) isReached ||= (groups[end + 3] as number) > 0;
    for (; start < end; start += 4) {
      text.word('BRDA:');
      text.number(line);
      text.word(',');
      text.number(groups[start + 1] as number);
      text.word(',');
      text.number(groups[start + 2] as number);
      text.word(',');
      if (isReached) text.number(groups[start + 3] as number);
      else text.word('-');
      text.word('\n');
    }
  }
}
