import { readFileSync } from 'node:fs';
import { maxHeaderSize } from 'node:http';
import { readConfig } from '../../../server/src/config.ts';
import { CONFIG_VARIABLES } from '../../../server/src/config-variables.ts';
import { ACCESS_DENIED_BACKOFF, PROVIDER_BACKOFF } from '../../../server/src/domain/backoff.ts';
import { KEPT_REFUSED, MOST_REFUSED } from '../../../server/src/domain/builds/refused-upload.ts';
import * as bodies from '../../../server/src/messages/bodies.ts';
import * as closes from '../../../server/src/messages/closes.ts';
import * as forkRuns from '../../../server/src/messages/fork-runs.ts';
import * as jobs from '../../../server/src/messages/jobs.ts';
import * as people from '../../../server/src/messages/people.ts';
import * as previews from '../../../server/src/messages/previews.ts';
import * as requests from '../../../server/src/messages/requests.ts';
import * as shareLinks from '../../../server/src/messages/share-links.ts';
import * as stores from '../../../server/src/messages/stores.ts';
import * as uploads from '../../../server/src/messages/uploads.ts';

/** One row of docs/limits.md. */
export interface DocumentedLimit {
  readonly what: string;
  /** As the page writes it, from the setting's default or the constant. */
  readonly number: () => string;
  /** The sentence that is answered, with any values; empty where none is. */
  readonly says: string;
  /** The test that gets this very answer. */
  readonly triedBy?: string;
}

const SERVER = new URL('../../../server/src/', import.meta.url);

/** A number of a source file, by the name of its constant: most are nobody else's business, so not exported. */
function constant(file: string, name: string): number {
  const [, written = ''] =
    new RegExp(`\\b${name}\\b(?:: number)? ?[=:] ([\\d_ */]+(?:\\*\\* ?\\d+)?)`).exec(
      readFileSync(new URL(file, SERVER), 'utf8'),
    ) ?? [];
  const value = written
    .replaceAll('_', '')
    .split(/ \* /)
    .map((factor) => factor.split('**').map(Number))
    .reduce((product, [base = Number.NaN, power = 1]) => product * base ** power, 1);
  if (Number.isNaN(value) || written.trim() === '') throw new Error(`${file} has no number ${name}`);
  return value;
}

const count = (file: string, name: string) => () => constant(file, name).toLocaleString('en');
const unit = (size: number, text: string) => (file: string, name: string) => (): string =>
  `${constant(file, name) / size} ${text}`;
const mebibytes = unit(2 ** 20, 'MiB');
const seconds = unit(1_000, 's');
const both = (first: () => string, second: () => string) => () => `${first()}, ${second()}`;
const byDefault =
  (...names: readonly (typeof CONFIG_VARIABLES)[number]['name'][]) =>
  (): string =>
    names.map((one) => CONFIG_VARIABLES.find(({ name }) => name === one)?.default).join(', ');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const DEFAULTS = readConfig({}, String);

const OVERSIZE = 'server/src/ingest/oversize-diff.test.ts';
const DIFF = jobs.diffNotUsed('x');
const REPORT = jobs.reportTooLarge({ most: 1, what: 'x', found: 1 });
const STOPPED = bodies.bodyStopped({ received: 1, length: undefined, why: 'x' });
const BODY = bodies.bodyTooLarge({ what: bodies.bodyHasBytes(1), limit: 1, variable: 'X' });
const ADDRESS = uploads.addressOverJobs({ jobs: 1, limit: 1, retryAfter: 1 });
const BUSY = uploads.threadsBusy('x');
const TOO_LARGE = { what: 'x', limit: 1, mebibytes: '1' };
const OF_REPO = { repo: 'x', limit: 1, retryAfter: 1 };

