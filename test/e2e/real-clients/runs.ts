import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fixtures, placeReport, readFixtureReport } from '../../support/fixture-reports.ts';
import { type Checkout, createCheckout, gitEnvironment } from './checkouts.ts';
import { goEnvironment, ledgerProject, mavenArguments, tillProject } from './kits.ts';
import { runTool, runWell, type ToolRun } from './run-tool.ts';

/** Totals as a tool prints them, in the API's words. */
export interface ToolTotals {
  readonly covered_lines: number;
  readonly relevant_lines: number;
  readonly covered_branches: number;
  readonly relevant_branches: number;
}

/** A program whose tests ran under coverage, ready for a client to report. */
export interface Measured {
  readonly checkout: Checkout;
  /** What the coverage tool itself says of the run. */
  readonly totals: ToolTotals;
}

/** One way of running one client. */
export interface ClientRun {
  /** Where the client is installed. */
  readonly client: string;
  readonly directory: string;
  readonly serverUrl: string;
  readonly token: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
}

const lines = (covered: number, relevant: number): ToolTotals => ({
  covered_lines: covered,
  relevant_lines: relevant,
  covered_branches: 0,
  relevant_branches: 0,
});

/** A report that a tool wrote, with the totals that it printed, beside its sources. */
export async function withLcov(report: string, message: string): Promise<Measured> {
  const { sources, expected } = await readFixtureReport(report);
  const checkout = await createCheckout(sources, message);
  await placeReport(checkout.directory, report, 'lcov.info');
  const { branches } = expected;
  const totals = lines(expected.lines.covered, expected.lines.relevant);
  return { checkout, totals: { ...totals, covered_branches: branches.covered, relevant_branches: branches.total } };
}

/** npm's `coveralls` and `coveralls-next`: LCOV on stdin. */
export async function runNode(name: string, run: ClientRun): Promise<ToolRun> {
  const script = join(run.client, 'node_modules', name, 'bin/coveralls.js');
  const env = { ...gitEnvironment, COVERALLS_ENDPOINT: run.serverUrl, COVERALLS_REPO_TOKEN: run.token, ...run.env };
  const input = await readFile(join(run.directory, 'lcov.info'), 'utf8');
  return runTool(process.execPath, [script], { cwd: run.directory, env, input });
}

