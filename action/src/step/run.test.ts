import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { JobPayload } from '@coverage/shared';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Inputs, readInputs } from './inputs.ts';
import { run, type Tools } from './run.ts';

let workspace = '';
let server: Server;
let base = '';
let lines: string[] = [];
let received: { method: string; path: string; body: string }[] = [];
let answers: Record<string, { status?: number; body: unknown } | (() => { status?: number; body: unknown })> = {};

const sha = () => execFileSync('git', ['-C', workspace, 'rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();

beforeAll(async () => {
  workspace = realpathSync(mkdtempSync(join(tmpdir(), 'run-')));
  write({ 'src/a.c': 'int a;\n', 'sub/b.c': 'int b;\n' });
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', workspace, '-c', 'user.name=A', '-c', 'user.email=a@x', ...args]);
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-q', '-m', 'First');
  server = createServer(async (request, response) => {
    const path = (request.url ?? '').replace(/^\/base/, '');
    received.push({ method: request.method ?? '', path, body: await bodyOf(request) });
    const found = answers[`${request.method} ${path}`];
    const { status = 200, body } = (typeof found === 'function' ? found() : found) ?? {
      status: 404,
      body: { message: 'no such route', error: true },
    };
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/base`;
});
afterAll(() => {
  server.close();
  rmSync(workspace, { recursive: true, force: true });
});
beforeEach(() => {
  received = [];
  lines = [];
  rmSync(join(workspace, 'out'), { recursive: true, force: true });
  answers = {
    'POST /api/v1/jobs': { body: { message: 'Job #71.1', url: `${base}/jobs/5` } },
    'POST /webhook': { body: { done: true, url: `${base}/builds/9`, jobs: 2 } },
    'GET /jobs/5.json': { body: { build_url: `${base}/builds/9` } },
    'GET /builds/9.json': {
      body: { state: 'closed', covered_percent: 50, coverage_change: null, verdict: null, flags: [], warnings: [] },
    },
  };
});

function write(files: Record<string, string>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), content);
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  return (request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString();
}

const asked = () => received.map(({ method, path }) => `${method} ${path}`);

function inputsOf(given: Record<string, string>): Promise<Inputs> {
  const inputs: Record<string, string> = { 'server-url': `${base}/`, 'repo-token': 'tok', ...given };
  const env = {
    GITHUB_EVENT_NAME: 'push',
    GITHUB_SHA: sha(),
    GITHUB_REF: 'refs/heads/main',
    GITHUB_REF_NAME: 'main',
    GITHUB_REPOSITORY: 'octo/repo',
    GITHUB_RUN_ID: '4711',
    GITHUB_RUN_ATTEMPT: '1',
    GITHUB_JOB: 'test',
    GITHUB_WORKSPACE: workspace,
  };
  return readInputs({ input: (name) => inputs[name] ?? '', env, maskSecret: () => {}, readEvent: async () => ({}) });
}

/** Runs the step with a clock that only sleeping moves. */
async function step(given: Record<string, string> = {}, git: Tools['git'] = {}) {
  let time = Date.parse('2026-01-02T03:04:05Z');
  const runtime = {
    userAgent: 'a-client/1.2',
    fetch,
    now: () => time,
    random: () => 0,
    sleep: async (milliseconds: number) => {
      time += milliseconds;
    },
  };
  const log = { info: (line: string) => lines.push(line), warning: (line: string) => lines.push(`warning: ${line}`) };
  return run(await inputsOf(given), { git, runtime, log });
}

const sentJob = (): JobPayload => JSON.parse(received.find(({ path }) => path === '/api/v1/jobs')?.body ?? 'null');
const LCOV =
  'SF:src/a.c\nDA:1,2\nBRDA:1,0,0,1\nBRDA:1,0,1,-\nend_of_record\nSF:/usr/include/x.h\nDA:1,1\nend_of_record\n';
const COBERTURA = `<coverage line-rate="1"><sources><source>SRC</source></sources><packages><package><classes>
<class filename="b.c"><lines><line number="1" hits="0"/></lines></class>
<class filename="../src/a.c"><lines><line number="1" hits="3"/></lines></class>
</classes></package></packages></coverage>`;

describe('a report', () => {
  test('of two formats becomes one job', async () => {
    write({ 'out/lcov.info': LCOV, 'out/xml/coverage.xml': COBERTURA.replace('SRC', join(workspace, 'sub')) });
    const outcome = await step();
    expect(sentJob()).toMatchObject({
      repo_token: 'tok',
      repo_name: 'octo/repo',
      service_name: 'github',
      service_number: '4711',
      service_job_id: '4711-test',
      service_attempt: 1,
      service_branch: 'main',
      commit_sha: sha(),
      parallel: false,
      run_at: '2026-01-02T03:04:05.000Z',
      git: { head: { id: sha(), author_name: 'A', author_email: 'a@x', message: 'First' }, branch: 'main' },
      source_files: [
        {
          name: 'src/a.c',
          source_digest: '1ccb9ebc08e51c65b99fa5f74657100a',
          coverage: [5],
          branches: [1, 0, 0, 1, 1, 0, 1, 0],
        },
        { name: 'sub/b.c', coverage: [0] },
      ],
    });
    expect(lines).toContain('  /usr/include (1 file)');
    expect(outcome).toMatchObject({
      buildUrl: `${base}/builds/9`,
      build: { covered_percent: 50 },
      upload: {
        url: `${base}/jobs/5`,
        files: 2,
        lines: { covered: 1, all: 2 },
        branches: { covered: 1, all: 2 },
        reports: [{ format: 'lcov' }, { format: 'cobertura' }],
      },
    });
  });

  test('of a parallel job is uploaded, and nothing is read', async () => {
    write({ 'out/lcov.info': LCOV });
    const outcome = await step({ parallel: 'true', 'flag-name': 'unit', file: 'out/lcov.info' });
    expect(sentJob()).toMatchObject({ parallel: true, flag_name: 'unit' });
    expect(asked()).toEqual(['GET /api/v1/upload-settings', 'POST /api/v1/jobs']);
    expect(outcome.build).toBeUndefined();
    expect(outcome.upload).toMatchObject({ flagName: 'unit' });
  });

  test('is uploaded without git', async () => {
    write({ 'out/lcov.info': LCOV });
    await step({ parallel: 'true' }, { command: 'no-such-git-command' });
    expect(sentJob()).toMatchObject({ commit_sha: sha(), source_files: [{ name: 'src/a.c', coverage: [2] }] });
    expect(sentJob()).not.toHaveProperty('diff');
    expect(lines).toContain(
      `Changed lines are not sent with this upload, because git knows no checkout at ${workspace}.`,
    );
    lines = [];
    await step({ parallel: 'true', 'send-diff': 'false' }, { command: 'no-such-git-command' });
    expect(lines.join()).not.toContain('Changed lines');
  });

  test('goes with the texts that the server or the input asks for', async () => {
    write({ 'out/lcov.info': LCOV });
    const sent = async (given: Record<string, string> = {}) => {
      received = [];
      await step({ parallel: 'true', ...given });
      return sentJob().source_files[0]?.source;
    };
    expect(await sent()).toBeUndefined();
    answers['GET /api/v1/upload-settings'] = { body: { send_source: 'all' } };
    expect(await sent()).toBe('int a;\n');
    expect(lines).toContainEqual(expect.stringContaining('text of 1 source file is sent'));
    expect(await sent({ 'send-source': 'none' })).toBeUndefined();
    expect(asked()).toEqual(['POST /api/v1/jobs']);
    delete answers['GET /api/v1/upload-settings'];
    expect(await sent({ 'send-source': 'all' })).toBe('int a;\n');
    await expect(step({ 'send-source': 'some' })).rejects.toThrow('expected all, changed or none, got "some"');
  });

  test('of a checkout in a folder of the workspace is found', async () => {
    write({ 'out/repo/x/a.c': 'x', 'out/repo/cov/lcov.info': 'SF:x/a.c\nDA:1,1\nend_of_record\n' });
    const checkout = join(workspace, 'out/repo');
    execFileSync('git', ['-C', checkout, 'init', '-q']);
    execFileSync('git', ['-C', checkout, 'add', 'x']);
    const inputs = await inputsOf({ parallel: 'true' });
    const outside = { ...inputs, runner: { ...inputs.runner, workspace: join(workspace, 'out') } };
    const runtime = { userAgent: 'a-client/1.2', fetch, now: () => 0, random: () => 0, sleep: async () => {} };
    await run(outside, { runtime, log: { info: () => {}, warning: () => {} } });
    expect(sentJob().source_files.map(({ name }) => name)).toEqual(['x/a.c']);
  });

  test('without any line is refused by name, unless that is allowed', async () => {
    write({ 'out/lcov.info': 'TN:\nSF:src/a.c\nend_of_record\n' });
    await expect(step()).rejects.toThrow('out/lcov.info is a report (lcov) without any line of any file.');
    expect(received).toEqual([]);
    await step({ 'allow-empty': 'true' });
    expect(sentJob().source_files).toEqual([{ name: 'src/a.c', source_digest: expect.any(String), coverage: [] }]);
  });

  test('of many reports, each of one source, one without lines says nothing of the others', async () => {
    const annotated = (name: string, line: string) => `        -:    0:Source:${name}\n${line}\n`;
    write({ 'out/a.c.gcov': annotated('src/a.c', '        2:    1:int a;') });
    write({ 'out/b.c.gcov': annotated('sub/b.c', '        -:    1:int b;') });
    await step();
    expect(sentJob().source_files.map(({ name, coverage }) => [name, coverage])).toEqual([
      ['src/a.c', [2]],
      ['sub/b.c', []],
    ]);
    rmSync(join(workspace, 'out/a.c.gcov'));
    await expect(step()).rejects.toThrow('out/b.c.gcov is a report (gcov) without any line of any file.');
  });

  test('goes with the numbers of the lines that its commit changed, where git tells them', async () => {
    write({ 'out/lcov.info': LCOV });
    const before = sha();
    const commit = (text: string): void => {
      write({ 'src/a.c': text });
      execFileSync('git', ['-C', workspace, '-c', 'user.name=A', '-c', 'user.email=a@x', 'commit', '-qam', 'More']);
    };
    commit('int a;\nint c;\n');
    await step({ parallel: 'true' });
    expect(sentJob().diff).toEqual({
      base_sha: before,
      head_sha: sha(),
      files: [{ name: 'src/a.c', kind: 'modified', hunks: [[2, 0, 2, 1]] }],
      complete: true,
    });
    received = [];
    await step({ parallel: 'true', 'send-diff': 'false' });
    expect(sentJob()).not.toHaveProperty('diff');
    commit('int a;\n');
  });

  test('goes with coverage.yml as its commit has it, whatever the job wrote there', async () => {
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', workspace, '-c', 'user.name=A', '-c', 'user.email=a@x', ...args]);
    const commit = (text: string): void => {
      write({ '.github/coverage.yml': text });
      git('add', '.github');
      git('commit', '-qm', 'Rules');
    };
    write({ 'out/lcov.info': LCOV });
    await step({ parallel: 'true' });
    expect(sentJob().coverage_yml).toBeNull();
    commit('total: { minimum: 80 }\n');
    write({ '.github/coverage.yml': 'total: off\n' });
    received = [];
    await step({ parallel: 'true' });
    expect(sentJob().coverage_yml).toEqual({ path: '.github/coverage.yml', text: 'total: { minimum: 80 }\n' });
    commit(`#${'x'.repeat(65_536)}`);
    received = [];
    await step({ parallel: 'true' });
    expect(sentJob()).not.toHaveProperty('coverage_yml');
    expect(lines.join('\n')).toContain('.github/coverage.yml has 65.5 kB and is not sent');
    git('rm', '-q', '-f', '.github/coverage.yml');
    git('commit', '-qm', 'No rules');
  });

  test('that is damaged is refused with file and line', async () => {
    write({ 'out/lcov.info': 'TN:\nSF:src/a.c\nDA:1\nend_of_record\n' });
    await expect(step()).rejects.toThrow('out/lcov.info, line 3: expected DA:<line>,<hits>, got "DA:1"');
    expect(received).toEqual([]);
  });

  test('that the server refuses says what to do', async () => {
    write({ 'out/lcov.info': LCOV });
    answers['POST /api/v1/jobs'] = { status: 422, body: { message: 'Unknown token', error: true } };
    await expect(step()).rejects.toThrow('Unknown token. Next: check "repo-token"');
    expect(asked()).toEqual(['GET /api/v1/upload-settings', 'POST /api/v1/jobs']);
  });

  test('whose result can not be read is uploaded anyway', async () => {
    write({ 'out/lcov.info': LCOV });
    answers['GET /jobs/5.json'] = { status: 403, body: {} };
    expect(await step()).toEqual({ upload: expect.objectContaining({ url: `${base}/jobs/5` }) });
    expect(lines.at(-1)).toContain('No result to show');
  });
});

describe('a dry run', () => {
  test('tells what would be uploaded, and asks nobody anything', async () => {
    write({ 'out/lcov.info': LCOV });
    const { dryRun, ...rest } = await step({ 'dry-run': 'true', 'flag-name': 'unit' });
    expect([rest, dryRun?.body()]).toEqual([{}, expect.objectContaining({ flag_name: 'unit' })]);
    expect(dryRun?.body()).not.toHaveProperty('repo_token');
    expect(received).toEqual([]);
    expect(lines).toContainEqual(
      expect.stringMatching(/^Dry run\. This would be uploaded to .*, with the token at hand: 1 file, \d+ bytes$/),
    );
    expect(lines).toEqual(expect.arrayContaining(['  flag_name: unit', '  src/a.c: 1 of 1 line, 1 of 2 branches']));
    expect(lines.join()).not.toContain('tok,');
  });

  test('tells what would be closed', async () => {
    const { dryRun } = await step({ 'dry-run': 'true', 'parallel-finished': 'true' });
    expect(dryRun?.body()).toMatchObject({ payload: { build_num: '4711', status: 'done' } });
    expect(dryRun?.body()).not.toHaveProperty('repo_token');
    expect(received).toEqual([]);
    expect(lines).toContain('  payload: {"build_num":"4711","status":"done"}');
  });
});

describe('waiting for the verdict', () => {
  const close = { 'parallel-finished': 'true', wait: 'true', 'wait-timeout': '60' };
  const verdict = { state: 'failure', rule: 'minimum', explanation: 'Below the minimum.', provisional: false };
  const closed = { state: 'closed', covered_percent: 50, flags: [], warnings: [] };

  test('continues until it is final, and fails by it', async () => {
    const bodies = [
      { state: 'open' },
      { ...closed, verdict: { ...verdict, state: 'success', provisional: true } },
      { ...closed, verdict },
    ];
    answers['GET /builds/9.json'] = () => ({ body: bodies.length > 1 ? bodies.shift() : bodies[0] });
    expect(await step(close)).toMatchObject({
      build: { verdict },
      failure: `The verdict on the build is failure: Below the minimum. See ${base}/builds/9`,
    });
  });

  test.each([
    ['success', { state: 'success' }],
    ['a failure for information', { informational: true }],
    ['a failure that was accepted', { accepted: true }],
  ])('%s fails nothing', async (_, stated) => {
    answers['GET /builds/9.json'] = { body: { ...closed, verdict: { ...verdict, ...stated } } };
    expect(await step(close)).not.toHaveProperty('failure');
  });

  test('what is required and fails fails it though the total passes, and nothing else does', async () => {
    const sentence = 'Failed: flag `ui`. The total passes.';
    const failing = { state: 'failure', sentence, failing: ['flag:ui'], would_fail: [] };
    const passing = { ...verdict, state: 'success' };
    answers['GET /builds/9.json'] = { body: { ...closed, verdict: passing, overall: failing } };
    expect(await step(close)).toMatchObject({
      failure: `The verdict on the build is failure: ${sentence} See ${base}/builds/9`,
    });
    const hint = { state: 'success', sentence: 'Passed, but …', failing: [], would_fail: ['flag:ui'] };
    answers['GET /builds/9.json'] = { body: { ...closed, verdict: passing, overall: hint } };
    expect(await step(close)).not.toHaveProperty('failure');
  });

  test('ends at once where only the owner of the repo can bring it about', async () => {
    const kept = { ...closed, verdict: { ...verdict, provisional: true }, unverified_reason: 'access-denied' };
    answers['GET /builds/9.json'] = { body: kept };
    expect(await step(close)).not.toHaveProperty('failure');
    expect(lines.join('\n')).toContain('install its App, or end the suspension');
    expect(received.filter(({ path }) => path === '/builds/9.json')).toHaveLength(1);
  });

  test('a server that goes away in the meantime is waited for, and what takes long is told', async () => {
    let reads = 0;
    answers['GET /builds/9.json'] = () => {
      reads += 1;
      if (reads < 5) return { body: { state: 'open' } };
      return reads < 7 ? { status: 404, body: {} } : { body: { ...closed, verdict } };
    };
    expect(await step(close)).toHaveProperty('failure');
    expect(lines).toContain(`Still waiting for the verdict (the build is open), 4 s so far: ${base}/builds/9`);
  });

  test.each([
    ['no verdict in time', { body: { state: 'open' } }, 'there is no final verdict after 60 s (wait-timeout)'],
    ['a build that cannot be read', { status: 404, body: {} }, 'the verdict cannot be read with the token at hand'],
  ])('%s is a warning', async (_, answer, words) => {
    answers['GET /builds/9.json'] = answer;
    expect(await step(close)).toEqual({ buildUrl: `${base}/builds/9` });
    expect(lines.at(-1)).toMatch(/^warning: /);
    expect(lines.at(-1)).toContain(words);
  });
});

describe('a close', () => {
  test('names the build and what to carry forward, and reads the result', async () => {
    const outcome = await step({ 'parallel-finished': 'true', carryforward: 'unit,e2e' });
    expect(received.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /webhook', 'GET /builds/9.json']);
    expect(JSON.parse(received[0]?.body ?? '')).toEqual({
      repo_token: 'tok',
      repo_name: 'octo/repo',
      carryforward: 'unit,e2e',
      payload: { build_num: '4711', status: 'done' },
    });
    expect(outcome).toMatchObject({ buildUrl: `${base}/builds/9`, build: { covered_percent: 50 } });
  });

  test('of several lines each is one flag, whose name may hold a comma', async () => {
    await step({ 'parallel-finished': 'true', carryforward: 'unit\n  linux, node 24\n\n' });
    expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({ carryforward: ['unit', 'linux, node 24'] });
  });

  test('of a run that uploaded nothing is not told to check its token', async () => {
    const message = 'No build matching CI build number 4711 found';
    answers['POST /webhook'] = { status: 422, body: { message, error: true } };
    const failure = await step({ 'parallel-finished': 'true' }).catch((error: Error) => error.message);
    expect(failure).toContain(`${message}. Next: let this step run after a job of this run has uploaded its coverage`);
    expect(failure).not.toContain('token');
  });

  test('waits until the build is closed', async () => {
    let reads = 0;
    const body = { state: 'closed', covered_percent: 1 };
    answers['GET /builds/9.json'] = () => {
      reads += 1;
      return { body: { ...body, state: reads < 3 ? 'open' : 'closed' } };
    };
    expect(await step({ 'parallel-finished': 'true', 'build-number': 'n7' })).toMatchObject({
      build: { covered_percent: 1 },
    });
    expect(reads).toBe(3);
    expect(JSON.parse(received[0]?.body ?? '').payload.build_num).toBe('n7');
  });

  test('does not wait longer than ten seconds, and is no failure then', async () => {
    answers['GET /builds/9.json'] = { body: { state: 'open' } };
    expect(await step({ 'parallel-finished': 'true' })).toEqual({ buildUrl: `${base}/builds/9` });
    expect(received.length).toBeLessThanOrEqual(21);
    expect(lines.at(-1)).toContain('the build is not closed yet');
  });
});
