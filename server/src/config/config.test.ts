import { createPrivateKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { findGithub } from '../hosts/github/addresses.ts';
import { ConfigError, readConfig } from './config.ts';
import { CONFIG_VARIABLES } from './variables.ts';

const HEX = randomBytes(32).toString('hex');
const files: Readonly<Record<string, string>> = {
  '/run/token': 'from-a-file\n',
  '/run/empty': '\n',
  '/run/key': `${HEX}\n`,
};

function readFile(path: string): string {
  const text = files[path];
  if (text === undefined) throw Object.assign(new Error(`no such file ${path}`), { code: 'ENOENT' });
  return text;
}

const read = (env: Record<string, string> = {}) => readConfig(env, readFile);

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    read(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

const SOME_SETTINGS = { sendBuildStatus: false, minimum: 80 };

const UNSET_HOST = {
  url: undefined,
  isReadable: false,
  token: undefined,
  webhookSecret: undefined,
  application: undefined,
};

test('defaults', () => {
  expect(read()).toEqual({
    port: 8080,
    host: '127.0.0.1',
    baseUrl: undefined,
    trustProxy: { kind: 'none' },
    secretKey: undefined,
    previousSecretKey: undefined,
    databaseUrl: 'sqlite:./data/coverage.db',
    adminToken: undefined,
    githubUrl: undefined,
    githubApiUrl: undefined,
    githubToken: undefined,
    githubApp: undefined,
    githubOauthApp: undefined,
    githubWebhookSecret: undefined,
    secretValues: [],
    githubWritesPerSecond: 10,
    ...Object.fromEntries(['gitlab', 'gitea', 'forgejo'].map((host) => [host, UNSET_HOST])),
    bitbucket: {
      url: undefined,
      apiUrl: undefined,
      isReadable: false,
      token: undefined,
      webhookSecret: undefined,
      application: undefined,
    },
    bitbucketServer: { url: undefined, token: undefined, webhookSecret: undefined, application: undefined },
    outgoing: { httpProxy: undefined, httpsProxy: undefined, noProxy: undefined, ca: undefined },
    statusContext: 'coverage',
    allowedOwners: [],
    defaultRepoSettings: {},
    floors: { minTotal: null, minChanges: null },
    quietPeriod: 1_800_000,
    latePeriod: 60_000,
    stopNotice: 5_000,
    requireSignIn: true,
    localAccounts: true,
    adminGroup: undefined,
    groupRoles: [],
    groupsMaxAge: 12 * 3_600_000,
    openId: undefined,
    maxUploadBytes: 268_435_456,
    maxUploadsMemory: 1_073_741_824,
    maxReportBytes: 268_435_456,
    minFreeDisk: 268_435_456,
    repoLimits: { jobsPerMinute: 6_000, bytesPerDay: 64 * 2 ** 30, openBuilds: 1_000 },
    unverifiedLimits: { run: 2 ** 26, pull: 2 ** 28, address: 2 ** 29, repo: 2 ** 30 },
    unverifiedRetention: { perRepo: 200, perPull: 10 },
    addressLimits: { jobsPerMinute: 600, bytesPerDay: 16 * 2 ** 30 },
    maxMergeMemory: 2_147_483_648,
    sourceCacheSize: 67_108_864,
    runChecksPerMinute: 30,
    sourceRequestsPerMinute: 30,
    maxMergeTime: 300_000,
    upgradeBackups: 2,
    auditDays: 0,
    retention: { days: undefined, builds: undefined },
    workerThreads: undefined,
    metricsToken: undefined,
    metricsPort: undefined,
    metricsHost: '127.0.0.1',
    logLevel: 'info',
    warnings: [],
  });
});

test.each([
  ['PORT', '0', 'port', 0],
  ['PORT', '65535', 'port', 65_535],
  ['HOST', '::', 'host', '::'],
  ['HOST', '[::1]', 'host', '::1'],
  ['HOST', 'coverage.internal', 'host', 'coverage.internal'],
  ['BASE_URL', 'https://tools.example/coverage', 'baseUrl', 'https://tools.example/coverage'],
  ['BASE_URL', 'HTTPS://Tools.Example:443//coverage/', 'baseUrl', 'https://tools.example/coverage'],
  ['BASE_URL', 'http://localhost:8080/', 'baseUrl', 'http://localhost:8080'],
  ['OIDC_GROUPS_MAX_AGE', '90m', 'groupsMaxAge', 5_400_000],
  ['GITHUB_OIDC_ISSUERS', 'none', 'githubOidcIssuers', []],
  ['GITHUB_OIDC_ISSUERS', 'https://a.example/, https://b/c', 'githubOidcIssuers', ['https://a.example', 'https://b/c']],
  // Keys that came without https could be anybody's.
  ['GITHUB_API_URL', 'http://ghe.example/api/v3', 'githubOidcIssuers', []],
  ['TRUST_PROXY', 'none', 'trustProxy', { kind: 'none' }],
  ['TRUST_PROXY', '2', 'trustProxy', { kind: 'hops', hops: 2 }],
  [
    'TRUST_PROXY',
    'loopback, 10.0.0.0/8,::1',
    'trustProxy',
    { kind: 'networks', networks: ['loopback', '10.0.0.0/8', '::1'] },
  ],
  ['DATABASE_URL', 'sqlite::memory:', 'databaseUrl', 'sqlite::memory:'],
  ['GITHUB_API_URL', 'https://ghe.example/api/v3/', 'githubApiUrl', 'https://ghe.example/api/v3'],
  ['GITHUB_URL', 'https://ghe.example/', 'githubUrl', 'https://ghe.example'],
  ['STATUS_CONTEXT', 'coverage/coveralls', 'statusContext', 'coverage/coveralls'],
  ['STATUS_CONTEXT', 'c', 'statusContext', 'c'],
  ['ALLOWED_OWNERS', 'Acme', 'allowedOwners', [{ service: undefined, owner: 'acme' }]],
  [
    'ALLOWED_OWNERS',
    'github/acme, Tools',
    'allowedOwners',
    [
      { service: 'github', owner: 'acme' },
      { service: undefined, owner: 'tools' },
    ],
  ],
  [
    'DEFAULT_REPO_SETTINGS',
    '{"use_status": false, "commit_status_fail_threshold": 80}',
    'defaultRepoSettings',
    SOME_SETTINGS,
  ],
  ['DEFAULT_REPO_SETTINGS', '{}', 'defaultRepoSettings', {}],
  ['MIN_TOTAL', '66.67', 'floors', { minTotal: 66.67, minChanges: null }],
  ['MIN_CHANGES', '0', 'floors', { minTotal: null, minChanges: 0 }],
  ['BUILD_QUIET_PERIOD', '500ms', 'quietPeriod', 500],
  ['LATE_JOB_PERIOD', '0s', 'latePeriod', 0],
  ['STOP_NOTICE_PERIOD', '0s', 'stopNotice', 0],
  ['REQUIRE_SIGN_IN', 'false', 'requireSignIn', false],
  ['REQUIRE_SIGN_IN', '0', 'requireSignIn', false],
  ['REQUIRE_SIGN_IN', 'Yes', 'requireSignIn', true],
  ['MAX_UPLOAD_BYTES', '1000', 'maxUploadBytes', 1_000],
  ['MAX_UPLOAD_BYTES', '64MiB', 'maxUploadBytes', 67_108_864],
  ['MAX_REPORT_BYTES', '10 mb', 'maxReportBytes', 10_000_000],
  ['MAX_REPORT_BYTES', '4GiB', 'maxReportBytes', 4_294_967_296],
  ['MAX_UPLOAD_BYTES', '1000', 'minFreeDisk', 1_000],
  ['MIN_FREE_DISK', '2GB', 'minFreeDisk', 2_000_000_000],
  ['MIN_FREE_DISK', '0', 'minFreeDisk', 0],
  ['WORKER_THREADS', '3', 'workerThreads', 3],
  ['GITHUB_WRITES_PER_SECOND', '1', 'githubWritesPerSecond', 1],
  ['LOG_LEVEL', 'WARN', 'logLevel', 'warn'],
  ['LOG_FORMAT', 'Pretty', 'logFormat', 'pretty'],
  ['GITHUB_WEBHOOK_SECRET', 'shared-with-the-webhook', 'githubWebhookSecret', 'shared-with-the-webhook'],
  ['ADMIN_TOKEN', `  ${HEX.slice(0, 32)} `, 'adminToken', HEX.slice(0, 32)],
  ['PORT', '', 'port', 8080],
  ['ADMIN_TOKEN', ' ', 'adminToken', undefined],
])('%s=%s', (name, value, key, expected) => {
  expect(read({ [name]: value })).toMatchObject({ [key]: expected });
});

test.each([
  ['PORT', 'http', 'PORT is "http"; give a whole number from 0 (any free port) to 65535, such as 8080.'],
  ['PORT', '65536', 'PORT is "65536"; give a whole number'],
  ['PORT', '-1', 'PORT is "-1"; give a whole number'],
  ['PORT', '80.5', 'PORT is "80.5"; give a whole number'],
  ['PORT', '6000', "PORT is 6000, which browsers and Node's fetch refuse to open; give another one, such as 8080."],
  ['PORT', '6667', 'PORT is 6667, which browsers'],
  ['PORT', '10080', 'PORT is 10080, which browsers'],
  ['HOST', 'http://x', 'HOST is "http://x"; give an address or host name without scheme and port'],
  ['HOST', '127.0.0.1:80', 'HOST is "127.0.0.1:80"'],
  [
    'BASE_URL',
    'tools.example',
    'BASE_URL is "tools.example"; give an http or https URL, such as https://tools.example/coverage.',
  ],
  ['BASE_URL', 'ftp://tools.example', 'give an http or https URL'],
  ['BASE_URL', 'https://x/?a=1', 'leave out what begins with ? or #'],
  ['BASE_URL', 'https://x/#', 'leave out what begins with ? or #'],
  ['BASE_URL', 'https://me:hush@x/', 'BASE_URL holds a user name or password; leave them out.'],
  ['TRUST_PROXY', 'true', 'TRUST_PROXY holds "true"; give the proxies\' addresses'],
  ['TRUST_PROXY', '10.0.0.0/33', 'TRUST_PROXY holds "10.0.0.0/33"'],
  ['TRUST_PROXY', 'loopback,', 'TRUST_PROXY holds ""'],
  [
    'SECRET_KEY',
    'hush',
    'SECRET_KEY has 4 characters; give 64 hexadecimal or 44 base64 characters (32 bytes), as `openssl rand -hex ' +
      '32` prints them.',
  ],
  ['GITHUB_WEBHOOK_SECRET', 'hush hush', 'GITHUB_WEBHOOK_SECRET has 9 characters, some of them blanks'],
  ['ADMIN_TOKEN', 'hush hush', 'ADMIN_TOKEN has 9 characters, some of them blanks'],
  [
    'ADMIN_TOKEN',
    'hush'.repeat(7).concat('hus'),
    'ADMIN_TOKEN has 31 characters, short enough to be guessed; give at least 32, such as `openssl rand -hex 32`',
  ],
  [
    'DATABASE_URL',
    'postgres://me:hush@x/',
    'DATABASE_URL has 21 characters and begins with no known scheme; give sqlite:<path>',
  ],
  ['DATABASE_URL', './coverage.db', 'DATABASE_URL has 13 characters'],
  ['STATUS_CONTEXT', 'a\nb', 'STATUS_CONTEXT is "a\\nb"; give one line'],
  ['STATUS_CONTEXT', 'c'.repeat(101), 'give one line of 1 to 100 printable characters'],
  ['ALLOWED_OWNERS', '*', 'ALLOWED_OWNERS holds "*"; give owners separated by commas, such as acme or github/acme.'],
  ['ALLOWED_OWNERS', 'acme/shop', 'ALLOWED_OWNERS holds "acme/shop"'],
  ['ALLOWED_OWNERS', 'acme,', 'ALLOWED_OWNERS holds ""'],
  ['DEFAULT_REPO_SETTINGS', 'none', 'DEFAULT_REPO_SETTINGS is "none"; give a JSON object such as'],
  ['DEFAULT_REPO_SETTINGS', '[]', 'DEFAULT_REPO_SETTINGS is "[]"; give a JSON object'],
  [
    'DEFAULT_REPO_SETTINGS',
    '{"commit_status_fail_threshold": 101, "color": 1}',
    'DEFAULT_REPO_SETTINGS does not fit: commit_status_fail_threshold must be a number from 0 to 100, or null, ' +
      'not 101; "color" is unknown (known: comment_on_pull_requests',
  ],
  [
    'BUILD_QUIET_PERIOD',
    '30',
    'BUILD_QUIET_PERIOD is "30"; give a number with a unit (ms, s, m, h or d), such as 500ms, 60s, 30m, 24h or 7d.',
  ],
  ['BUILD_QUIET_PERIOD', '0s', 'BUILD_QUIET_PERIOD is "0s"; give between 1ms and 365d.'],
  ['LATE_JOB_PERIOD', '-1s', 'LATE_JOB_PERIOD is "-1s"'],
  ['REQUIRE_SIGN_IN', 'maybe', 'REQUIRE_SIGN_IN is "maybe"; give true or false.'],
  ['MAX_UPLOAD_BYTES', '0', 'MAX_UPLOAD_BYTES is "0"; give bytes or a number with KB'],
  ['MAX_UPLOAD_BYTES', '5GiB', 'from 1 byte to 4GiB'],
  ['MAX_UPLOADS_MEMORY', '511MiB', 'MAX_UPLOADS_MEMORY is less than twice MAX_UPLOAD_BYTES (268435456 bytes)'],
  ['MAX_REPORT_BYTES', 'lots', 'MAX_REPORT_BYTES is "lots"'],
  ['WORKER_THREADS', '0', 'WORKER_THREADS is "0"; give a whole number from 1 to 256.'],
  ['GITHUB_WRITES_PER_SECOND', '1000', 'GITHUB_WRITES_PER_SECOND is "1000"; give a whole number from 1 to 100.'],
  ['LOG_LEVEL', 'loud', 'LOG_LEVEL is "loud"; give one of trace, debug, info, warn, error, fatal, silent.'],
])('%s=%j is refused', (name, value, problem) => {
  const problems = problemsOf({ [name]: value });
  expect(problems).toEqual([expect.stringContaining(problem)]);
  expect(problems.join()).not.toContain('hush');
});

test('all problems are named at once, each on its line', () => {
  const env = {
    PORT: 'x',
    HOST: ' /',
    SECRET_KEY: 'hush',
    LOG_LEVEL: 'x',
    ADMIN_TOKEN: HEX,
    ADMIN_TOKEN_FILE: '/run/token',
    GITHUB_TOKEN_FILE: '/none',
  };
  expect(problemsOf(env)).toHaveLength(6);
  expect(() => read(env)).toThrow(/^The configuration has 6 problems:\n- /);
});

describe('a secret', () => {
  test('may stand in a file, and every secret may', () => {
    expect(read({ ADMIN_TOKEN_FILE: '/run/key', GITHUB_TOKEN_FILE: '/run/token' })).toMatchObject({
      adminToken: HEX,
      githubToken: 'from-a-file',
    });
    expect(read({ SECRET_KEY_FILE: '/run/key' }).secretKey?.export().toString('hex')).toBe(HEX);
    expect(CONFIG_VARIABLES.filter(({ secret }) => secret).map(({ name }) => name)).toEqual([
      'HTTPS_PROXY',
      'HTTP_PROXY',
      'SECRET_KEY',
      'SECRET_KEY_PREVIOUS',
      'DATABASE_URL',
      'ADMIN_TOKEN',
      'GITHUB_TOKEN',
      'GITHUB_APP_PRIVATE_KEY',
      'GITHUB_WEBHOOK_SECRET',
      'GITHUB_APP_CLIENT_SECRET',
      'GITLAB_TOKEN',
      'GITLAB_WEBHOOK_SECRET',
      'GITLAB_CLIENT_SECRET',
      'GITEA_TOKEN',
      'GITEA_WEBHOOK_SECRET',
      'GITEA_CLIENT_SECRET',
      'FORGEJO_TOKEN',
      'FORGEJO_WEBHOOK_SECRET',
      'FORGEJO_CLIENT_SECRET',
      'BITBUCKET_TOKEN',
      'BITBUCKET_WEBHOOK_SECRET',
      'BITBUCKET_CLIENT_SECRET',
      'BITBUCKET_SERVER_TOKEN',
      'BITBUCKET_SERVER_WEBHOOK_SECRET',
      'BITBUCKET_SERVER_CLIENT_SECRET',
      'OIDC_CLIENT_SECRET',
      'METRICS_TOKEN',
    ]);
  });

  test('is known, so that no log line and no answer holds it', () => {
    const named = CONFIG_VARIABLES.filter(({ name, secret }) => secret && /_(?:TOKEN|SECRET)$/.test(name));
    const secrets = Object.fromEntries(named.map(({ name }) => [name, `${name.toLowerCase()}-${HEX}`]));
    const clients = named.map(({ name }) => name).filter((name) => name.endsWith('_CLIENT_SECRET'));
    secrets.BITBUCKET_TOKEN = `me@acme.example:${HEX}`;
    const { secretValues } = read({
      ...secrets,
      ...Object.fromEntries(clients.map((name) => [name.replace('SECRET', 'ID'), 'a'])),
      GITEA_URL: 'https://gitea.example',
      FORGEJO_URL: 'https://forgejo.example',
      HTTPS_PROXY: 'http://me:pass%20word@proxy:3128',
      OIDC_ISSUER: 'https://id.example',
      OIDC_ALLOWED_GROUPS: 'all',
    });
    expect(secretValues.toSorted()).toEqual([...Object.values(secrets), HEX, 'pass word'].toSorted());
  });

  test.each([
    [
      { ADMIN_TOKEN: HEX, ADMIN_TOKEN_FILE: '/run/token' },
      'ADMIN_TOKEN and ADMIN_TOKEN_FILE are both set; unset one of them.',
    ],
    [{ ADMIN_TOKEN_FILE: '/none' }, 'ADMIN_TOKEN_FILE names /none, which cannot be read (ENOENT); give the path'],
    [
      { ADMIN_TOKEN_FILE: '/run/empty' },
      'ADMIN_TOKEN_FILE names /run/empty, which is empty; write the secret into it.',
    ],
    [{ SECRET_KEY_FILE: '/run/token' }, 'SECRET_KEY has 11 characters; give 64'],
    [{ SECRET_KEY_PREVIOUS: HEX }, 'SECRET_KEY_PREVIOUS is set without SECRET_KEY'],
    [{ METRICS_TOKEN: HEX, ADMIN_TOKEN: HEX }, 'METRICS_TOKEN equals ADMIN_TOKEN, which can do everything'],
    [{ SECRET_KEY: HEX, SECRET_KEY_PREVIOUS: HEX }, 'SECRET_KEY_PREVIOUS equals SECRET_KEY'],
    [
      { DATABASE_URL: 'mongodb://x/y' },
      'SECRET_KEY is not set, and this database has no place beside it for a key file',
    ],
    [
      { DATABASE_URL: 'mysql://x/y' },
      'DATABASE_URL has 11 characters and begins with no known scheme; give sqlite:<path>',
    ],
  ])('%j is refused', (env, problem) => {
    expect(problemsOf(env as Record<string, string>)).toEqual([expect.stringContaining(problem)]);
  });

  test('that is weak is a warning', () => {
    expect(read({ GITHUB_WEBHOOK_SECRET: 'hush', SECRET_KEY: '0'.repeat(64) }).warnings).toEqual([
      expect.stringContaining('GITHUB_WEBHOOK_SECRET has 4 characters'),
      expect.stringContaining('SECRET_KEY is too regular'),
    ]);
  });

  test.each([
    ['RETENTON_DAYS', 'did you mean RETENTION_DAYS?'],
    ['RETENTION_DAY', 'did you mean RETENTION_DAYS?'],
    ['POTR', 'did you mean PORT?'],
    ['BASE_URI', 'did you mean BASE_URL?'],
    ['retention_days', 'did you mean RETENTION_DAYS?'],
    ['OIDC_GROUPS', 'docs/configuration.md has those that are.'],
    ['BASE_URL_FILE', 'docs/configuration.md has those that are.'],
    ['PORT_FILE', 'docs/configuration.md has those that are.'],
  ])('that nothing reads, as in %s, is a warning', (name, next) => {
    expect(read({ [name]: '3' }).warnings).toEqual([`${name} is set, but is not a setting of this server: ${next}`]);
    expect(read({ [name]: '' }).warnings).toEqual([]);
  });

  test('of other programs is none', () => {
    const others = { PATH: '/bin', HOSTNAME: 'x', npm_config_port: '1', NO_COLOR: '1', SOURCE_DATE_EPOCH: '1' };
    expect(read({ ...others, GITHUB_TOKEN_FILE: '/run/token', https_proxy: 'http://p:1' }).warnings).toEqual([]);
    const inWorkflow = { GITHUB_ACTIONS: 'true', GITHUB_SHA: 'abc', GITHUB_TOKN: 'x' };
    expect(read(inWorkflow).warnings).toEqual([expect.stringMatching(/^GITHUB_TOKN .* GITHUB_TOKEN\?$/)]);
  });

  test.each([
    ['http://ghe.example/api/v3', true],
    ['http://127.0.0.1.example', true],
    ['https://ghe.example/api/v3', false],
    ['http://localhost:8080', false],
    ['http://127.9.9.9:8080/api', false],
    ['http://[::1]:8080', false],
  ])('is not safe on the way to another machine: %s warns: %s', (url, warns) => {
    const warning = expect.stringContaining(`GITHUB_API_URL is ${url}: anybody on the network path`);
    expect(read({ GITHUB_API_URL: url }).warnings).toEqual(warns ? [warning] : []);
    const ofWeb = expect.stringContaining(`GITHUB_URL is ${url}: anybody on the network path`);
    expect(read({ GITHUB_URL: url }).warnings).toEqual(warns ? [ofWeb] : []);
  });

  test.each(['GITLAB', 'GITEA', 'FORGEJO', 'BITBUCKET', 'BITBUCKET_SERVER'])(
    'of %s is warned about as GitHub’s is',
    (host) => {
      const set = { [`${host}_URL`]: 'http://git.example', [`${host}_WEBHOOK_SECRET`]: 'hush' };
      expect(read(set).warnings).toEqual([
        expect.stringContaining(`${host}_WEBHOOK_SECRET has 4 characters`),
        expect.stringContaining(`${host}_URL is http://git.example: anybody on the network path`),
      ]);
    },
  );

  test('of a plain variable is no file', () => {
    expect(read({ PORT_FILE: '/none' }).port).toBe(8080);
  });
});

describe('how other servers are called', () => {
  const PROXY = 'http://me:password-of-the-proxy@proxy.example:3128';

  test('in capitals, or in lower case as other programs take it, which wins', () => {
    expect(read({ HTTPS_PROXY: PROXY, NO_PROXY: '.inside.example' }).outgoing).toEqual({
      httpProxy: undefined,
      httpsProxy: PROXY,
      noProxy: '.inside.example',
      ca: undefined,
    });
    const both = { HTTPS_PROXY: 'http://other.example', https_proxy: PROXY, http_proxy: PROXY, no_proxy: '*' };
    expect(read(both).outgoing).toMatchObject({ httpProxy: PROXY, httpsProxy: PROXY, noProxy: '*' });
  });

  test('the password of a proxy is a secret', () => {
    expect(read({ HTTP_PROXY: PROXY.replace('-of', '%2Dof') }).secretValues).toContain('password-of-the-proxy');
    expect(problemsOf({ HTTPS_PROXY: 'socks5://me:hush-hush@proxy.example' }).join()).not.toContain('hush');
  });

  test.each([
    [{ CA_FILE: '/run/none' }, 'CA_FILE names /run/none, which cannot be read (ENOENT)'],
    [{ CA_FILE: '/run/empty' }, 'CA_FILE names /run/empty, which is empty; write the certificates into it.'],
    [{ CA_FILE: '/run/token' }, 'CA_FILE names a file of 11 characters that holds no certificate'],
    [{ HTTPS_PROXY: 'proxy.example:3128' }, 'HTTPS_PROXY has 18 characters and is no http or https URL'],
    [{ NODE_TLS_REJECT_UNAUTHORIZED: '0' }, 'NODE_TLS_REJECT_UNAUTHORIZED is 0, so anybody could impersonate'],
  ])('%j is refused', (env, problem) => {
    expect(problemsOf(env)).toEqual([expect.stringContaining(problem)]);
  });
});

describe('which GitHub', () => {
  const ofGithub = ['https://api.github.com', 'https://github.com', 'https://token.actions.githubusercontent.com'];
  const ofServer = ['https://ghe.example/api/v3', 'https://ghe.example', 'https://ghe.example/_services/token'];
  const ofResidency = ['https://api.acme.ghe.com', 'https://acme.ghe.com', 'https://token.actions.acme.ghe.com'];

  test.each<[Record<string, string>, readonly string[]]>([
    [{}, ofGithub],
    [{ GITHUB_URL: 'https://github.com' }, ofGithub],
    [{ GITHUB_URL: 'HTTPS://GitHub.com/' }, ofGithub],
    [{ GITHUB_API_URL: 'https://api.github.com' }, ofGithub],
    [{ GITHUB_URL: 'https://ghe.example' }, ofServer],
    [{ GITHUB_API_URL: 'https://ghe.example/api/v3' }, ofServer],
    [{ GITHUB_URL: 'https://acme.ghe.com' }, ofResidency],
    [{ GITHUB_API_URL: 'https://api.acme.ghe.com' }, ofResidency],
    [
      { GITHUB_URL: 'https://tools.example/github' },
      [
        'https://tools.example/github/api/v3',
        'https://tools.example/github',
        'https://tools.example/github/_services/token',
      ],
    ],
    [
      { GITHUB_URL: 'https://ghe.example', GITHUB_API_URL: 'https://inside.example/api/v3' },
      ['https://inside.example/api/v3', ...ofServer.slice(1)],
    ],
    [
      { GITHUB_API_URL: 'http://127.0.0.1:8080' },
      ['http://127.0.0.1:8080', 'http://127.0.0.1:8080', 'http://127.0.0.1:8080/_services/token'],
    ],
    [
      { GITHUB_URL: 'https://notghe.com' },
      ['https://notghe.com/api/v3', 'https://notghe.com', 'https://notghe.com/_services/token'],
    ],
  ])('%j', (env, [api, web, issuer]) => {
    expect(findGithub(read(env))).toEqual({ api, web, issuer });
  });
});

describe('a GitHub App', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pemOf = (type: 'pkcs1' | 'pkcs8'): string => privateKey.export({ type, format: 'pem' }).toString();
  const oneLine = (pem: string): string => pem.trim().replaceAll('\n', '\\n');

  test.each([
    ['PKCS#1', pemOf('pkcs1')],
    ['PKCS#8', pemOf('pkcs8')],
    ['PKCS#1 with newlines of two characters', oneLine(pemOf('pkcs1'))],
    ['PKCS#8 with newlines of two characters', oneLine(pemOf('pkcs8'))],
    ['Windows line ends', pemOf('pkcs1').replaceAll('\n', '\r\n')],
    ['Windows line ends of four characters', pemOf('pkcs8').replaceAll('\n', '\\r\\n')],
    ['words before it', `Key Attributes: none\n${pemOf('pkcs8')}`],
  ])('has a key in %s', (_, pem) => {
    const { githubApp, githubToken } = read({ GITHUB_APP_ID: '1234567', GITHUB_APP_PRIVATE_KEY: pem });
    expect([githubApp?.id, githubToken]).toEqual([1_234_567, undefined]);
    expect(githubApp?.privateKey).toMatch(/^-----BEGIN PRIVATE KEY-----\n/);
    expect(createPrivateKey(githubApp?.privateKey ?? '').equals(privateKey)).toBe(true);
  });

  test('has a key in a file', () => {
    const readPem = (path: string): string => (path === '/run/app.pem' ? pemOf('pkcs1') : '');
    const { githubApp } = readConfig({ GITHUB_APP_ID: '7', GITHUB_APP_PRIVATE_KEY_FILE: '/run/app.pem' }, readPem);
    expect(githubApp).toEqual({ id: 7, privateKey: pemOf('pkcs8') });
  });

  const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
    type: 'pkcs8',
    format: 'pem',
  });
  const locked = privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' });
  const publicPem = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({
    type: 'spki',
    format: 'pem',
  });

  test.each([
    [
      'no PEM',
      'hush',
      'GITHUB_APP_PRIVATE_KEY has 4 characters and cannot be read as a private key; give the whole .pem file',
    ],
    ['its first line', '-----BEGIN RSA PRIVATE KEY-----', 'has 31 characters and cannot be read as a private key'],
    ['a cut one', pemOf('pkcs8').slice(0, 500), 'has 500 characters and cannot be read as a private key'],
    ['one with a passphrase', locked.toString(), 'cannot be read as a private key'],
    ['a public key', publicPem.toString(), 'cannot be read as a private key'],
    ['a key of another kind', elliptic.toString(), 'holds a key of type ec; give the whole .pem file'],
  ])('with %s is refused, and the key never shown', (_, pem, problem) => {
    const problems = problemsOf({ GITHUB_APP_ID: '7', GITHUB_APP_PRIVATE_KEY: pem });
    expect(problems).toEqual([expect.stringContaining(problem)]);
    expect(problems.join()).not.toContain('hush');
    for (const line of pem.split('\n').filter((part) => part.length > 40)) expect(problems.join()).not.toContain(line);
  });

  test.each([
    [{ GITHUB_APP_ID: 'Iv23liSomeClientId' }, 'GITHUB_APP_ID is "Iv23liSomeClientId"; give the App ID, a whole number'],
    [{ GITHUB_APP_ID: '0' }, 'GITHUB_APP_ID is "0"'],
    [{ GITHUB_APP_ID: '7' }, 'GITHUB_APP_ID is set without GITHUB_APP_PRIVATE_KEY; set that'],
    [{ GITHUB_APP_PRIVATE_KEY: pemOf('pkcs8') }, 'GITHUB_APP_PRIVATE_KEY is set without GITHUB_APP_ID; set that'],
    [
      { GITHUB_TOKEN: 'x', GITHUB_APP_ID: '7', GITHUB_APP_PRIVATE_KEY: pemOf('pkcs8') },
      'GITHUB_TOKEN and a GitHub App (GITHUB_APP_ID, GITHUB_APP_PRIVATE_KEY) are both set; set one of the two, and ' +
        'unset the other.',
    ],
  ])('that contradicts itself is refused (%#)', (env, problem) => {
    expect(problemsOf(env as Record<string, string>)).toEqual([expect.stringContaining(problem)]);
  });
});