const ONE_UPLOAD: readonly DocumentedLimit[] = [
  { what: 'bytes as sent', number: byDefault('MAX_UPLOAD_BYTES'), says: BODY, triedBy: 'test/http/bad-input.test.ts' },
  {
    what: 'bytes once unpacked',
    number: byDefault('MAX_REPORT_BYTES'),
    says: jobs.tooLarge(TOO_LARGE),
    triedBy: 'test/http/bad-input.test.ts',
  },
  {
    what: 'bytes of a job with unusual JSON',
    number: mebibytes('ingest/ingest.ts', 'unusualBytes'),
    says: jobs.tooLarge({ ...TOO_LARGE, what: jobs.UNUSUAL_JOB }),
    triedBy: 'server/src/ingest/ingest-job.test.ts',
  },
  {
    what: 'source files of a job',
    number: count('ingest/refusals.ts', 'MAX_JOB_FILES'),
    says: jobs.tooManyFiles(1),
    triedBy: 'server/src/ingest/bounds.test.ts',
  },
  {
    what: 'branches that are not in order',
    number: count('ingest/branch-order.ts', 'MAX_UNSORTED_BRANCHES'),
    says: jobs.tooManyUnsorted(1, 1),
    triedBy: 'server/src/ingest/bounds.test.ts',
  },
  {
    what: 'files of a report',
    number: count('report-codec/report-limits.ts', 'MAX_FILES'),
    says: REPORT,
    triedBy: 'server/src/report-codec/report-codec.test.ts',
  },
  {
    what: 'lines, branches of a report',
    number: both(
      count('report-codec/report-limits.ts', 'MAX_REPORT_LINES'),
      count('report-codec/report-limits.ts', 'MAX_REPORT_BRANCHES'),
    ),
    says: REPORT,
    triedBy: 'server/src/threads/merge-estimate.test.ts',
  },
  {
    what: 'lines of a file',
    number: count('domain/coverage/file-coverage.ts', 'MAX_FILE_LINES'),
    says: REPORT,
    triedBy: 'server/src/report-codec/report-codec.test.ts',
  },
  {
    what: 'bytes of the `diff`',
    number: mebibytes('ingest/diff-field.ts', 'MAX_DIFF_BYTES'),
    says: DIFF,
    triedBy: OVERSIZE,
  },
  {
    what: 'files, hunks of the `diff`',
    number: both(count('ingest/diff-field.ts', 'MAX_DIFF_FILES'), count('ingest/diff-field.ts', 'MAX_DIFF_HUNKS')),
    says: DIFF,
    triedBy: OVERSIZE,
  },
  {
    what: 'lines that the `diff` puts into files',
    number: count('domain/diff/file-diff.ts', 'MAX_ADDED_LINES'),
    says: DIFF,
    triedBy: OVERSIZE,
  },
  {
    what: 'time to check it',
    number: seconds('threads/upload-check.ts', 'CHECK_LIMIT'),
    says: uploads.checkTooSlow(1, 1),
    triedBy: 'server/src/threads/thread-pool.slow.test.ts',
  },
  {
    what: 'silence within a body',
    number: seconds('http/middleware/read-body.ts', 'BODY_IDLE'),
    says: STOPPED,
    triedBy: 'test/http/limits.test.ts',
  },
  {
    what: 'a whole request',
    number: unit(60_000, 'min')('http/server.ts', 'WHOLE_REQUEST'),
    says: STOPPED,
    triedBy: 'test/http/limits.test.ts',
  },
  {
    what: 'jobs of one build',
    number: count('domain/builds/accept-job.ts', 'MAX_JOBS'),
    says: uploads.tooManyJobs('x', 1),
    triedBy: 'server/src/domain/builds/accept-job.test.ts',
  },
];

const UPLOAD_LIMITS = 'test/http/upload-limits.test.ts';

const MANY_UPLOADS: readonly DocumentedLimit[] = [
  {
    what: 'jobs a minute of a repo',
    number: byDefault('MAX_REPO_JOBS_PER_MINUTE'),
    says: uploads.repoOverJobs({ ...OF_REPO, jobs: 1 }),
    triedBy: UPLOAD_LIMITS,
  },
  {
    what: 'previews a minute of a repo',
    number: byDefault('MAX_REPO_JOBS_PER_MINUTE'),
    says: previews.tooManyPreviews({ ...OF_REPO, count: 2 }),
    triedBy: 'test/http/previews.test.ts',
  },
  {
    what: 'bytes a day (UTC) of a repo',
    number: byDefault('MAX_REPO_BYTES_PER_DAY'),
    says: uploads.repoOverBytes({ today: 1, bytes: 1, limit: 1, retryAfter: 1 }),
    triedBy: UPLOAD_LIMITS,
  },
  {
    what: 'open parallel builds of a repo',
    number: byDefault('MAX_REPO_OPEN_BUILDS'),
    says: uploads.tooManyOpenBuilds(2),
    triedBy: UPLOAD_LIMITS,
  },
  {
    what: 'jobs a minute, address',
    number: byDefault('MAX_ADDRESS_JOBS_PER_MINUTE'),
    says: ADDRESS,
    triedBy: UPLOAD_LIMITS,
  },
  {
    what: 'bytes a day of an address',
    number: byDefault('MAX_ADDRESS_BYTES_PER_DAY'),
    says: ADDRESS,
    triedBy: 'test/http/upload-turns.test.ts',
  },
  {
    what: "forks' runs, a minute",
    number: byDefault('RUN_CHECKS_PER_MINUTE'),
    says: forkRuns.tooMany(1),
    triedBy: 'test/http/fork-run-refusals.test.ts',
  },
];

