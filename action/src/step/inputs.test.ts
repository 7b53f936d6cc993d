import { describe, expect, test } from 'vitest';
import { failsStep, type InputSource, readInputs } from './inputs.ts';

const GIVEN = { 'server-url': 'https://cov.example', 'repo-token': 'tok' };

function source(inputs: Record<string, string>, env: Record<string, string> = {}): InputSource & { masked: string[] } {
  const masked: string[] = [];
  return {
    input: (name) => inputs[name] ?? '',
    env,
    maskSecret: (secret) => masked.push(secret),
    readEvent: async () => ({ head_commit: { message: 'm' } }),
    masked,
  };
}
const read = (inputs: Record<string, string>, env?: Record<string, string>) =>
  readInputs(source({ ...GIVEN, ...inputs }, env));

test('without more than server and token', async () => {
  expect(await read({})).toEqual({
    task: 'report',
    files: [],
    format: '',
    flagName: '',
    githubToken: '',
    idTokenRequest: undefined,
    parallel: false,
    carryforward: '',
    endpoint: new URL('https://cov.example'),
    token: 'tok',
    readToken: 'tok',
    allowEmpty: false,
    allowAmbiguous: false,
    sendDiff: true,
    sendSource: undefined,
    timeoutMs: 300_000,
    waitMs: undefined,
    dryRun: false,
    annotations: false,
    buildNumber: '',
    basePath: '',
    choice: { include: [], exclude: [] },
    pathMap: [],
    matrix: 'null',
    gitBranch: '',
    gitCommit: '',
    compareRef: '',
    compareSha: '',
    pullRequest: '',
    caFile: '',
    behindProxy: false,
    withoutSecret: false,
    notices: [],
    runner: {
      eventName: '',
      sha: '',
      ref: '',
      refName: '',
      headRef: '',
      repository: '',
      runId: '',
      runAttempt: '',
      job: '',
      serverUrl: 'https://github.com',
      workspace: process.cwd(),
      event: { head_commit: { message: 'm' } },
    },
  });
});

describe('files', () => {
  test.each([
    ['one path may hold blanks', { file: 'my report.info' }, ['my report.info']],
    ['several paths between blanks', { files: 'a.info  b/*.xml' }, ['a.info', 'b/*.xml']],
    ['one a line may hold blanks', { files: 'a b.info\n\n c.xml \n' }, ['a b.info', 'c.xml']],
    ['both', { file: 'a', files: 'b c' }, ['a', 'b', 'c']],
    ['the old name of file', { 'path-to-lcov': 'my report.info', files: 'b' }, ['my report.info', 'b']],
    ['file before its old name', { file: 'a', 'path-to-lcov': 'b' }, ['a']],
  ])('%s', async (_, inputs, files) => expect((await read(inputs)).files).toEqual(files));
});

test.each([
  ['', true],
  ['true', true],
  ['off', false],
  ['False', false],
])('send-diff %j is %s', async (text, sendDiff) => expect((await read({ 'send-diff': text })).sendDiff).toBe(sendDiff));

test('inputs of coverallsapp/github-action that mean nothing here are told in one notice', async () => {
  const given = { debug: 'true', measure: 'false', 'coverage-reporter-version': 'v0.6.15' };
  expect(await read(given)).toMatchObject({
    notices: ['Inputs of coverallsapp/github-action that have no effect here: debug, coverage-reporter-version.'],
  });
  expect((await read({ file: 'a', 'path-to-lcov': 'b' })).notices).toEqual([
    'Input path-to-lcov is the old name of file, and both are set: "a" is used, "b" is not.',
  ]);
});

describe('commits and branches', () => {
  test('are taken in short and in capital letters', async () => {
    const given = { 'git-commit': 'ABCDEF0', 'compare-sha': 'a'.repeat(64), 'compare-ref': 'refs/heads/release/1.x' };
    expect(await read(given)).toMatchObject({
      gitCommit: 'abcdef0',
      compareSha: 'a'.repeat(64),
      compareRef: 'refs/heads/release/1.x',
    });
  });

  test.each([
    ['git-commit', 'abcdef'],
    ['git-commit', 'main'],
    ['compare-sha', 'HEAD~1'],
    ['compare-sha', 'a'.repeat(65)],
  ])('%s: %s is no sha', async (name, text) => {
    await expect(read({ [name]: text })).rejects.toThrow(
      `Input ${name}: expected the sha of a commit, 7 to 64 hexadecimal digits, got "${text}".`,
    );
  });

  test.each([
    'a b',
    'a..b',
    'a^',
    'x:y',
    '-a',
    '/a',
    'a/',
    'a//b',
    'a.lock',
    'a.lock/b',
    '.a',
    'a/.b',
    'a.',
    '@',
    'a@{1}',
  ])('compare-ref: git takes no name %s', async (text) => {
    await expect(read({ 'compare-ref': text })).rejects.toThrow(
      `Input compare-ref: expected the name of a branch or tag that git accepts, got "${text}".`,
    );
  });
});

