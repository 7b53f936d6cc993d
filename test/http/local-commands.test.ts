import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { PreviewJson } from '@coverage/shared';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import Ajv from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtCommand } from '../support/built-command.ts';
import { inheritedEnvironment } from '../support/child-process.ts';
import { job, sourceFile } from '../support/coverage-api.ts';
import { createGitRepo, type GitRepo } from '../support/git-repo.ts';
import { runCommand, USERS_NODE } from '../support/run-command.ts';
import { type Service, startService } from '../support/service.ts';
import { SARIF_SCHEMA } from './sarif-schema.ts';

/** The built command's "uncovered" and "mcp", with real git. */

const ODD = 'src/a: b,100%.js';
const REPORT = [
  `SF:src/a.js\nDA:1,1\nDA:2,0\nDA:4,0\nDA:5,1\nBRDA:5,0,0,1\nBRDA:5,0,1,0\nend_of_record\n`,
  `SF:${ODD}\nDA:1,0\nend_of_record\n`,
  `SF:src/same.js\nDA:1,0\nend_of_record\n`,
].join('');

let repo: GitRepo;
let service: Service;
let token: string;
beforeAll(async () => {
  service = await startService();
  ({ token } = await service.newRepo({ service: 'gitlab', name: 'acme/agents' }));
  repo = createGitRepo();
  const base = repo.commit('base', { 'src/a.js': 'one();\n', 'src/same.js': 'same();\n', '.gitignore': 'lcov.info\n' });
  await service.uploadAlone({
    ...job({ repo_token: token }),
    commit_sha: base,
    git: { branch: 'main' },
    source_files: [sourceFile('src/a.js', [1]), sourceFile('src/same.js', [0])],
  });
  repo.switchTo('topic');
  repo.commit('topic', { 'src/a.js': 'one();\ntwo();\n\n  four(\u001b[2J);\nfive ? 5 : 0;\n', [ODD]: 'odd();\n' });
  writeFileSync(join(repo.directory, 'lcov.info'), REPORT);
});
afterAll(async () => {
  repo.remove();
  await service.stop();
});

const run = (...args: string[]) => runCommand(args, { folder: repo.directory });

