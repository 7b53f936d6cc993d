import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  fixtures,
  isJsonReport,
  listFixtureReports,
  readFixtureReport,
} from '../../../test/support/fixture-reports.ts';
import { reportInMemory } from '../../../test/support/report-in-memory.ts';
import { recognize } from './formats.ts';
import { readHead } from './report-bytes.ts';

const names = (await listFixtureReports()).filter(isJsonReport);

test.each(names)('%s: the numbers of the tool', async (name) => {
  const { expected } = await readFixtureReport(name);
  const bytes = await readFile(join(fixtures, 'reports', name, expected.report));
  const report = reportInMemory(expected.report, bytes);
  const { format } = recognize(readHead(report));
  expect(format?.name).toBe(expected.format);
  const own = (file: string) => file.replace(`${expected.checkout}/`, '');
  const files = (format?.parse(report).files ?? []).filter((file) => !own(file.name).startsWith('/usr/'));
  const sum = (counts: { covered: number; all: number }[]) =>
    counts.reduce<[number, number]>((total, { covered, all }) => [total[0] + covered, total[1] + all], [0, 0]);
  const { lines, branches } = expected.reportHolds ?? expected;
  expect(sum(files.map((file) => file.countLines()))).toEqual([lines.covered, lines.relevant]);
  expect(sum(files.map((file) => file.countBranches()))).toEqual([branches.covered, branches.total]);
  const inCheckout = files.map((file) => own(file.name)).sort();
  expect(inCheckout).toEqual(Object.keys(expected.files).sort());
});