describe('signing in elsewhere', () => {
  const OIDC = { OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'x', OIDC_CLIENT_SECRET: 'y' };

  test('is off unless it is set up', () => {
    expect(read({})).toMatchObject({
      githubOauthApp: undefined,
      openId: undefined,
      groupRoles: [],
      localAccounts: true,
    });
  });

  test('takes whole settings', () => {
    const config = read({
      ...OIDC,
      OIDC_ALLOWED_GROUPS: 'qa, core',
      OIDC_ADMIN_GROUP: 'ops',
      OIDC_GROUP_ROLES: 'qa=manual/acme/*:reader, core team=manual/acme/shop:maintainer',
    });
    const issuer = 'https://id.example';
    expect(config.adminGroup).toEqual({ issuer, group: 'ops' });
    expect(config.groupRoles).toEqual([
      { issuer, group: 'qa', repos: 'manual/acme/*', role: 'reader' },
      { issuer, group: 'core team', repos: 'manual/acme/shop', role: 'maintainer' },
    ]);
    expect(config.openId).toMatchObject({
      issuer,
      allowedGroups: ['qa', 'core'],
      allowedDomains: [],
      usesGroups: true,
    });
    expect(config.secretValues).toContain('y');
  });

  test.each([
    [{ GITHUB_APP_CLIENT_ID: 'Iv1.x' }, 'GITHUB_APP_CLIENT_ID is set without GITHUB_APP_CLIENT_SECRET; set that too'],
    [{ GITLAB_CLIENT_ID: 'x' }, 'GITLAB_CLIENT_ID is set without GITLAB_CLIENT_SECRET; set that too'],
    [{ GITEA_TOKEN: 'x' }, 'GITEA_TOKEN is set without GITEA_URL; set that too'],
    [{ FORGEJO_WEBHOOK_SECRET: 'x' }, 'FORGEJO_WEBHOOK_SECRET is set without FORGEJO_URL; set that too'],
    [{ GITHUB_APP_CLIENT_SECRET: 'x' }, 'GITHUB_APP_CLIENT_SECRET is set without GITHUB_APP_CLIENT_ID; set that too'],
    [{ OIDC_CLIENT_ID: 'x', OIDC_CLIENT_SECRET: 'y' }, 'OIDC_CLIENT_ID is set without OIDC_ISSUER; set that too'],
    [OIDC, 'OIDC_ISSUER is set without OIDC_ALLOWED_DOMAINS or OIDC_ALLOWED_GROUPS; say who may sign in'],
    [{ OIDC_ADMIN_GROUP: 'ops' }, 'OIDC_ADMIN_GROUP is set without OIDC_ISSUER'],
    [{ ...OIDC, OIDC_ISSUER: 'http://id.example', OIDC_ALLOWED_DOMAINS: '*' }, 'OIDC_ISSUER is "http://id.example"'],
    [{ ...OIDC, OIDC_ALLOWED_DOMAINS: '*', OIDC_GROUP_ROLES: 'qa:reader' }, 'OIDC_GROUP_ROLES holds "qa:reader"'],
  ])('that contradicts itself is refused (%#)', (env, problem) => {
    expect(problemsOf(env as Record<string, string>)[0]).toContain(problem);
  });
});

test('the result is frozen through and through', () => {
  const config = read({ TRUST_PROXY: 'loopback', SECRET_KEY: HEX });
  expect(Object.isFrozen(config)).toBe(true);
  expect(Object.isFrozen(config.trustProxy)).toBe(true);
  expect(config.trustProxy.kind === 'networks' && Object.isFrozen(config.trustProxy.networks)).toBe(true);
  expect(Object.isFrozen(config.warnings)).toBe(true);
  expect(JSON.stringify(config)).not.toContain(HEX);
});

test('the table says of every variable what it is', () => {
  for (const { name, meaning } of CONFIG_VARIABLES) expect(meaning, name).toMatch(/^[A-Z].{10,}\.$/);
  expect(new Set(CONFIG_VARIABLES.map(({ name }) => name)).size).toBe(CONFIG_VARIABLES.length);
});