const BUSY_SERVER: readonly DocumentedLimit[] = [
  {
    what: 'memory of all bodies',
    number: () => `${DEFAULTS.maxUploadsMemory / 2 ** 30} GiB`,
    says: uploads.MEMORY_FULL,
    triedBy: 'server/src/http/middleware/upload-budget.test.ts',
  },
  {
    what: 'a slow body while others wait',
    number: () => `${constant('http/middleware/upload-budget.ts', 'SLOWEST')} s left`,
    says: uploads.tooSlow(1),
    triedBy: 'server/src/http/middleware/upload-budget.test.ts',
  },
  { what: 'threads', number: () => 'processors − 1', says: BUSY, triedBy: 'server/src/threads/task-lane.test.ts' },
  {
    what: 'uploads that wait for a thread',
    number: count('compose.ts', 'MAX_WAITING_TASKS'),
    says: BUSY,
    triedBy: 'server/src/threads/task-lane.test.ts',
  },
  {
    what: 'uploads of a build that wait for the database',
    number: seconds('store/commands/accept-job.ts', 'QUEUE_LIMIT'),
    says: uploads.QUEUE_TOO_LONG,
    triedBy: 'test/contract/mongod-failover.slow.test.ts',
  },
  {
    what: 'an SQLite file that is locked',
    number: seconds('store/open-store.ts', 'BUSY_TIMEOUT'),
    says: stores.LOCKED,
    triedBy: 'test/contract/sqlite-faults.test.ts',
  },
  {
    what: 'free disk',
    number: () => `${DEFAULTS.minFreeDisk / 2 ** 20} MiB`,
    says: '',
    triedBy: 'test/http/disk.test.ts',
  },
  {
    what: 'a disk that is full',
    number: () => '',
    says: stores.DISK_FULL,
    triedBy: 'test/contract/sqlite-faults.test.ts',
  },
  {
    what: 'a server that stops',
    number: seconds('main.ts', 'STOP_LIMIT'),
    says: uploads.STOPPING,
    triedBy: 'test/http/failures.test.ts',
  },
];

const BUILDS: readonly DocumentedLimit[] = [
  {
    what: 'time without a job',
    number: byDefault('BUILD_QUIET_PERIOD'),
    says: '',
    triedBy: 'test/http/closes.test.ts',
  },
  {
    what: 'time after a late job',
    number: byDefault('LATE_JOB_PERIOD'),
    says: '',
    triedBy: 'test/http/late-jobs.test.ts',
  },
  {
    what: 'a close that a client waits for',
    number: seconds('use-cases/uploads/request-close.ts', 'RESULT_WAIT'),
    says: '',
  },
  {
    what: 'flags named in `carryforward`',
    number: count('http/routes/close-fields.ts', 'MAX_CARRIED'),
    says: closes.tooManyCarried(1, 1),
    triedBy: 'test/http/hostile-texts.test.ts',
  },
  {
    what: 'memory of its merge',
    number: byDefault('MAX_MERGE_MEMORY'),
    says: '',
    triedBy: 'test/http/cannot-merge.test.ts',
  },
  {
    what: 'time of its merge',
    number: byDefault('MAX_MERGE_TIME'),
    says: '',
    triedBy: 'server/src/threads/thread-pool.test.ts',
  },
  {
    what: 'attempts to close it',
    number: count('domain/builds/close-attempts.ts', 'MAX_CLOSE_ATTEMPTS'),
    says: '',
    triedBy: 'test/http/cannot-merge.test.ts',
  },
  {
    what: 'a git host that is away',
    number: () => `${PROVIDER_BACKOFF.giveUp / HOUR} h`,
    says: '',
    triedBy: 'server/src/domain/builds/provisional.test.ts',
  },
  {
    what: 'a git host that denies access',
    number: () => `${ACCESS_DENIED_BACKOFF.giveUp / DAY} days`,
    says: '',
    triedBy: 'server/src/domain/builds/provisional.test.ts',
  },
];

