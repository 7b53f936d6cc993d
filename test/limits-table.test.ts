import { existsSync, readFileSync } from 'node:fs';
import { maxHeaderSize } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../server/src/config/config.ts';
import { CONFIG_VARIABLES } from '../server/src/config/variables.ts';
import { ACCESS_DENIED_BACKOFF, PROVIDER_BACKOFF } from '../server/src/core/backoff.ts';
import { KEPT_REFUSED, MAX_REFUSED } from '../server/src/core/builds/refused-upload.ts';
import { quotesOfNothing } from './support/repo-checks/sentences.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const cells = (line: string): readonly string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
/** A number, with its settings in brackets: `256MiB (`MAX_UPLOAD_BYTES`)`. */
const rows = readFileSync(join(root, 'docs/limits.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(1)
  .map(cells)
  .filter(([what = '']) => !/^(\*\*|---)/.test(what))
  .map(([what = '', limit = '', answer = '']) => {
    const [, number = '', settings = ''] = /^([^(]*?)(?: \((.*)\))?$/.exec(limit) ?? [];
    return { what, number, settings, answer };
  });

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const DEFAULTS = readConfig({}, String);
/**
 * A row of docs/limits.md: what it bounds; the settings or the constants of a source file that it is, with their unit;
 * and the test that gets the answer of this row.
 */
type Limit = readonly [what: string, number: string | (() => string), triedBy?: string];

/** For a name in the table: below test or the server's sources. */
const isTest = (name: string): boolean =>
  ['test', 'server/src'].some((folder) =>
    existsSync(join(root, folder, name.endsWith('.ts') ? name : `${name}.test.ts`)),
  );

/** The rows in their order. */
const LIMITS: readonly Limit[] = [
  ['bytes as sent', 'MAX_UPLOAD_BYTES', 'http/bad-input'],
  ['bytes once unpacked', 'MAX_REPORT_BYTES', 'http/bad-input'],
  ['bytes of a job with unusual JSON', 'reports/ingest/ingest.ts unusualBytes MiB', 'reports/ingest/ingest-job'],
  ['source files of a job', 'reports/ingest/refusals.ts MAX_JOB_FILES', 'reports/ingest/bounds'],
  ['branches that are not in order', 'reports/ingest/build-report.ts MAX_UNSORTED_BRANCHES', 'reports/ingest/bounds'],
  ['files of a report', 'reports/codec/report-limits.ts MAX_FILES', 'reports/codec/report-codec'],
  [
    'lines, branches of a report',
    'reports/codec/report-limits.ts MAX_REPORT_LINES, MAX_REPORT_BRANCHES',
    'reports/threads/merge-estimate',
  ],
  ['lines of a file', 'core/coverage/file-coverage.ts MAX_FILE_LINES', 'reports/codec/report-codec'],
  ['bytes of the `diff`', 'reports/ingest/diff-field.ts MAX_DIFF_BYTES MiB', 'reports/ingest/oversize-diff'],
  [
    'files, hunks of the `diff`',
    'reports/ingest/diff-field.ts MAX_DIFF_FILES, MAX_DIFF_HUNKS',
    'reports/ingest/oversize-diff',
  ],
  ['lines that the `diff` puts into files', 'core/diff/file-diff.ts MAX_ADDED_LINES', 'reports/ingest/oversize-diff'],
  [
    'time to check it, most of it on a processor',
    'reports/threads/upload-check.ts CHECK_LIMIT s',
    'reports/threads/thread-pool.slow',
  ],
  ['the same, on a busy machine', 'reports/threads/upload-check.ts CHECK_LIMIT s', 'reports/threads/upload-check'],
  ['silence within a body', 'platform/http/read-body.ts BODY_IDLE s', 'http/limits'],
  ['a whole request', 'platform/http/server.ts WHOLE_REQUEST min', 'http/limits'],
  ['jobs of one build', 'core/builds/accept-job.ts MAX_JOBS', 'core/builds/accept-job'],
  ['jobs per minute of a repo', 'MAX_REPO_JOBS_PER_MINUTE', 'http/upload-limits'],
  ['previews per minute of a repo', 'MAX_REPO_JOBS_PER_MINUTE', 'http/previews'],
  ['bytes per day (UTC) of a repo', 'MAX_REPO_BYTES_PER_DAY', 'http/upload-limits'],
  ["bytes per day of a fork's run", 'MAX_UNVERIFIED_RUN_BYTES', 'http/fork-limits'],
  ['bytes per day of its pull request', 'MAX_UNVERIFIED_PULL_BYTES', 'http/fork-limits'],
  ['bytes per day of forks, for each address', 'MAX_UNVERIFIED_ADDRESS_BYTES', 'http/fork-limits'],
  ['bytes per day of forks, for each repo', 'MAX_UNVERIFIED_REPO_BYTES', 'http/fork-limits'],
  ['open parallel builds of a repo', 'MAX_REPO_OPEN_BUILDS', 'http/upload-limits'],
  ['jobs per minute from an address', 'MAX_ADDRESS_JOBS_PER_MINUTE', 'http/upload-limits'],
  ['bytes per day from an address', 'MAX_ADDRESS_BYTES_PER_DAY', 'http/upload-turns'],
  ['unknown host tokens per minute from an address', 'access/uploaders/unknown-limit.ts MAX', 'http/made-up-tokens'],
  ['issuers without keys per minute from an address', 'access/uploaders/unknown-limit.ts MAX', 'http/host-id-tokens'],
  ["forks' runs per minute", 'RUN_CHECKS_PER_MINUTE', 'http/fork-run-refusals'],
  ['memory of all bodies', () => `${DEFAULTS.maxUploadsMemory / 2 ** 30} GiB`, 'platform/http/upload-budget'],
  [
    'a slow body while others wait',
    () => `${constant('platform/http/upload-budget.ts', 'SLOWEST')} s left`,
    'platform/http/upload-budget',
  ],
  ['threads', () => 'processors − 1', 'reports/threads/task-queue'],
  ['uploads that wait for a thread', 'compose/open-services.ts MAX_WAITING_TASKS', 'reports/threads/task-queue'],
  [
    'uploads of a build that wait for the database',
    'storage/commands/accept-job.ts QUEUE_LIMIT s',
    'contract/upload-queue',
  ],
  ['an SQLite file that is locked', 'storage/open/open-store.ts BUSY_TIMEOUT s', 'contract/sqlite-faults'],
  ['free disk', () => `${DEFAULTS.minFreeDisk / 2 ** 20} MiB`, 'http/disk'],
  ['a full disk', () => '', 'contract/sqlite-faults'],
  ['a server that is about to stop', 'STOP_NOTICE_PERIOD', 'e2e/rolling-restart.slow'],
  ['requests of a server that stops', 'main.ts REQUEST_LIMIT s', 'e2e/rolling-restart.slow'],
  ['time without a job', 'BUILD_QUIET_PERIOD', 'http/closes'],
  ['time after a late job', 'LATE_JOB_PERIOD', 'http/late-jobs'],
  ['a close that a client waits for', 'closing/request-close.ts RESULT_WAIT s'],
  ['flags named in `carryforward`', 'closing/http/close-fields.ts MAX_CARRIED', 'http/hostile-texts'],
  ['builds of carried flags that the host is asked about', 'closing/carry-flags.ts MAX_ORIGINS', 'closing/carry-flags'],
  ['memory of its merge', 'MAX_MERGE_MEMORY', 'http/cannot-merge'],
  ['time of its merge', 'MAX_MERGE_TIME', 'reports/threads/thread-pool'],
  ['attempts to close it', 'core/builds/close-attempts.ts MAX_CLOSE_ATTEMPTS', 'http/cannot-merge'],
  ['a git host that is unavailable', () => `${PROVIDER_BACKOFF.giveUp / HOUR} h`, 'core/builds/provisional'],
  ['a git host that denies access', () => `${ACCESS_DENIED_BACKOFF.giveUp / DAY} days`, 'core/builds/provisional'],
  ['one call of a git host', 'ports/provider.ts CALL_TIME_LIMIT s', 'http/outbox-failures'],
  ['writes to GitHub per second', 'GITHUB_WRITES_PER_SECOND'],
  ['requests to Bitbucket Cloud per hour, by default', 'hosts/bitbucket/budget.ts REQUESTS_PER_HOUR'],
  ['flags with a status of their own', 'wording/plan.ts MAX_FLAG_CONTEXTS'],
  ["a webhook's message", 'hosts/github/webhook.ts PAYLOAD_CAP MiB', 'http/github-webhook'],
  ['pairs of a query', 'platform/http/request-address.ts MAX_PAIRS', 'http/queries'],
  [
    'closes, reruns, and forms of callers who are not signed in',
    'platform/http/small-bodies.ts STRANGERS_BODY_LIMIT KiB',
    'http/small-bodies',
  ],
  ['other bodies, such as settings', 'platform/http/small-bodies.ts SMALL_BODY_LIMIT MiB', 'http/small-bodies'],
  ['values of the JSON of both', 'platform/http/read-json.ts MAX_VALUES', 'http/small-bodies'],
  ['headers', () => `${maxHeaderSize / 2 ** 10} KiB`, 'http/failures'],
  [
    'answers with more than 262,144 lines',
    () => `${constant('builds/http/sources-routes.ts', 'LARGE_ANSWERS = { max')} at a time`,
    'http/large-answers',
  ],
  ['an answer that nobody reads', 'platform/http/server.ts ANSWER_STALL s'],
  ['processor time to highlight a file', 'reports/threads/highlighter.ts TEXT_TIME s', 'reports/threads/highlighter'],
  ['source texts kept of a repo', 'SOURCE_CACHE_SIZE'],
  ['source texts fetched per minute', 'SOURCE_REQUESTS_PER_MINUTE', 'http/host-source'],
  ['a source text', 'builds/fetch-source.ts MAX_FETCHED MiB', 'http/host-source'],
  [
    'sign-in attempts in 15 min: account, network, known browser',
    'people/limit-attempts.ts MAX_PER_NAME, MAX_PER_NETWORK, MAX_PER_DEVICE',
    'http/sign-in-limits',
  ],
  [
    'sign-ins in 15 min that a provider refuses, per network',
    'people/sign-in-elsewhere.ts MAX_REFUSED',
    'http/github-sign-in',
  ],
  ['passwords that wait to be compared', 'platform/secrets/passwords.ts MAX_WAITING', 'platform/secrets/passwords'],
  ['time that groups of an OpenID provider count', 'OIDC_GROUPS_MAX_AGE', 'http/openid-groups'],
  ['personal tokens of an account', 'people/account-tokens.ts MAX_TOKENS', 'http/full-lists'],
  ['share links of a repo', 'access/share-links.ts MAX_LINKS', 'http/full-lists'],
  ['days, number of builds', 'RETENTION_DAYS, RETENTION_BUILDS', 'http/retention'],
  ['builds of forks, per repo', 'RETENTION_UNVERIFIED_BUILDS', 'contract/retention-contract.ts'],
  ['builds of forks, per pull request', 'RETENTION_UNVERIFIED_PER_PULL', 'contract/retention-contract.ts'],
  ['days of the audit log', 'AUDIT_DAYS', 'http/audit'],
  ['backups before upgrades', 'UPGRADE_BACKUPS', 'contract/upgrade-backup'],
  ['rejected uploads of a repo', () => `${MAX_REFUSED}, ${KEPT_REFUSED / DAY} days`, 'http/refused-uploads'],
];

const UNITS: Readonly<Record<string, number>> = { s: 1_000, min: 60_000, KiB: 2 ** 10, MiB: 2 ** 20 };

/** As the page writes it. */
function numberOf([, number]: Limit): string {
  if (typeof number === 'function') return number();
  const [, file = '', names = '', unit] = /^(\S+\.ts )?(.*?)(?: (s|min|KiB|MiB))?$/.exec(number) ?? [];
  const one = (name: string): string | undefined => {
    if (file === '') return CONFIG_VARIABLES.find((variable) => variable.name === name)?.default;
    const value = constant(file.trim(), name);
    return unit === undefined ? value.toLocaleString('en') : `${value / (UNITS[unit] ?? 1)} ${unit}`;
  };
  return names.split(', ').map(one).join(', ');
}

/** A number of a source file, by the name of its constant: most are nobody else's business, so not exported. */
function constant(file: string, name: string): number {
  const [, written = ''] =
    new RegExp(`\\b${name}\\b(?:: number)? ?[=:] ([\\d_ */]+(?:\\*\\* ?\\d+)?)`).exec(
      readFileSync(join(root, 'server/src', file), 'utf8'),
    ) ?? [];
  const value = written
    .replaceAll('_', '')
    .split(/ \* /)
    .map((factor) => factor.split('**').map(Number))
    .reduce((product, [base = Number.NaN, power = 1]) => product * base ** power, 1);
  if (Number.isNaN(value) || written.trim() === '') throw new Error(`${file} has no number ${name}`);
  return value;
}

/** A setting that bounds something: by its name. The least coverage of builds bounds nothing of the server. */
const BOUNDS =
  /^MAX_|^MIN_FREE|_PER_(?:SECOND|MINUTE|DAY)$|_PERIOD$|_SIZE$|^RETENTION_|_DAYS$|_MAX_AGE$|_BACKUPS$|_THREADS$/;

test('docs/limits.md has each setting that is a limit, with its default', () => {
  const limits = CONFIG_VARIABLES.filter(({ name }) => BOUNDS.test(name));
  const documented = rows.flatMap(({ number, settings }) => {
    const numbers = number.split(', ');
    return [...settings.matchAll(/`(\w+)`/g)].map(([, name], index) => [name, numbers[index] ?? ''] as const);
  });
  expect(new Set(documented.map(([name]) => name))).toEqual(new Set(limits.map(({ name }) => name)));
  const defaults = new Map<string | undefined, string | undefined>(limits.map((one) => [one.name, one.default]));
  const stated = documented.filter(([name]) => defaults.get(name) !== undefined);
  expect(stated.map(([name, number]) => [name, number])).toEqual(stated.map(([name]) => [name, defaults.get(name)]));
});

test('no other setting is a number that bounds something', () => {
  const numbers = CONFIG_VARIABLES.filter((one) => /^\d+[a-zA-Z]*$/.test(one.default ?? '') && !BOUNDS.test(one.name));
  expect(numbers.map(({ name }) => name)).toEqual(['PORT']);
});

describe('each row of docs/limits.md', () => {
  test('is of a limit in the sources, with the number that stands there', () => {
    expect(rows.map(({ what, number }) => [what, number])).toEqual(LIMITS.map((limit) => [limit[0], numberOf(limit)]));
  });

  test('quotes what the server says', () => {
    const quoted = rows.flatMap(({ answer }) => [...answer.matchAll(/`([^`]*…[^`]*)`/g)].map(([, said = '']) => said));
    expect(quoted.length).toBeGreaterThan(20);
    expect(quotesOfNothing(quoted)).toEqual([]);
  });

  test('that is answered with a status has a test that gets this answer', () => {
    const untried = LIMITS.filter(([, , triedBy]) => triedBy !== undefined && !isTest(triedBy));
    expect(untried.map(([what]) => what)).toEqual([]);
    const answered = rows.filter(({ answer }) => /^[45]/.test(answer)).map(({ what }) => what);
    expect(LIMITS.filter(([what, , triedBy]) => triedBy === undefined && answered.includes(what))).toEqual([]);
  });
});