describe('uncovered', () => {
  test('for people: the text of the lines, made harmless', async () => {
    const { code, stdout } = await run('uncovered', '--changed');
    expect(code).toBe(0);
    expect(stdout).toBe(
      [
        'src/a.js',
        '  - 2  two();',
        '  - 3',
        '  - 4    four(\\x1b[2J);',
        '  ~ 5  five ? 5 : 0;',
        '',
        ODD,
        '  - 1  odd();',
        '',
        '3 lines and 1 line with a branch without a test in 2 files.',
        '',
      ].join('\n'),
    );
    expect((await run('uncovered')).stdout).toContain('src/same.js\n  - 1  same();\n');
  });

  test('for programs', async () => {
    const { stdout } = await run('uncovered', '--changed', '--json');
    expect(JSON.parse(stdout)).toEqual({
      files: 2,
      lines: 3,
      branches: 1,
      uncovered: [
        {
          name: 'src/a.js',
          ranges: [{ first: 2, last: 4, lines: 2, text: ['two();', '', '  four(\u001b[2J);'] }],
          branches: [{ first: 5, last: 5, lines: 1, text: ['five ? 5 : 0;'] }],
        },
        { name: ODD, ranges: [{ first: 1, last: 1, lines: 1, text: ['odd();'] }], branches: [] },
      ],
    });
  });

  test('as SARIF 2.1.0', async () => {
    const { stdout } = await run('uncovered', '--changed', '--sarif');
    const sarif = JSON.parse(stdout) as { runs: { results: object[] }[] };
    const validate = new Ajv.default({ strict: false, formats: { uri: true, 'uri-reference': true } }).compile(
      SARIF_SCHEMA,
    );
    expect(validate(sarif), JSON.stringify(validate.errors)).toBe(true);
    expect(sarif.runs[0]?.results).toMatchObject([
      {
        message: { text: 'These 2 lines have no test.' },
        locations: [{ physicalLocation: { region: { startLine: 2, endLine: 4 } } }],
      },
      { ruleId: 'uncovered-branch', level: 'note' },
      { ruleId: 'uncovered-line', level: 'warning' },
    ]);
    expect(stdout).toContain('"uri": "src/a%3A%20b%2C100%25.js"');
  });

  test("as GitHub's workflow commands, escaped", async () => {
    expect((await run('uncovered', '--changed', '--github')).stdout).toBe(
      [
        '::warning file=src/a.js,line=2,endLine=4,title=No test::These 2 lines have no test.',
        '::notice file=src/a.js,line=5,endLine=5,title=A branch without a test::A branch of this line has no test.',
        '::warning file=src/a%3A b%2C100%25.js,line=1,endLine=1,title=No test::This line has no test.',
        '',
      ].join('\n'),
    );
  });

  test('what is staged and what is only written counts, and nothing in the checkout changes', async () => {
    const own = createGitRepo();
    own.commit('base', { 'a.js': 'one();\n', 'gone.js': 'gone();\n', '.gitignore': 'lcov.info\n' });
    const put = (name: string, text: string) => writeFileSync(join(own.directory, name), text);
    put('staged.js', 'staged();\n');
    own.git('add', 'staged.js');
    own.git('rm', '-q', '--cached', 'gone.js');
    put('a.js', 'one();\ntwo();\n');
    put('lcov.info', 'SF:a.js\nDA:1,0\nDA:2,0\nend_of_record\nSF:staged.js\nDA:1,0\nend_of_record\n');
    const index = await readFile(join(own.directory, '.git/index'));
    const objects = own.git('count-objects', '-v');
    const { stdout } = await runCommand(['uncovered', '--changed', '--github'], { folder: own.directory });
    expect(stdout.split('\n').map((line) => /file=[^,]+,line=\d+/.exec(line)?.[0])).toEqual([
      'file=a.js,line=2',
      'file=staged.js,line=1',
      undefined,
    ]);
    expect(await readFile(join(own.directory, '.git/index'))).toEqual(index);
    expect(own.git('count-objects', '-v')).toBe(objects);
    own.remove();
  });

  test('without a base there is no change', async () => {
    expect(await run('uncovered', '--changed', '--base=nowhere')).toMatchObject({ code: 2 });
  });
});

