import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fixtures, listFixtureReports, readFixtureReport } from '../../../test/support/fixture-reports.ts';
import { findTool, isHere } from '../../../test/support/packages/tools.ts';
import type { CoverageFormat } from '../formats/coverage-format.ts';
import type { Counts } from '../formats/file-hits.ts';
import { recognize } from '../formats/formats.ts';
import { readHead, withReportFile } from '../formats/report-bytes.ts';
import { lcovWriter } from './writers.ts';

/** lcov itself sums what was written. */

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'read-by-lcov-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const hasLcov = isHere(findTool('lcov') !== undefined, 'lcov is missing (apt-get install lcov)');

test.skipIf(!hasLcov).each(await listFixtureReports())('lcov reads the totals of %s', async (name) => {
  const { expected } = await readFixtureReport(name);
  const path = `${fixtures}reports/${name}/${expected.report}`;
  const files = withReportFile({ absolute: path, path }, (report) =>
    (recognize(readHead(report)).format as CoverageFormat).parse(report).files.filter((file) => file.lastLine > 0),
  );
  const written = join(folder, `${name}.info`);
  writeFileSync(written, [...lcovWriter.write(files, { now: 0, warn: () => undefined })].join(''));
  const summary = lcov('--summary', written, '--rc', 'lcov_branch_coverage=1');
  expect(countsIn(summary, 'lines')).toEqual(sumOf(files.map((file) => file.countLines())));
  expect(countsIn(summary, 'branches')).toEqual(sumOf(files.map((file) => file.countBranches())));
});

function countsIn(summary: string, what: string): Counts {
  const found = new RegExp(`${what}\\.*: [\\d.]+% \\((\\d+) of (\\d+) `).exec(summary);
  return { covered: Number(found?.[1] ?? 0), all: Number(found?.[2] ?? 0) };
}

function sumOf(counts: readonly Counts[]): Counts {
  return {
    covered: counts.reduce((sum, { covered }) => sum + covered, 0),
    all: counts.reduce((sum, { all }) => sum + all, 0),
  };
}

/** It tells its summary on either stream, by its version. */
function lcov(...args: readonly string[]): string {
  return execFileSync('bash', ['-c', 'exec lcov "$@" 2>&1', 'lcov', ...args], { encoding: 'utf8' });
}
