import { ActionFailure } from '../failure.ts';
import type { FileHits } from '../formats/file-hits.ts';
import { notInLcov } from '../messages/command/merge.ts';
import { branchesByLine, type ReportWriter } from './report-writer.ts';

/** LCOV tracefiles (geninfo(1)), with branches; functions are in no report of ours. */
export const lcovWriter: ReportWriter = {
  name: 'lcov',
  endings: ['.info', '.lcov'],
  *write(files) {
    for (const file of files) yield recordOf(file);
  },
};

function recordOf(file: FileHits): string {
  if (/[\r\n]/.test(file.name)) throw new ActionFailure('bad-input', notInLcov(file.name));
  const lines = ['TN:', `SF:${file.name}`];
  const coverage = file.coverage();
  coverage.forEach((hits, index) => {
    if (hits !== null) lines.push(`DA:${index + 1},${hits}`);
  });
  for (const [line, branches] of branchesByLine(file)) {
    // "-" says that the decision was never reached.
    const isReached = (coverage[line - 1] ?? 0) > 0 || branches.some(([, , hits]) => hits > 0);
    for (const [block, branch, hits] of branches)
      lines.push(`BRDA:${line},${block},${branch},${isReached ? hits : '-'}`);
  }
  const branchCounts = file.countBranches();
  if (branchCounts.all > 0) lines.push(`BRF:${branchCounts.all}`, `BRH:${branchCounts.covered}`);
  const lineCounts = file.countLines();
  lines.push(`LF:${lineCounts.all}`, `LH:${lineCounts.covered}`, 'end_of_record', '');
  return lines.join('\n');
}
