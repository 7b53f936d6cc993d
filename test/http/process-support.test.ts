import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseOutputs, readInputDefaults } from '../support/action-metadata.ts';
import {
  mergeGroupEvent,
  pullRequestEvent,
  pushEvent,
  tagPushEvent,
  workflowDispatchEvent,
} from '../support/event-payloads.ts';
import { runAction } from '../support/run-action.ts';
import { startServer } from '../support/server-process.ts';
import { waitFor } from '../support/wait-for.ts';

let directory = '';
const write = async (name: string, text: string): Promise<string> => {
  const file = join(directory, name);
  await writeFile(file, text);
  return file;
};

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'process-support-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const server = `
import { createServer } from 'node:http';
import { existsSync, writeFileSync } from 'node:fs';
const file = process.env.DATABASE_URL.replace('sqlite:', '');
const fresh = !existsSync(file);
writeFileSync(file, '');
const app = createServer((_, response) => response.end(JSON.stringify({ fresh, env: process.env })));
const say = () => console.log(\`{"msg":"listening on http://\${process.env.HOST}:\${app.address().port}"}\`);
app.listen(Number(process.env.PORT), process.env.HOST, say);
process.on('SIGTERM', () => { console.error('bye'); app.close(() => process.exit(0)); app.closeIdleConnections(); });
`;

describe('the server process', () => {
  test('starts, stops, is killed and starts again on its port and database', async () => {
    const process = await startServer({ script: await write('server.mjs', server), env: { EXTRA: 'yes' } });
    const ask = async () =>
      (await (await fetch(process.url)).json()) as { fresh: boolean; env: Record<string, string> };
    expect(await ask()).toMatchObject({
      fresh: true,
      env: { EXTRA: 'yes', LOG_LEVEL: 'info', ADMIN_TOKEN: process.adminToken },
    });
    expect(Object.keys((await ask()).env).sort()).not.toContain('npm_lifecycle_event');
    expect(await process.stop()).toMatchObject({ code: 0, signal: null });
    await process.restart({ LATE_JOB_PERIOD: '1s' });
    expect(await ask()).toMatchObject({ fresh: false, env: { LATE_JOB_PERIOD: '1s' } });
    await process.kill();
    await expect(ask()).rejects.toThrow();
    expect(process.output().filter((line) => line.includes('listening on'))).toHaveLength(2);
    expect(process.output()).toContain('bye');
    await process.dispose();
  });

  test('says what a server wrote that does not start or does not listen', async () => {
    const dying = await write('dying.mjs', `console.error('PORT must be a number'); process.exit(2);`);
    await expect(startServer({ script: dying })).rejects.toThrow(
      /ended with code 2 before it listened.*PORT must be a number/s,
    );
    const silent = await write('silent.mjs', `console.log('thinking'); setInterval(() => {}, 1000);`);
    await expect(startServer({ script: silent, startTimeoutMs: 500 })).rejects.toThrow(
      /did not listen within 500 ms.*thinking/s,
    );
  });
});

const actionYml = `
name: Example
inputs:
  # the report
  file:
    description: 'a: file'
    required: false
  github-token:
    description: "token"
    default: \${{ github.token }}
  matrix:
    default: \${{ toJSON(matrix) }} # for the job number
  fail-on-error:
    default: 'it''s true'
  odd name:
    default: "a\\tb"
outputs:
  coverage:
    default: none
runs:
  using: node24
`;

const bundle = `
import { appendFileSync, readFileSync } from 'node:fs';
const { env } = process;
console.log('::notice::hello');
console.error('a warning');
appendFileSync(env.GITHUB_OUTPUT, 'plain=a=b\\nlong<<END_1\\none\\ntwo=2\\nEND_1\\n');
appendFileSync(env.GITHUB_STEP_SUMMARY, '# ' + JSON.parse(readFileSync(env.GITHUB_EVENT_PATH)).number);
process.exitCode = env['INPUT_FAIL-ON-ERROR'] === 'no' ? 0 : 3;
`;

const event = pullRequestEvent({
  repo: 'acme/shop',
  number: 7,
  headSha: 'a'.repeat(40),
  headRef: 'feature/prices',
  baseSha: 'b'.repeat(40),
  mergeSha: 'c'.repeat(40),
});

describe('the action', () => {
  test('runs with the variables and files of a runner, and nothing of ours', async () => {
    const step = {
      workspace: directory,
      event,
      bundle: await write('bundle.mjs', bundle),
      metadata: await write('action.yml', actionYml),
    };
    const inputs = { file: 'x.info', 'flag-name': 'js' };
    const result = await runAction({ ...step, inputs, matrix: { node: 24 }, githubToken: 'ghs_1', env: { STEP: '1' } });
    expect(result).toMatchObject({
      exitCode: 3,
      stdout: '::notice::hello\n',
      stderr: 'a warning\n',
      outputs: { plain: 'a=b', long: 'one\ntwo=2' },
      summary: '# 7',
    });
    expect(result.env).toMatchObject({
      INPUT_FILE: 'x.info',
      'INPUT_FLAG-NAME': 'js',
      'INPUT_GITHUB-TOKEN': 'ghs_1',
      INPUT_MATRIX: '{\n  "node": 24\n}',
      'INPUT_FAIL-ON-ERROR': "it's true",
      INPUT_ODD_NAME: 'a\tb',
      GITHUB_SHA: 'c'.repeat(40),
      GITHUB_REF_NAME: '7/merge',
      GITHUB_HEAD_REF: 'feature/prices',
      STEP: '1',
    });
    expect(result.warnings.join()).toMatch(/Unexpected input\(s\) 'flag-name'/);
    expect(
      Object.keys(result.env).filter((name) => !/^(GITHUB|RUNNER|INPUT)_|^(CI|PATH|HOME|STEP)$/.test(name)),
    ).toEqual([]);
    expect((await runAction({ ...step, inputs: { 'fail-on-error': 'no' } })).exitCode).toBe(0);
  });

  test('is ended when it hangs', async () => {
    const hanging = await write('hanging.mjs', `console.log('waiting'); setInterval(() => {}, 1000);`);
    const metadata = await write('action.yml', actionYml);
    await expect(runAction({ workspace: directory, event, bundle: hanging, metadata, timeoutMs: 500 })).rejects.toThrow(
      /500 ms.*waiting/s,
    );
  });

  test('metadata and outputs that are not understood are said, not guessed', () => {
    expect(() => readInputDefaults('inputs:\n  a:\n    default: |\n      x\n')).toThrow(/line 3/);
    expect(() => parseOutputs('a<<END\nx\n')).toThrow(/no end "END"/);
    expect(() => parseOutputs('nonsense\n')).toThrow(/line 1/);
  });

  test('every event says what is tested', () => {
    const [repo, sha] = ['acme/shop', 'd'.repeat(40)];
    const variables = [
      pushEvent({ repo, branch: 'feature/x', sha }),
      tagPushEvent({ repo, tag: 'v1.0', sha }),
      mergeGroupEvent({ repo, number: 7, headSha: sha, baseSha: 'b'.repeat(40) }),
      workflowDispatchEvent({ repo, branch: 'main', sha }),
    ].map((one) => [one.name, one.variables.GITHUB_REF_NAME, one.variables.GITHUB_REF_TYPE, one.variables.GITHUB_SHA]);
    expect(variables).toEqual([
      ['push', 'feature/x', 'branch', sha],
      ['push', 'v1.0', 'tag', sha],
      ['merge_group', `gh-readonly-queue/main/pr-7-${'b'.repeat(40)}`, 'branch', sha],
      ['workflow_dispatch', 'main', 'branch', sha],
    ]);
  });
});

test('waiting ends with what was waited for', async () => {
  let asked = 0;
  expect(await waitFor(() => (++asked > 2 ? asked : undefined), { what: 'three', intervalMs: 1 })).toBe(3);
  await expect(waitFor(() => false, { what: 'the moon', timeoutMs: 20 })).rejects.toThrow(
    /ms for the moon without success; the last answer was false/,
  );
});
