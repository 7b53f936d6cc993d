import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { JobPayload } from '@coverage/shared';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startCompanyNetwork } from '../support/company-network.ts';
import { pullRequestEvent, pushEvent } from '../support/runner-stand-in/event-payloads.ts';
import { type ActionResult, type ActionStep, runAction } from '../support/runner-stand-in/run-action.ts';

/** The built action with the inputs of workflows that were written for coverallsapp/github-action v2. */

const LCOV = 'SF:a.js\nDA:1,1\nDA:2,0\nend_of_record\n';
const SHA = 'a'.repeat(40);
/** Its inputs, with values as workflows give them. */
const OFFICIAL = {
  'github-token': 'workflow-token',
  'path-to-lcov': './out/unit.txt',
  file: '',
  files: '',
  format: 'lcov',
  'flag-name': 'unit',
  'build-number': '7',
  parallel: 'true',
  'parallel-finished': '',
  carryforward: '',
  'allow-empty': 'false',
  'base-path': '',
  'git-branch': 'topic',
  'git-commit': SHA,
  'compare-ref': 'main',
  'compare-sha': 'b'.repeat(40),
  debug: 'true',
  measure: 'true',
  'fail-on-error': 'true',
  'coverage-reporter-version': 'v0.6.15',
  'coverage-reporter-platform': 'x86_64',
};

let workspace = '';
let server: Server;
let endpoint = '';
let received: JobPayload[] = [];
let authorizations: (string | undefined)[] = [];
let clients: (string | undefined)[] = [];
let status = 200;
/** For the job as the server shows it. */
let storedCommit = SHA;

beforeAll(async () => {
  workspace = mkdtempSync(join(tmpdir(), 'action-inputs-'));
  execFileSync('mkdir', ['-p', join(workspace, 'out')]);
  writeFileSync(join(workspace, 'a.js'), 'a();\nb();\n');
  writeFileSync(join(workspace, 'out/unit.txt'), LCOV);
  writeFileSync(join(workspace, 'lcov.info'), LCOV.replace('DA:2,0', 'DA:2,1'));
  server = createServer(async (request, response) => {
    if (request.method === 'GET') {
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ commit_sha: storedCommit }));
      return;
    }
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const isPacked = request.headers['content-encoding'] === 'gzip';
    const body = isPacked ? gunzipSync(Buffer.concat(pieces)) : Buffer.concat(pieces);
    received.push(JSON.parse(body.toString()));
    authorizations.push(request.headers.authorization);
    clients.push(request.headers['user-agent']);
    const answer =
      status === 200
        ? { message: 'Job #1.1', url: `${endpoint}/jobs/1` }
        : { message: 'This token speaks for nobody here', error: true };
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  received = [];
  authorizations = [];
  clients = [];
  status = 200;
});
afterAll(() => {
  server?.close();
  rmSync(workspace, { recursive: true, force: true });
});

test('says who it is, so that a log tells one version from another', async () => {
  await upload(OFFICIAL);
  expect(clients).toEqual([expect.stringMatching(/^coverage-service-action\/\d+\.\d+\.\d+$/)]);
});

/** In a company's network: only its proxy knows the server's name, and only its authority the certificate. */
test('uploads through a proxy to a server whose certificate is of an own authority', async () => {
  const network = await startCompanyNetwork(['coverage.test']);
  network.publish('coverage.test', Number(new URL(endpoint).port));
  const inputs = { ...OFFICIAL, 'coveralls-endpoint': 'https://coverage.test' };
  const env = { HTTPS_PROXY: network.proxyUrl };
  const refused = await upload(inputs, { env });
  expect(refused.stdout).toContain('its certificate is not trusted here');
  expect(refused.stdout).toContain('set the input ca-file');
  expect(received).toEqual([]);
  const { exitCode, stdout } = await upload({ ...inputs, 'ca-file': network.caFile }, { env });
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining('Job #1.1')]);
  expect(network.connects()).toContain('coverage.test:443');
  const missing = await upload({ ...inputs, 'ca-file': 'a.js' }, { env });
  expect(missing.stdout).toContain('Input ca-file: expected a file of certificates (PEM)');
  await network.close();
});

function upload(inputs: Record<string, string>, step: Partial<ActionStep> = {}): Promise<ActionResult> {
  const event = pushEvent({ repo: 'acme/shop', branch: 'main', sha: SHA });
  return runAction({ workspace, event, ...step, inputs: { 'coveralls-endpoint': endpoint, ...inputs } });
}

test('every input is known, and does what it did', async () => {
  const { exitCode, stdout, warnings } = await upload(OFFICIAL);
  expect({ exitCode, warnings }, stdout).toEqual({ exitCode: 0, warnings: [] });
  expect(received).toMatchObject([
    {
      repo_token: 'workflow-token',
      service_number: '7',
      flag_name: 'unit',
      parallel: true,
      commit_sha: SHA,
      service_branch: 'topic',
      compare_ref: 'main',
      compare_sha: 'b'.repeat(40),
      source_files: [{ name: 'a.js', coverage: [1, 0] }],
    },
  ]);
  expect(stdout.match(/^::notice::.*$/gm)).toEqual([
    '::notice::Inputs of coverallsapp/github-action that have no effect here: debug, measure, ' +
      'coverage-reporter-version, coverage-reporter-platform.',
  ]);
});

