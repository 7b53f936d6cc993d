import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BuildJson } from '@coverage/shared';
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest';
import { type CoverageApi, coverageApi } from '../support/coverage-api.ts';
import { isHere } from '../support/packages/tools.ts';
import { pushEvent } from '../support/runner-stand-in/event-payloads.ts';
import { runAction } from '../support/runner-stand-in/run-action.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import { waitFor } from '../support/wait-for.ts';
import { type Checkout, REMOTE_PASSWORD } from './real-clients/checkouts.ts';
import { type InstalledClient, installClient } from './real-clients/client-cache.ts';
import * as kits from './real-clients/kits.ts';
import type { ToolRun } from './real-clients/run-tool.ts';
import * as clients from './real-clients/runs.ts';

const KITS = {
  coveralls: kits.coverallsNode,
  'coveralls-next': kits.coverallsNext,
  python: kits.coverallsPython,
  goveralls: kits.goveralls,
  gcovr: kits.gcovr,
  'cpp-coveralls': kits.cppCoveralls,
  maven: kits.mavenPlugin,
} as const;
type Name = keyof typeof KITS;

let server: ServerProcess;
let api: CoverageApi;
const installed = new Map<string, InstalledClient>();
const checkouts: Checkout[] = [];

beforeAll(async () => {
  server = await startServer();
  api = coverageApi(server.url, server.adminToken);
  const entries = Object.entries(KITS);
  const all = await Promise.all(
    entries.map(([name, kit]) => installClient(kit).then((client) => [name, client] as const)),
  );
  for (const [name, client] of all) installed.set(name, client);
}, 240_000);
afterAll(async () => {
  await Promise.all(checkouts.map((checkout) => checkout.dispose()));
  await server.dispose();
});

/** The client's folder. Where it cannot be had the test is skipped, or with REQUIRE_CLIENTS=1, as in CI, a failure. */
function clientOf(name: Name, { skip }: TestContext): string {
  const client = installed.get(name);
  if (client !== undefined && 'directory' in client) return client.directory;
  const why = client?.missing ?? `${name} was not installed`;
  isHere(false, why);
  return skip(why);
}

let repos = 0;
async function newToken(): Promise<string> {
  repos += 1;
  return (await api.createRepo({ service: 'manual', name: `acme/client-${repos}` })).token;
}

function keep<T extends clients.Measured>(measured: T): T {
  checkouts.push(measured.checkout);
  return measured;
}

/** The build of a commit, closed; what it holds is what the tool counted, and no password of a remote is anywhere. */
async function expectStored(sha: string, totals: clients.ToolTotals, more: Partial<BuildJson> = {}): Promise<void> {
  const build = await waitFor(
    async () => {
      const { json } = await api.buildJson(sha);
      return json.state === 'closed' ? json : undefined;
    },
    { what: `the build of ${sha} to close` },
  );
  expect(build).toMatchObject({ ...totals, branch: 'main', commit_sha: sha, committer_name: 'Mona Lisa', ...more });
  expect(build.jobs).toHaveLength(1);
  const all = totals.covered_lines + totals.covered_branches;
  expect(build.covered_percent).toBeCloseTo((100 * all) / (totals.relevant_lines + totals.relevant_branches), 10);
  expect(JSON.stringify(build) + server.output().join('\n')).not.toContain(REMOTE_PASSWORD);
}

function expectEnded(run: ToolRun, code = 0): void {
  expect(run.code, run.output).toBe(code);
}

/** An unknown token is a failure of the client's step, and its log says why. */
function expectRefused(run: ToolRun, why = /422[\s\S]*repo.token/i): void {
  expect(run.code, run.output).not.toBe(0);
  expect(run.output).toMatch(why);
}

