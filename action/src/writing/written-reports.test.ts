import { expect, test } from 'vitest';
import { fixtures, listFixtureReports, readFixtureReport } from '../../../test/support/fixture-reports.ts';
import { reportInMemory } from '../../../test/support/report-in-memory.ts';
import { cobertura } from '../formats/cobertura.ts';
import type { CoverageFormat } from '../formats/coverage-format.ts';
import { coverallsJson } from '../formats/coveralls-json.ts';
import type { FileHits } from '../formats/file-hits.ts';
import { recognize } from '../formats/formats.ts';
import { lcov } from '../formats/lcov.ts';
import { readHead, withReportFile } from '../formats/report-bytes.ts';
import { coberturaWriter, coverallsWriter, lcovWriter } from './writers.ts';

const PAIRS = [
  [lcovWriter, lcov],
  [coberturaWriter, cobertura],
  [coverallsWriter, coverallsJson],
] as const;

test.each(await listFixtureReports())('%s has the same totals in every format that is written', async (name) => {
  const { expected } = await readFixtureReport(name);
  const path = `${fixtures}reports/${name}/${expected.report}`;
  const files = withReportFile({ absolute: path, path }, (report) => {
    const found = recognize(readHead(report));
    return (found.format as CoverageFormat).parse(report).files;
  });
  for (const [writer, format] of PAIRS) {
    const text = [...writer.write(files, { now: 0, warn: () => undefined })].join('');
    expect(recognize(text).format?.name).toBe(format.name);
    expect(totalsOf(format.parse(reportInMemory(name, text)).files)).toEqual(totalsOf(files));
  }
});

function totalsOf(files: readonly FileHits[]) {
  return files
    .filter((file) => file.lastLine > 0)
    .map((file) => [file.name, file.countLines(), file.countBranches()] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