describe('the server', () => {
  test('by the name that existing workflows use', async () => {
    const { endpoint } = await readInputs(
      source({ 'coveralls-endpoint': 'http://host:8080/path/', 'repo-token': 't' }),
    );
    expect(endpoint.href).toBe('http://host:8080/path/');
  });

  test('neither name given', async () => {
    await expect(readInputs(source({ 'repo-token': 't' }))).rejects.toThrow('Neither is set.');
  });

  test('both names given', async () => {
    await expect(read({ 'coveralls-endpoint': 'https://cov.example' })).rejects.toThrow(
      'both are set: set only one of them',
    );
  });

  test.each(['cov.example', 'ftp://cov.example', 'https://', 'https://x/?a=1', 'https://x/#a'])(
    '%s is no address',
    async (text) => {
      await expect(read({ 'server-url': text })).rejects.toThrow(
        `Input server-url: expected an address like https://coverage.example or http://host:8080/path, got "${text}".`,
      );
    },
  );

  test.each([
    ['https://cov.example/api/v1/jobs', '/api/v1/jobs'],
    ['https://cov.example/base/api/v1/', '/api/v1/'],
    ['http://cov.example/webhook', '/webhook'],
  ])('%s is more than the base', async (text, path) => {
    await expect(read({ 'server-url': text })).rejects.toThrow(
      `Input server-url: give only the base URL, without ${path} at its end, got "${text}".`,
    );
  });

  test('an address with a password is refused without showing it', async () => {
    const failure = await read({ 'server-url': 'https://me:hunter2@x' }).catch((error: Error) => error.message);
    expect(failure).toContain('leave user name and password out');
    expect(failure).not.toContain('hunter2');
  });
});

describe('tokens', () => {
  test('the repo token wins; both are masked', async () => {
    const both = source({ ...GIVEN, 'github-token': 'ghs' });
    expect(await readInputs(both)).toMatchObject({ token: 'tok', readToken: 'tok' });
    expect(both.masked).toEqual(['tok', 'ghs']);
  });

  test('a GitHub token is sent, but not used for reading', async () => {
    expect(await read({ 'repo-token': '', 'github-token': 'ghs' })).toMatchObject({ token: 'ghs', readToken: '' });
    expect(await read({ 'repo-token': 'ghs_abc' })).toMatchObject({ token: 'ghs_abc', readToken: '' });
    expect(await read({ 'repo-token': 'github_pat_abc' })).toMatchObject({ readToken: '' });
  });

  test('a fork’s pull request is without a secret, whatever token of GitHub stands for one', async () => {
    const event = { pull_request: { head: { repo: { full_name: 'mona/shop' } } } };
    const env = { GITHUB_EVENT_NAME: 'pull_request', GITHUB_REPOSITORY: 'acme/shop' };
    const ofFork = (token: string) =>
      readInputs({
        ...source({ ...GIVEN, 'repo-token': token, 'github-token': 'ghs_1' }, env),
        readEvent: async () => event,
      });
    const found = await Promise.all(['', 'ghs_1', 'tok'].map(ofFork));
    expect(found.map(({ withoutSecret }) => withoutSecret)).toEqual([true, true, false]);
  });

  test('a fork’s pull request goes without any', async () => {
    const event = { pull_request: { head: { repo: null } } };
    const env = { GITHUB_EVENT_NAME: 'pull_request', GITHUB_REPOSITORY: 'acme/shop' };
    const asked = { ...source({ ...GIVEN, 'repo-token': '' }, env), readEvent: async () => event };
    expect(await readInputs(asked)).toMatchObject({ token: '', readToken: '', withoutSecret: true });
  });

  test('an id-token is asked for where there is no repo token and the job may have one', async () => {
    const env = { ACTIONS_ID_TOKEN_REQUEST_URL: 'https://run.example', ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'r' };
    const idTokenRequest = { url: 'https://run.example', token: 'r' };
    expect(await read({ 'repo-token': '' }, env)).toMatchObject({ token: '', idTokenRequest });
    expect(await read({ 'repo-token': '', 'github-token': 'ghs' }, env)).toMatchObject({
      token: 'ghs',
      idTokenRequest,
    });
    expect((await read({}, env)).idTokenRequest).toBeUndefined();
    await expect(read({ 'repo-token': '' }, { ...env, ACTIONS_ID_TOKEN_REQUEST_TOKEN: '' })).rejects.toThrow(
      'Input repo',
    );
  });

  test('none', async () => {
    await expect(read({ 'repo-token': '' })).rejects.toThrow('Input repo-token: give the repo token');
  });
});

