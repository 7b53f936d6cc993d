import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Counts as tools give them. */
export interface ExpectedTotals {
  readonly lines: { readonly covered: number; readonly relevant: number };
  readonly branches: { readonly covered: number; readonly total: number };
}

/** `expected.json` beside each report (test/fixtures/README.md). */
export interface ExpectedReport extends ExpectedTotals {
  readonly tool: string;
  readonly version: string;
  readonly command: string;
  /** As the `format` input calls it. */
  readonly format: string;
  /** The report's file name. */
  readonly report: string;
  /** Where the program stood when the tool ran. */
  readonly checkout: string;
  /** The program's folder, relative to test/fixtures. */
  readonly sources: string;
  /** What can be read from the report, where that is less than the tool counted. */
  readonly reportHolds?: ExpectedTotals;
  /** By path in the checkout. */
  readonly files: Readonly<Record<string, ExpectedTotals>>;
  readonly notes: string;
}

export interface FixtureReport {
  readonly name: string;
  readonly text: string;
  readonly expected: ExpectedReport;
  /** The program's folder on this machine. */
  readonly sources: string;
}

/** test/fixtures */
export const fixtures = fileURLToPath(new URL('../fixtures/', import.meta.url));

/** Names of all reports, sorted. */
export async function listFixtureReports(): Promise<string[]> {
  return (await readdir(join(fixtures, 'reports'))).sort();
}

/** One report, by the name of its folder: `c8-12.0.0-head`. */
export async function readFixtureReport(name: string): Promise<FixtureReport> {
  const folder = join(fixtures, 'reports', name);
  const expected = JSON.parse(await readFile(join(folder, 'expected.json'), 'utf8')) as ExpectedReport;
  const text = await readFile(join(folder, expected.report), 'utf8');
  return { name, text, expected, sources: join(fixtures, expected.sources) };
}

/**
 * Writes a report into a checkout as if its tool had run there: the runner's path becomes the checkout's. `as` is the
 * path in the checkout, by default the report's own file name. Answers that path.
 */
export async function placeReport(directory: string, name: string, as?: string): Promise<string> {
  const { text, expected } = await readFixtureReport(name);
  const path = as ?? expected.report;
  const file = join(directory, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text.replaceAll(expected.checkout, directory));
  return path;
}
