import * as bodies from '../../../server/src/messages/bodies.ts';
import * as forkRuns from '../../../server/src/messages/fork-runs.ts';
import * as jobs from '../../../server/src/messages/jobs.ts';
import * as previews from '../../../server/src/messages/previews.ts';
import * as stores from '../../../server/src/messages/stores.ts';
import * as uploads from '../../../server/src/messages/uploads.ts';
import {
  byDefault,
  constant,
  count,
  DEFAULTS,
  type DocumentedLimit,
  each,
  mebibytes,
  seconds,
  unit,
} from './limit-numbers.ts';

const OVERSIZE = 'server/src/reports/ingest/oversize-diff.test.ts';
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
    number: mebibytes('reports/ingest/ingest.ts', 'unusualBytes'),
    says: jobs.tooLarge({ ...TOO_LARGE, what: jobs.UNUSUAL_JOB }),
    triedBy: 'server/src/reports/ingest/ingest-job.test.ts',
  },
  {
    what: 'source files of a job',
    number: count('reports/ingest/refusals.ts', 'MAX_JOB_FILES'),
    says: jobs.tooManyFiles(1),
    triedBy: 'server/src/reports/ingest/bounds.test.ts',
  },
  {
    what: 'branches that are not in order',
    number: count('reports/ingest/branch-order.ts', 'MAX_UNSORTED_BRANCHES'),
    says: jobs.tooManyUnsorted(1, 1),
    triedBy: 'server/src/reports/ingest/bounds.test.ts',
  },
  {
    what: 'files of a report',
    number: count('reports/codec/report-limits.ts', 'MAX_FILES'),
    says: REPORT,
    triedBy: 'server/src/reports/codec/report-codec.test.ts',
  },
  {
    what: 'lines, branches of a report',
    number: each(
      count('reports/codec/report-limits.ts', 'MAX_REPORT_LINES'),
      count('reports/codec/report-limits.ts', 'MAX_REPORT_BRANCHES'),
    ),
    says: REPORT,
    triedBy: 'server/src/reports/threads/merge-estimate.test.ts',
  },
  {
    what: 'lines of a file',
    number: count('core/coverage/file-coverage.ts', 'MAX_FILE_LINES'),
    says: REPORT,
    triedBy: 'server/src/reports/codec/report-codec.test.ts',
  },
  {
    what: 'bytes of the `diff`',
    number: mebibytes('reports/ingest/diff-field.ts', 'MAX_DIFF_BYTES'),
    says: DIFF,
    triedBy: OVERSIZE,
  },
  {
    what: 'files, hunks of the `diff`',
    number: each(
      count('reports/ingest/diff-field.ts', 'MAX_DIFF_FILES'),
      count('reports/ingest/diff-field.ts', 'MAX_DIFF_HUNKS'),
    ),
    says: DIFF,
    triedBy: OVERSIZE,
  },
  {
    what: 'lines that the `diff` puts into files',
    number: count('core/diff/file-diff.ts', 'MAX_ADDED_LINES'),
    says: DIFF,
    triedBy: OVERSIZE,
  },
  {
    what: 'time to check it, most of it on a processor',
    number: seconds('reports/threads/upload-check.ts', 'CHECK_LIMIT'),
    says: uploads.checkTooSlow(1, 1),
    triedBy: 'server/src/reports/threads/thread-pool.slow.test.ts',
  },
  {
    what: 'the same, on a machine that is busy',
    number: seconds('reports/threads/upload-check.ts', 'CHECK_LIMIT'),
    says: uploads.checkHeldUp(1, 1),
    triedBy: 'server/src/reports/threads/upload-check.test.ts',
  },
  {
    what: 'silence within a body',
    number: seconds('platform/http/read-body.ts', 'BODY_IDLE'),
    says: STOPPED,
    triedBy: 'test/http/limits.test.ts',
  },
  {
    what: 'a whole request',
    number: unit(60_000, 'min')('platform/http/server.ts', 'WHOLE_REQUEST'),
    says: STOPPED,
    triedBy: 'test/http/limits.test.ts',
  },
  {
    what: 'jobs of one build',
    number: count('core/builds/accept-job.ts', 'MAX_JOBS'),
    says: uploads.tooManyJobs('x', 1),
    triedBy: 'server/src/core/builds/accept-job.test.ts',
  },
];

const UPLOAD_LIMITS = 'test/http/upload-limits.test.ts';

const UNVERIFIED = (
  [
    ["bytes a day of a fork's run", 'run', 'MAX_UNVERIFIED_RUN_BYTES'],
    ['bytes a day of its pull request', 'pull', 'MAX_UNVERIFIED_PULL_BYTES'],
    ['bytes a day of forks, address', 'address', 'MAX_UNVERIFIED_ADDRESS_BYTES'],
    ['bytes a day of forks, repo', 'repo', 'MAX_UNVERIFIED_REPO_BYTES'],
  ] as const
).map(([what, of, variable]) => ({
  what,
  number: byDefault(variable),
  says: uploads.unverifiedOverBytes({ of, variable, used: 2, bytes: 1, limit: 1, retryAfter: 1 }),
  triedBy: 'test/http/fork-limits.test.ts',
}));

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
  ...UNVERIFIED,
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
    triedBy: 'server/src/platform/http/upload-budget.test.ts',
  },
  {
    what: 'a slow body while others wait',
    number: () => `${constant('platform/http/upload-budget.ts', 'SLOWEST')} s left`,
    says: uploads.tooSlow(1),
    triedBy: 'server/src/platform/http/upload-budget.test.ts',
  },
  {
    what: 'threads',
    number: () => 'processors − 1',
    says: BUSY,
    triedBy: 'server/src/reports/threads/task-lane.test.ts',
  },
  {
    what: 'uploads that wait for a thread',
    number: count('compose/compose.ts', 'MAX_WAITING_TASKS'),
    says: BUSY,
    triedBy: 'server/src/reports/threads/task-lane.test.ts',
  },
  {
    what: 'uploads of a build that wait for the database',
    number: seconds('storage/commands/accept-job.ts', 'QUEUE_LIMIT'),
    says: uploads.QUEUE_TOO_LONG,
    triedBy: 'test/contract/upload-queue.test.ts',
  },
  {
    what: 'an SQLite file that is locked',
    number: seconds('storage/open/open-store.ts', 'BUSY_TIMEOUT'),
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

/** Rows about uploads, and about a server that is busy with them. */
export const UPLOAD_ROWS: readonly DocumentedLimit[] = [...ONE_UPLOAD, ...MANY_UPLOADS, ...BUSY_SERVER];
