import { expect, test } from 'vitest';
import { isJsonReport, listFixtureReports, readFixtureReport } from '../../../test/support/fixture-reports.ts';
import { reportInMemory } from '../../../test/support/report-in-memory.ts';
import { collectFiles } from '../report/source-files.ts';
import { walkFiles } from '../report/walk-files.ts';
import type { Counts } from './file-hits.ts';
import { recognize } from './formats.ts';

const log = { info: () => undefined, warning: () => undefined };

const names = (await listFixtureReports()).filter((name) => !isJsonReport(name));

test.each(names)('%s: the totals of its tool', async (name) => {
  const { text, expected, sources } = await readFixtureReport(name);
  const found = recognize(text.slice(0, 1 << 16));
  expect(found.format?.name).toBe(expected.format);
  const parsed = found.format?.parse(reportInMemory(expected.report, text.replaceAll(expected.checkout, sources)));
  if (parsed === undefined) return;
  const checkout = { root: sources, files: new Set(walkFiles(sources)), links: new Set<string>(), byGit: true };
  const report = { ...parsed, absolute: `${sources}/${expected.report}`, path: expected.report };
  const { files } = collectFiles([report], { checkout, basePath: '', allowAmbiguous: false }, log);
  const read = files.map((file) => [file.name, { lines: file.countLines(), branches: file.countBranches() }] as const);
  const { lines, branches } = expected.reportHolds ?? expected;
  expect(sumOf(read.map(([, counts]) => counts.lines))).toEqual({ covered: lines.covered, all: lines.relevant });
  expect(sumOf(read.map(([, counts]) => counts.branches))).toEqual({ covered: branches.covered, all: branches.total });
  const byFile = Object.entries(expected.files).map(([path, counts]) => [path, counts.lines.relevant]);
  expect(Object.fromEntries(read.map(([path, counts]) => [path, counts.lines.all]))).toMatchObject(
    Object.fromEntries(byFile.filter(([, relevant]) => relevant !== 0)),
  );
});

function sumOf(counts: readonly Counts[]): Counts {
  return {
    covered: counts.reduce((sum, { covered }) => sum + covered, 0),
    all: counts.reduce((sum, { all }) => sum + all, 0),
  };
}