describe('switches', () => {
  test.each(['true', 'TRUE', '1', 'yes', 'on'])('%s is on', async (text) => {
    expect(await read({ parallel: text, 'parallel-finished': text, 'allow-empty': text })).toMatchObject({
      parallel: true,
      task: 'close',
      allowEmpty: true,
    });
  });

  test.each(['', 'false', 'False', '0', 'no', 'off'])('%j is off', async (text) => {
    expect(await read({ parallel: text, 'parallel-finished': text })).toMatchObject({
      parallel: false,
      task: 'report',
    });
  });

  test('anything else is refused', async () => {
    await expect(read({ parallel: 'maybe' })).rejects.toThrow('Input parallel: expected true or false, got "maybe".');
  });

  test('a failure fails the step unless that is switched off', () => {
    const failOnError = (text: string) => failsStep(source({ 'fail-on-error': text }), { ofServer: false });
    expect(['', 'true', 'maybe'].map(failOnError)).toEqual([true, true, true]);
    expect(['false', 'FALSE', '0'].map(failOnError)).toEqual([false, false, false]);
  });

  test.each([
    [{}, false],
    [{ 'fail-on-error': 'true' }, false],
    [{ 'fail-on-server-error': 'true' }, true],
    [{ 'fail-on-server-error': 'maybe' }, true],
    [{ 'fail-on-server-error': 'true', 'fail-on-error': 'false' }, false],
  ])('a failure of the server with %j fails the step: %s', (inputs, fails) => {
    expect(failsStep(source(inputs), { ofServer: true })).toBe(fails);
  });
});

describe('wait', () => {
  test('for ten minutes, or as long as is said', async () => {
    expect(await read({ wait: 'true' })).toMatchObject({ waitMs: 600_000 });
    expect(
      await read({ wait: 'true', 'wait-timeout': '5', parallel: 'true', 'parallel-finished': 'true' }),
    ).toMatchObject({ waitMs: 5_000 });
    await expect(read({ 'wait-timeout': 'soon' })).rejects.toThrow('Input wait-timeout: expected whole seconds from 1');
  });

  test.each([{ parallel: 'true' }, { 'expected-jobs': '3' }])('is refused on a leg, as of %j', async (inputs) => {
    await expect(read({ wait: 'true', ...inputs })).rejects.toThrow(
      'Input wait: a parallel upload does not close its build, so there is no verdict to wait for. Set wait in',
    );
  });
});

test('expected-jobs makes an upload parallel', async () => {
  expect(await read({ 'expected-jobs': '3' })).toMatchObject({ parallel: true, expectedJobs: 3 });
  await expect(read({ 'expected-jobs': '1001' })).rejects.toThrow('from 1 to 1000, got "1001".');
});

test('a dry run needs no token', async () => {
  expect(await read({ 'repo-token': '', 'dry-run': 'true' })).toMatchObject({ dryRun: true, token: '' });
});

test('timeout in seconds', async () => {
  expect(await read({ timeout: '15' })).toMatchObject({ timeoutMs: 15_000 });
  for (const text of ['0', '-1', '1.5', '1m', '99999999']) {
    await expect(read({ timeout: text })).rejects.toThrow(
      `Input timeout: expected whole seconds from 1 to 21600, got "${text}".`,
    );
  }
});

test('the runner’s variables', async () => {
  const env = {
    GITHUB_EVENT_NAME: 'push',
    GITHUB_SHA: 's',
    GITHUB_REF: 'refs/heads/a/b',
    GITHUB_REF_NAME: 'a/b',
    GITHUB_HEAD_REF: 'h',
    GITHUB_REPOSITORY: 'o/r',
    GITHUB_RUN_ID: '1',
    GITHUB_RUN_ATTEMPT: '2',
    GITHUB_JOB: 'j',
    GITHUB_SERVER_URL: 'https://ghe.example',
    GITHUB_WORKSPACE: '/w',
  };
  expect((await read({}, env)).runner).toMatchObject({
    eventName: 'push',
    sha: 's',
    ref: 'refs/heads/a/b',
    refName: 'a/b',
    headRef: 'h',
    repository: 'o/r',
    runId: '1',
    runAttempt: '2',
    job: 'j',
    serverUrl: 'https://ghe.example',
    workspace: '/w',
  });
});

test('a proxy, by the names that runners use', async () => {
  expect(await read({}, { https_proxy: 'http://proxy:3128' })).toMatchObject({ behindProxy: true });
  expect(await read({}, { HTTP_PROXY: 'http://proxy:3128' })).toMatchObject({ behindProxy: true });
  expect(await read({}, { HTTPS_PROXY: '' })).toMatchObject({ behindProxy: false });
});

test('files that count, and what names are in the repo', async () => {
  const given = { include: 'src lib/**', exclude: 'a b.ts\n**/*.test.ts', 'path-map': '/app=backend\nC:\\w\\ = ' };
  expect(await read(given)).toMatchObject({
    choice: { include: ['src', 'lib/**'], exclude: ['a b.ts', '**/*.test.ts'] },
    pathMap: [
      { from: '/app', to: 'backend' },
      { from: 'C:/w', to: '.' },
    ],
  });
  await expect(read({ 'path-map': '/app' })).rejects.toThrow('Input path-map: expected from=to, such as /app=backend');
});