describe('a workflow of codecov/codecov-action that changed its uses alone', () => {
  const CODECOV = {
    token: 'tok',
    files: './out/unit.txt,lcov.info',
    disable_search: 'true',
    flags: 'unit',
    name: 'codecov-umbrella',
    override_commit: SHA,
    override_branch: 'topic',
    override_pr: '7',
    verbose: 'true',
  };

  test('uploads the same, and the runner knows every input', async () => {
    const { exitCode, stdout, warnings } = await upload({ ...CODECOV, parallel: 'true' });
    expect({ exitCode, warnings }, stdout).toEqual({ exitCode: 0, warnings: [] });
    expect(received).toMatchObject([
      {
        repo_token: 'tok',
        flag_name: 'unit',
        commit_sha: SHA,
        service_branch: 'topic',
        service_pull_request: '7',
        source_files: [{ name: 'a.js', coverage: [2, 1] }],
      },
    ]);
    expect(stdout).toContain('::notice::Inputs of codecov/codecov-action that have no effect here: name, verbose.');
  });

  test('dry_run sends nothing; directory is where reports are searched', async () => {
    const { exitCode, stdout } = await upload({ token: 'tok', dry_run: 'true', directory: 'out', files: '' });
    expect(exitCode).toBe(1);
    expect(stdout).toContain('No coverage report: searched');
    const { exitCode: found, stdout: told } = await upload({ token: 'tok', dry_run: 'true' });
    expect([found, told]).toEqual([0, expect.stringContaining('Dry run: nothing was sent.')]);
    expect(received).toEqual([]);
  });

  test('what would upload something else fails with a sentence, unless fail_ci_if_error is off', async () => {
    const { exitCode, stdout } = await upload({ ...CODECOV, flags: 'unit,api' });
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining('Input flags: expected one flag, got "unit,api".')]);
    expect((await upload({ ...CODECOV, flags: 'unit,api', fail_ci_if_error: 'false' })).exitCode).toBe(0);
    expect(received).toEqual([]);
  });
});

describe('a git-commit in short that the checkout lacks', () => {
  test('is completed by the server', async () => {
    storedCommit = `abcdef0${'1'.repeat(33)}`;
    const { exitCode, stdout } = await upload({ parallel: 'true', 'git-commit': 'abcdef0' });
    expect(exitCode, stdout).toBe(0);
    expect(received).toMatchObject([{ commit_sha: 'abcdef0' }]);
  });

  test('and that the server does not know either, fails the step', async () => {
    storedCommit = 'abcdef0';
    const { exitCode, stdout } = await upload({ parallel: 'true', 'git-commit': 'abcdef0' });
    expect(exitCode).toBe(1);
    expect(stdout).toContain(
      'Input git-commit: neither the checkout nor a build on the server has one commit that begins with "abcdef0".',
    );
  });
});

describe('without a secret', () => {
  const pull = { repo: 'acme/shop', number: 7, headSha: SHA, headRef: 'x', baseSha: SHA, mergeSha: 'c'.repeat(40) };
  const ofFork = pullRequestEvent({ ...pull, headRepo: 'mona/shop' });

  test.each([
    ['that the server refuses', {}, ['workflow-token', undefined]],
    ['where there is no token of GitHub either', { 'github-token': '' }, [undefined]],
    ['on a close', { 'parallel-finished': 'true', 'github-token': '' }, [undefined]],
  ])('the pull request of a fork, %s, ends in a notice', async (_, inputs, tokens) => {
    status = 422;
    const { exitCode, stdout } = await upload({ parallel: 'true', ...inputs }, { event: ofFork });
    expect(exitCode, stdout).toBe(0);
    expect(stdout).toMatch(/^::notice::Coverage was not accepted, and the step does not fail for it: the run of a/m);
    expect(stdout).toContain("accepts such runs if the repo's setting accept_forks is on.");
    expect(stdout).not.toMatch(/^::(?:error|warning)::/m);
    const sent = received.map(({ repo_token, repo_name }) => [repo_token, repo_name]);
    expect(sent).toEqual(tokens.map((token) => [token, 'acme/shop']));
    expect(authorizations).toEqual(tokens.map((token) => token && `Bearer ${token}`));
  });

  test("Dependabot's push ends in the same notice, a person's fails", async () => {
    status = 422;
    for (const [actor, code] of [
      ['dependabot[bot]', 0],
      ['mona', 1],
    ] as const) {
      const event = pushEvent({ repo: 'acme/shop', branch: 'dependabot/npm/x', sha: SHA, actor });
      const { exitCode, stdout } = await upload({}, { event });
      expect(exitCode, stdout).toBe(code);
      expect(/^::notice::Coverage was not accepted.* Dependabot started, gets no secret/m.test(stdout)).toBe(
        code === 0,
      );
      expect(/^::error::/m.test(stdout)).toBe(code === 1);
    }
  });

  test('the pull request of a branch of the repo itself fails', async () => {
    status = 422;
    const { exitCode, stdout } = await upload({ parallel: 'true' }, { event: pullRequestEvent(pull) });
    expect(exitCode).toBe(1);
    expect(stdout).toContain('This token speaks for nobody here');
  });

  test('a report of a fork that can not be read fails anyway', async () => {
    const { exitCode } = await upload({ file: 'gone.info' }, { event: ofFork });
    expect(exitCode).toBe(1);
  });
});
