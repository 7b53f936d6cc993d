import { LOG_LEVELS } from './logging.ts';

/** One line of docs/operating.md. */
export interface ConfigVariable {
  readonly name: string;
  /** As written in the environment; undefined: not set. */
  readonly default: string | undefined;
  /** May be given as NAME_FILE too; its value is never shown. */
  readonly secret: boolean;
  readonly meaning: string;
}

const variable = <Name extends string>(name: Name, fallback: string | undefined, meaning: string) =>
  ({ name, default: fallback, secret: false, meaning }) as const;
const secret = <Name extends string>(name: Name, fallback: string | undefined, meaning: string) =>
  ({ name, default: fallback, secret: true, meaning }) as const;

/** Every variable. docs/operating.md holds the same names and defaults; a test compares them. */
export const CONFIG_VARIABLES = [
  variable('PORT', '8080', 'Port to listen on; 0 picks a free one.'),
  variable('HOST', '127.0.0.1', 'Address to listen on; 0.0.0.0 or :: for all.'),
  variable('BASE_URL', undefined, 'The address that people and CI use; may hold a path. Unset: http://HOST:PORT.'),
  variable(
    'TRUST_PROXY',
    'none',
    'Whose X-Forwarded-For counts: none, addresses and networks (loopback too), or how many proxies there are.',
  ),
  secret(
    'SECRET_KEY',
    undefined,
    'Encrypts stored repo tokens: 64 hexadecimal or 44 base64 characters. Unset on SQLite: a key file beside ' +
      'the database.',
  ),
  secret('SECRET_KEY_PREVIOUS', undefined, 'The key before, for the one start after a change of SECRET_KEY.'),
  secret(
    'DATABASE_URL',
    'sqlite:./data/coverage.db',
    'Where everything is stored: sqlite:<path>, sqlite::memory:, or mongodb://<hosts>/<database> (mongodb+srv:// too).',
  ),
  secret('ADMIN_TOKEN', undefined, 'Works like the personal token of an administrator.'),
  variable(
    'GITHUB_API_URL',
    'https://api.github.com',
    "GitHub's REST API; on GitHub Enterprise Server https://HOST/api/v3.",
  ),
  secret(
    'GITHUB_TOKEN',
    undefined,
    'Announces statuses and comments on GitHub. Unset, and no GitHub App set: nothing is announced there.',
  ),
  variable('GITHUB_APP_ID', undefined, 'The number of the GitHub App that announces in place of GITHUB_TOKEN.'),
  secret('GITHUB_APP_PRIVATE_KEY', undefined, "That App's private key, as the .pem file that GitHub made holds it."),
  secret(
    'GITHUB_WEBHOOK_SECRET',
    undefined,
    "The secret of GitHub's webhook, which signs what is sent to /hooks/github. Unset: none is taken.",
  ),
  variable(
    'GITHUB_WRITES_PER_SECOND',
    '10',
    'How many statuses, comments and check runs are sent to GitHub in a second, at most.',
  ),
  variable('STATUS_CONTEXT', 'coverage', 'Name of the commit status; flags and patch are appended to it.'),
  variable(
    'ALLOWED_OWNERS',
    undefined,
    'Owners whose repos are made by their first upload with a GitHub token: acme or github/acme, separated by ' +
      'commas. Unset: none.',
  ),
  variable(
    'DEFAULT_REPO_SETTINGS',
    undefined,
    'Settings of repos made so: a JSON object of the fields that the repos API takes.',
  ),
  variable('BUILD_QUIET_PERIOD', '30m', 'A parallel build that nobody closes is closed this long after its last job.'),
  variable('LATE_JOB_PERIOD', '60s', 'A build that a late job re-opened is closed this long after its last one.'),
  variable(
    'REQUIRE_SIGN_IN',
    'true',
    "Whether a repo is private where nobody said otherwise; false: as its provider's.",
  ),
  variable('MAX_UPLOAD_BYTES', '256MiB', 'Largest upload as sent.'),
  variable(
    'MAX_UPLOADS_MEMORY',
    undefined,
    'Bytes of uploads that are held at once; further ones wait. Unset: four times MAX_UPLOAD_BYTES.',
  ),
  variable('MAX_REPORT_BYTES', '256MiB', 'Largest job once unpacked.'),
  variable(
    'WORKER_THREADS',
    undefined,
    "Threads that read and merge reports. Unset: one less than the machine's processors.",
  ),
  variable('LOG_LEVEL', 'info', `Least important lines that are logged: ${LOG_LEVELS.join(', ')}.`),
] as const satisfies readonly ConfigVariable[];

export type ConfigName = (typeof CONFIG_VARIABLES)[number]['name'];