const ANNOUNCEMENTS: readonly DocumentedLimit[] = [
  {
    what: 'one call of a git host',
    number: seconds('ports/provider.ts', 'CALL_TIME_LIMIT'),
    says: '',
    triedBy: 'test/http/outbox-failures.test.ts',
  },
  { what: 'writes to GitHub a second', number: byDefault('GITHUB_WRITES_PER_SECOND'), says: '' },
  { what: 'flags with a status of their own', number: count('wording/plan.ts', 'MAX_FLAG_CONTEXTS'), says: '' },
  {
    what: "a webhook's message",
    number: mebibytes('providers/github/webhook.ts', 'PAYLOAD_CAP'),
    says: BODY,
    triedBy: 'test/http/github-webhook.test.ts',
  },
];

const READERS: readonly DocumentedLimit[] = [
  {
    what: 'pairs of a query',
    number: count('http/middleware/parse-query.ts', 'MAX_PAIRS'),
    says: bodies.tooManyPairs(1, 1),
    triedBy: 'test/http/queries.test.ts',
  },
  {
    what: 'other bodies',
    number: mebibytes('http/middleware/small-bodies.ts', 'SMALL_BODY_LIMIT'),
    says: bodies.smallBodyTooLarge(1),
    triedBy: 'test/http/small-bodies.test.ts',
  },
  {
    what: 'headers',
    number: () => `${maxHeaderSize / 2 ** 10} KiB`,
    says: requests.HEADERS_TOO_LONG,
    triedBy: 'test/http/failures.test.ts',
  },
  {
    what: 'answers with more than 262,144 lines',
    number: () => `${constant('compose/reading.ts', 'LARGE_ANSWERS = { most')} at a time`,
    says: requests.TOO_MANY_LARGE_ANSWERS,
    triedBy: 'test/http/large-answers.test.ts',
  },
  { what: 'an answer that nobody reads', number: seconds('http/server.ts', 'ANSWER_STALL'), says: '' },
  { what: 'source texts kept of a repo', number: byDefault('SOURCE_CACHE_SIZE'), says: '' },
  {
    what: 'source texts asked for, a minute',
    number: byDefault('SOURCE_REQUESTS_PER_MINUTE'),
    says: '',
    triedBy: 'test/http/host-source.test.ts',
  },
  {
    what: 'a source text',
    number: mebibytes('use-cases/builds/fetch-source.ts', 'MAX_FETCHED'),
    says: '',
    triedBy: 'test/http/host-source.test.ts',
  },
];

const PEOPLE: readonly DocumentedLimit[] = [
  {
    what: 'tries to sign in, in 15 min: account, address',
    number: both(
      count('use-cases/people/limit-attempts.ts', 'MOST_OF_NAME'),
      count('use-cases/people/limit-attempts.ts', 'MOST_OF_ADDRESS'),
    ),
    says: people.tooManyAttempts(1),
    triedBy: 'test/http/sign-in.test.ts',
  },
  {
    what: 'passwords that wait to be compared',
    number: count('secrets/passwords.ts', 'MOST_WAITING'),
    says: people.TOO_MANY_SIGN_IN,
    triedBy: 'server/src/secrets/passwords.test.ts',
  },
  {
    what: 'personal tokens of an account',
    number: count('use-cases/people/account-tokens.ts', 'MOST_TOKENS'),
    says: people.tooManyTokens(1),
    triedBy: 'test/http/full-lists.test.ts',
  },
  {
    what: 'share links of a repo',
    number: count('use-cases/people/share-links.ts', 'MOST_LINKS'),
    says: shareLinks.tooMany(1),
    triedBy: 'test/http/full-lists.test.ts',
  },
];

const KEPT: readonly DocumentedLimit[] = [
  {
    what: 'days, number of builds',
    number: byDefault('RETENTION_DAYS', 'RETENTION_BUILDS'),
    says: '',
    triedBy: 'test/http/retention.test.ts',
  },
  { what: 'days of the audit log', number: byDefault('AUDIT_DAYS'), says: '', triedBy: 'test/http/audit.test.ts' },
  {
    what: 'backups before upgrades',
    number: byDefault('UPGRADE_BACKUPS'),
    says: '',
    triedBy: 'test/contract/upgrade-backup.test.ts',
  },
  {
    what: 'refused uploads of a repo',
    number: () => `${MOST_REFUSED}, ${KEPT_REFUSED / DAY} days`,
    says: '',
    triedBy: 'test/http/refused-uploads.test.ts',
  },
];

/** The rows of docs/limits.md, in their order. */
export const LIMITS: readonly DocumentedLimit[] = [
  ...ONE_UPLOAD,
  ...MANY_UPLOADS,
  ...BUSY_SERVER,
  ...BUILDS,
  ...ANNOUNCEMENTS,
  ...READERS,
  ...PEOPLE,
  ...KEPT,
];