/** pytest under coverage.py, on the sample project. */
export async function measurePython(client: string, message: string): Promise<Measured> {
  const checkout = await createCheckout(join(fixtures, 'sample-project/base'), message);
  const options = { cwd: checkout.directory, env: { PYTHONPATH: client } };
  await runWell('python3', ['-m', 'coverage', 'run', '-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'tests'], options);
  const { stdout } = await runWell('python3', ['-m', 'coverage', 'json', '-q', '-o', '-'], options);
  const { totals } = JSON.parse(stdout);
  const counted = lines(totals.covered_lines, totals.num_statements);
  return {
    checkout,
    totals: { ...counted, covered_branches: totals.covered_branches, relevant_branches: totals.num_branches },
  };
}

export function runPython(run: ClientRun): Promise<ToolRun> {
  const server = { COVERALLS_HOST: run.serverUrl, COVERALLS_REPO_TOKEN: run.token };
  const env = { ...gitEnvironment, PYTHONPATH: run.client, ...server, ...run.env };
  return runTool('python3', ['-m', 'coveralls', ...(run.args ?? [])], { cwd: run.directory, env });
}

/**
 * `go test` on the ledger. It counts statements; the totals are those of a tool that counts lines as goveralls does.
 */
export async function measureGo(client: string, message: string): Promise<Measured> {
  const checkout = await createCheckout(ledgerProject, message);
  const args = ['test', '-coverpkg=./...', '-covermode=count', '-coverprofile=cover.out', './...'];
  await runWell('go', args, { cwd: checkout.directory, env: goEnvironment(client) });
  const { expected } = await readFixtureReport('gcov2lcov-1.1.1');
  return { checkout, totals: lines(expected.lines.covered, expected.lines.relevant) };
}

export function runGo(run: ClientRun): Promise<ToolRun> {
  const args = ['-endpoint', run.serverUrl, '-repotoken', run.token, ...(run.args ?? ['-coverprofile=cover.out'])];
  const env = { ...gitEnvironment, ...goEnvironment(run.client), ...run.env };
  return runTool(join(run.client, 'bin/goveralls'), args, { cwd: run.directory, env });
}

/** The converter, compiled for coverage and run twice. Absolute paths, so that gcov finds the sources from anywhere. */
async function measureCplusplus(message: string): Promise<Checkout> {
  const checkout = await createCheckout(join(fixtures, 'sources/convert'), message);
  const options = { cwd: checkout.directory };
  const sources = ['main', 'length', 'weight'].map((name) => join(checkout.directory, `src/${name}.cpp`));
  await runWell('g++', ['--coverage', '-O0', '-std=c++17', '-c', ...sources], options);
  await runWell('g++', ['--coverage', '-o', 'convert', 'main.o', 'length.o', 'weight.o'], options);
  await runWell('./convert', [], options);
  await runWell('./convert', ['weight'], options);
  return checkout;
}

/** gcovr writes the job itself, into `coveralls.json`. */
export async function measureWithGcovr(client: string, message: string, token: string): Promise<Measured> {
  const checkout = await measureCplusplus(message);
  const env = { ...gitEnvironment, PYTHONPATH: client, COVERALLS_REPO_TOKEN: token };
  const args = ['-m', 'gcovr', '--root', '.', '--coveralls', 'coveralls.json', '--json-summary', 'summary.json'];
  await runWell('python3', args, { cwd: checkout.directory, env });
  const summary = JSON.parse(await readFile(join(checkout.directory, 'summary.json'), 'utf8'));
  const counted = lines(summary.line_covered, summary.line_total);
  return {
    checkout,
    totals: { ...counted, covered_branches: summary.branch_covered, relevant_branches: summary.branch_total },
  };
}

export function runCurl(run: ClientRun): Promise<ToolRun> {
  const args = ['-sS', '-F', 'json_file=@coveralls.json', `${run.serverUrl}/api/v1/jobs`];
  return runTool('curl', args, { cwd: run.directory });
}

/**
 * cpp-coveralls runs gcov itself, which prints lines per file: those of the sources; a header is counted once per
 * object.
 */
export async function reportCplusplus(
  run: Omit<ClientRun, 'directory'>,
  message: string,
): Promise<Measured & { run: ToolRun }> {
  const checkout = await measureCplusplus(message);
  const server = { COVERALLS_ENDPOINT: run.serverUrl, COVERALLS_REPO_TOKEN: run.token };
  const env = { ...gitEnvironment, PYTHONPATH: run.client, ...server, ...run.env };
  const script = 'import sys; from cpp_coveralls import run; sys.exit(run())';
  const args = ['-c', script, '--exclude-pattern', '.*[.]hpp'];
  const ended = await runTool('python3', args, { cwd: checkout.directory, env });
  let totals = lines(0, 0);
  for (const [, percent, count] of ended.output.matchAll(/\.cpp'\nLines executed:([\d.]+)% of (\d+)/g)) {
    const relevant = Number(count);
    const covered = Math.round((Number(percent) * relevant) / 100);
    totals = lines(totals.covered_lines + covered, totals.relevant_lines + relevant);
  }
  return { checkout, totals, run: ended };
}

/** Maven runs the till's tests under JaCoCo, whose table is the truth, and reports in the same run. */
export async function reportMaven(
  run: Omit<ClientRun, 'directory'>,
  message: string,
): Promise<Measured & { run: ToolRun }> {
  const checkout = await createCheckout(tillProject, message);
  const address = [`-DcoverallsUrl=${run.serverUrl}/api/v1/jobs`, `-DrepoToken=${run.token}`, ...(run.args ?? [])];
  const args = [...mavenArguments(run.client), '--offline', 'test', 'coveralls:report', ...address];
  const ended = await runTool('mvn', args, {
    cwd: checkout.directory,
    env: { ...gitEnvironment, ...javaEnvironment(), ...run.env },
  });
  const csv = await readFile(join(checkout.directory, 'target/site/jacoco/jacoco.csv'), 'utf8');
  const [head = [], row = []] = csv.split('\n').map((line) => line.split(','));
  const cell = (name: string): number => Number(row[head.indexOf(name)]);
  const [missed, covered] = [cell('LINE_MISSED'), cell('LINE_COVERED')];
  const branches = {
    covered_branches: cell('BRANCH_COVERED'),
    relevant_branches: cell('BRANCH_COVERED') + cell('BRANCH_MISSED'),
  };
  return { checkout, totals: { ...lines(covered, covered + missed), ...branches }, run: ended };
}

function javaEnvironment(): Record<string, string> {
  const { JAVA_HOME } = process.env;
  return JAVA_HOME === undefined ? {} : { JAVA_HOME };
}