describe.concurrent('a real client, pointed here by its setting alone', { timeout: 240_000 }, () => {
  test.for([
    ['coveralls', 'c8-12.0.0-base'],
    ['coveralls-next', 'nyc-18.0.0-lcov'],
  ] as const)('npm %s reports what the tool counted', async ([name, report], context) => {
    const client = clientOf(name, context);
    const token = await newToken();
    const { checkout, totals } = keep(await clients.withLcov(report, `By ${name}`));
    const run = { client, directory: checkout.directory, serverUrl: server.url, token };
    expectRefused(await clients.runNode(name, { ...run, token: 'nobody-knows-it' }));
    expectEnded(await clients.runNode(name, run));
    await expectStored(checkout.sha, totals, { commit_message: `By ${name}`, closed_by: 'job' });
    // In these clients any text means on.
    const env = { COVERALLS_PARALLEL: 'false', COVERALLS_SERVICE_NAME: 'ci', COVERALLS_SERVICE_NUMBER: '9' };
    expectEnded(await clients.runNode(name, { ...run, env }));
    expect((await api.closeBuild({ repo_token: token, build_num: '9' })).json).toMatchObject({ done: true, jobs: 1 });
  });

  test('PyPI coveralls reports what coverage.py counted, and finishes a parallel build', async (context) => {
    const client = clientOf('python', context);
    const token = await newToken();
    const { checkout, totals } = keep(await clients.measurePython(client, 'By coveralls'));
    const env = { COVERALLS_PARALLEL: 'true', COVERALLS_SERVICE_NUMBER: '77', COVERALLS_FLAG_NAME: 'billing' };
    const run = { client, directory: checkout.directory, serverUrl: server.url, token, env };
    // It shows the status alone, not what the server says.
    expectRefused(await clients.runPython({ ...run, token: 'nobody-knows-it' }), /422 Client Error/);
    const upload = await clients.runPython(run);
    expectEnded(upload);
    expect(upload.output).toContain('Job #77.1');
    expectEnded(await clients.runPython({ ...run, args: ['--finish'] }));
    await expectStored(checkout.sha, totals, { number: '77', closed_by: 'webhook' });
    const { json } = await api.buildJson(checkout.sha);
    expect(json.flags.map(({ name }) => name)).toEqual(['billing']);
  });

  test('goveralls reports the lines of a Go profile, and finishes a parallel build', async (context) => {
    const client = clientOf('goveralls', context);
    const token = await newToken();
    const { checkout, totals } = keep(await clients.measureGo(client, 'By goveralls'));
    const run = { client, directory: checkout.directory, serverUrl: server.url, token };
    expectRefused(await clients.runGo({ ...run, token: 'nobody-knows-it' }));
    // It sends no number: a build of several jobs is known by the job id.
    const ofCi = {
      env: { BUILD_NUMBER: '88', COVERALLS_PARALLEL: 'false' },
      args: ['-service', 'jenkins', '-jobid', '88'],
    };
    const upload = await clients.runGo({ ...run, ...ofCi, args: [...ofCi.args, '-coverprofile', 'cover.out'] });
    expectEnded(upload);
    expect(upload.output).toContain('Job #1.1');
    expectEnded(await clients.runGo({ ...run, ...ofCi, args: [...ofCi.args, '-parallel-finish'] }));
    await expectStored(checkout.sha, totals, { service_number: null, closed_by: 'webhook' });
  });

  test('clients of one run meet in one build, which one close ends', async (context) => {
    const [python, node, go] = [
      clientOf('python', context),
      clientOf('coveralls', context),
      clientOf('goveralls', context),
    ];
    const token = await newToken();
    const { checkout } = keep(await clients.measurePython(python, 'By all of them'));
    const { directory, sha } = checkout;
    await writeFile(join(directory, 'lcov.info'), 'SF:billing/tax.py\nDA:1,1\nend_of_record\n');
    const profile = keep(await clients.measureGo(go, 'By goveralls'));
    const run = { serverUrl: server.url, token };
    const parallel = { COVERALLS_PARALLEL: 'true' };
    // In this order each has another reason to join: the commit alone, the job id, the number.
    expectEnded(await clients.runPython({ ...run, client: python, directory, env: parallel }));
    const ofGo = { client: go, directory: profile.checkout.directory, env: { ...parallel, GIT_ID: sha } };
    const args = ['-service', 'github', '-jobid', '4711', '-coverprofile', 'cover.out'];
    expectEnded(await clients.runGo({ ...run, ...ofGo, args }));
    const inputs = { 'server-url': server.url, 'repo-token': token, file: 'lcov.info', parallel: 'true' };
    const event = pushEvent({ repo: 'acme/shop', branch: 'main', sha });
    const step = { workspace: directory, event, runId: '4711' };
    const action = await runAction({ ...step, inputs });
    expect(action.exitCode, action.stdout).toBe(0);
    expectEnded(await clients.runNode('coveralls', { ...run, client: node, directory, env: parallel }));
    const close = await runAction({ ...step, inputs: { ...inputs, 'parallel-finished': 'true' } });
    expect(close.stdout).toContain('Closed the build of 4 jobs');
    expect(close.outputs.coverage).toMatch(/^\d+\.\d\d$/);
    const { json } = await api.buildJson(sha);
    expect(json).toMatchObject({ number: '4711', service_number: '4711', closed_by: 'webhook' });
  });

  test('gcovr and curl report what gcovr counted', async (context) => {
    const client = clientOf('gcovr', context);
    const token = await newToken();
    const { checkout, totals } = keep(await clients.measureWithGcovr(client, 'By gcovr', token));
    const upload = await clients.runCurl({ client, directory: checkout.directory, serverUrl: server.url, token });
    expectEnded(upload);
    expect(JSON.parse(upload.stdout)).toEqual({
      message: 'Job #1.1',
      url: expect.stringContaining(`${server.url}/jobs/`),
    });
    await expectStored(checkout.sha, totals);
  });

  test('cpp-coveralls reports what gcov counted', async (context) => {
    const client = clientOf('cpp-coveralls', context);
    const token = await newToken();
    const run = { client, serverUrl: server.url, token, env: { COVERALLS_PARALLEL: 'false' } };
    const { checkout, totals, run: upload } = keep(await clients.reportCplusplus(run, 'By cpp-coveralls'));
    expectEnded(upload);
    expect(totals.relevant_lines).toBeGreaterThan(0);
    expect((await api.closeBuild({ repo_token: token })).json).toMatchObject({ done: true, jobs: 1 });
    await expectStored(checkout.sha, totals, { closed_by: 'webhook' });
  });

  test('the Maven plugin reports what JaCoCo counted', async (context) => {
    const client = clientOf('maven', context);
    const run = {
      client,
      serverUrl: server.url,
      token: await newToken(),
      args: ['-DserviceName=jenkins', '-DserviceJobId=812'],
    };
    const { checkout, totals, run: upload } = keep(await clients.reportMaven(run, 'By maven'));
    expectEnded(upload);
    expect(totals.relevant_branches).toBeGreaterThan(0);
    await expectStored(checkout.sha, totals);
  });
});
