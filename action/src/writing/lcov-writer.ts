import type { FileHits } from '../formats/file-hits.ts';
import { ActionFailure } from '../runner/failure.ts';
import type { ReportWriter } from './report-writer.ts';

/** LCOV tracefiles (geninfo(1)), with branches; functions are in no report of ours. */
export const lcovWriter: ReportWriter = {
  name: 'lcov',
  endings: ['.info', '.lcov'],
  *write(files) {
    for (const file of files) yield recordOf(file);
  },
};

function recordOf(file: FileHits): string {
  if (/[\r\n]/.test(file.name))
    throw new ActionFailure(
      'bad-input',
      `A name with a line break cannot be written in LCOV: ${JSON.stringify(file.name)}. Write cobertura or coveralls.`,
    );
  let text = `TN:\nSF:${file.name}\n`;
  file.eachLine((line, hits) => {
    text += `DA:${line},${hits}\n`;
  });
  text += branchesOf(file);
  const branches = file.countBranches();
  if (branches.all > 0) text += `BRF:${branches.all}\nBRH:${branches.covered}\n`;
  const lines = file.countLines();
  return `${text}LF:${lines.all}\nLH:${lines.covered}\nend_of_record\n`;
}

function branchesOf(file: FileHits): string {
  const groups = file.branches();
  const coverage = groups.length === 0 ? [] : file.coverage();
  let text = '';
  for (let start = 0; start < groups.length; ) {
    const line = groups[start] as number;
    let end = start;
    // "-" says that the decision was never reached.
    let isReached = (coverage[line - 1] ?? 0) > 0;
    for (; groups[end] === line; end += 4) isReached ||= (groups[end + 3] as number) > 0;
    for (; start < end; start += 4)
      text += `BRDA:${line},${groups[start + 1]},${groups[start + 2]},${isReached ? groups[start + 3] : '-'}\n`;
  }
  return text;
}