test('migrate changes the files, and prints settings that the server takes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'migrate-'));
  const workflow = join(folder, '.github', 'workflows', 'ci.yml');
  await mkdir(dirname(workflow), { recursive: true });
  await writeFile(workflow, '# CI\njobs:\n  a:\n    steps:\n      - uses: coverallsapp/github-action@v2 # ours\n');
  await writeFile(join(folder, '.coveralls.yml'), 'repo_token: x\n');
  await writeFile(join(folder, '.gitlab-ci.yml'), 'a: { script: [node coverage.mjs report] }\n');
  await writeFile(
    join(folder, 'codecov.yml'),
    'coverage: { status: { project: { default: { target: 80% } }, patch: { default: { target: auto } } } }\n',
  );
  await mkdir(join(folder, '.github', 'actions', 'a', 'b'), { recursive: true });
  const composite = 'runs:\n  steps:\n    - uses: coverallsapp/github-action@v2\n    - run: npx codecov\n';
  await writeFile(join(folder, '.github', 'actions', 'a', 'b', 'action.yml'), composite);
  await writeFile(join(folder, 'Jenkinsfile'), "node {\n  sh 'npm test'\n  sh 'npx codecov'\n}\n");
  await mkdir(join(folder, '.circleci'));
  await writeFile(join(folder, '.circleci', 'config.yml'), 'orbs:\n  codecov: codecov/codecov@4\n');
  const call = (...args: string[]) => runCommand(['migrate', '--server=https://coverage.example', ...args], { folder });
  const shown = await call();
  expect(shown.stdout).toContain('Nothing was changed. To');
  expect(shown.stdout).toMatch(/^Jenkinsfile\n {2}line 3: This client only sends to Codecov\./m);
  expect(shown.stdout).toMatch(/^\.circleci\/config\.yml\n {2}line 2: The orb codecov\/codecov@4 /m);
  // The line is that of the file as it is, not of what it becomes.
  expect(shown.stdout).toMatch(/^\.github\/actions\/a\/b\/action\.yml\n {2}line 3: .*\n {2}line 4: This client /m);
  expect(await readFile(join(folder, '.coveralls.yml'), 'utf8')).toBe('repo_token: x\n');
  const written = await call('--write', '--json');
  expect(written).toMatchObject({ code: 0, stderr: '' });
  expect(await readFile(join(folder, '.coveralls.yml'), 'utf8')).toBe('');
  expect(await readFile(join(folder, '.gitlab-ci.yml'), 'utf8')).toBe(
    'variables:\n  COVERAGE_ENDPOINT: https://coverage.example\n\na: { script: [node coverage.mjs report] }\n',
  );
  expect(await readFile(workflow, 'utf8')).toBe(
    '# CI\njobs:\n  a:\n    steps:\n      - uses: coverallsapp/github-action@v2 # ours\n' +
      '        with:\n          coveralls-endpoint: https://coverage.example\n',
  );
  const [{ settings }] = (JSON.parse(written.stdout) as { codecov: [{ settings: Record<string, unknown> }] }).codecov;
  const { commit_status_fail_threshold, commit_status_fail_change_threshold, ...others } = settings;
  const repository = await service.newRepo();
  await service.change(repository, { commit_status_fail_threshold, commit_status_fail_change_threshold });
  const answer = await service.api.send(`/api/v1/repos/manual/${repository.name}/settings`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${service.adminToken}` },
    body: JSON.stringify(others),
  });
  expect([answer.status, others]).toEqual([200, { patch_status: true, patch_minimum: 'base' }]);
  await rm(folder, { recursive: true });
});

test('mcp answers what was asked before its input ended', async () => {
  const asked = [
    {
      method: 'initialize',
      id: 1,
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
    },
    { method: 'notifications/initialized' },
    { method: 'tools/call', id: 2, params: { name: 'uncovered_changed_lines', arguments: {} } },
    { method: 'tools/call', id: 3, params: { name: 'what_would_pass', arguments: {} } },
  ];
  const env = { ...inheritedEnvironment(), COVERAGE_ENDPOINT: service.url, COVERALLS_REPO_TOKEN: token };
  const input = asked.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('');
  const running = promisify(execFile)(USERS_NODE, [await builtCommand(), 'mcp'], { cwd: repo.directory, env });
  running.child.stdin?.end(input);
  const { stdout } = await running;
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: number; result?: { isError?: boolean } });
  expect(answers.map(({ id }) => id).toSorted()).toEqual([1, 2, 3]);
  for (const { result } of answers) expect(result?.isError).not.toBe(true);
});

test("mcp answers the protocol's own client", async () => {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StdioClientTransport({
    command: USERS_NODE,
    args: [await builtCommand(), 'mcp'],
    cwd: repo.directory,
    env: { ...inheritedEnvironment(), COVERAGE_ENDPOINT: service.url, COVERALLS_REPO_TOKEN: token } as Record<
      string,
      string
    >,
  });
  await client.connect(transport);
  try {
    const { tools } = await client.listTools();
    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
      ['uncovered_changed_lines', true],
      ['file_coverage', true],
      ['what_would_pass', true],
    ]);
    const call = async (name: string, input: Record<string, unknown> = {}) => {
      const { content, isError } = await client.callTool({ name, arguments: input });
      const [{ text }] = content as [{ text: string }];
      return isError === true ? text : (JSON.parse(text) as object);
    };
    expect(await call('uncovered_changed_lines')).toMatchObject({ base: 'main', lines: 3, files: 2 });
    expect(await call('file_coverage', { file: './src/a.js' })).toMatchObject({
      file: 'src/a.js',
      lines: { covered: 2, all: 4 },
      uncovered: [{ first: 2, last: 4 }],
    });
    expect(await call('file_coverage', { file: 'src/none.js' })).toContain('No report includes src/none.js.');
    expect(await call('nothing')).toContain('There is no tool nothing.');
    const answer = (await call('what_would_pass')) as Pick<PreviewJson, 'passes' | 'remedies'>;
    expect(answer).toMatchObject({ passes: false, sentence: expect.stringContaining('no decrease allowed') });
    expect(answer.remedies[0]?.sentence).toContain('Cover ');
  } finally {
    await client.close();
  }
});
