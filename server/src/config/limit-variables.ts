import { readDuration, readLimit, readSize, readSizeLimit } from './values.ts';
import { type ConfigVariable, variable } from './variable.ts';

/** How much is taken at once, and how long it is kept. */
export const LIMIT_VARIABLES = [
  variable('MAX_UPLOAD_BYTES', readSize, '256MiB', 'Maximum size of an upload as sent.', 'maxUploadBytes'),
  variable(
    'MAX_UPLOADS_MEMORY',
    readSize,
    undefined,
    'Bytes of uploads that are held in memory at once; others wait. Unset: four times MAX_UPLOAD_BYTES.',
  ),
  variable('MAX_REPORT_BYTES', readSize, '256MiB', 'Maximum size of a job once unpacked.', 'maxReportBytes'),
  variable(
    'MIN_FREE_DISK',
    readSizeLimit,
    undefined,
    'SQLite: bytes that must be free on the disk for /readyz to answer 200; 0: any. Unset: MAX_UPLOAD_BYTES.',
  ),
  variable(
    'MAX_REPO_JOBS_PER_MINUTE',
    readLimit,
    '6000',
    'Jobs of a repo that each process accepts per minute; 0: any number.',
  ),
  variable(
    'MAX_REPO_BYTES_PER_DAY',
    readSizeLimit,
    '64GiB',
    'Bytes of jobs of a repo, as sent, per day (UTC); 0: any number.',
  ),
  variable(
    'MAX_UNVERIFIED_RUN_BYTES',
    readSizeLimit,
    '64MiB',
    "Bytes of jobs without a token, as sent or as stored, from one fork's run per day (UTC); 0: any number.",
  ),
  variable('MAX_UNVERIFIED_PULL_BYTES', readSizeLimit, '256MiB', 'The same for one pull request.'),
  variable('MAX_UNVERIFIED_ADDRESS_BYTES', readSizeLimit, '512MiB', 'The same for one address.'),
  variable('MAX_UNVERIFIED_REPO_BYTES', readSizeLimit, '1GiB', 'The same for one repo.'),
  variable(
    'MAX_REPO_OPEN_BUILDS',
    readLimit,
    '1000',
    'Parallel builds of a repo that can be open at once; 0: any number.',
  ),
  variable(
    'MAX_ADDRESS_JOBS_PER_MINUTE',
    readLimit,
    '600',
    'Jobs with unknown tokens that each process accepts from an address per minute; 0: any number.',
  ),
  variable(
    'MAX_ADDRESS_BYTES_PER_DAY',
    readSizeLimit,
    '16GiB',
    'Bytes of such jobs, as sent, per day (UTC); 0: any number.',
  ),
  variable(
    'RUN_CHECKS_PER_MINUTE',
    readLimit,
    '30',
    'How many questions about runs without secrets each process asks git hosts per minute: at most half for one ' +
      'repo, and a tenth for wrong claims from one address; 0: any number.',
    'runChecksPerMinute',
  ),
  variable(
    'MAX_MERGE_MEMORY',
    readSizeLimit,
    '2GiB',
    'Memory that merging one build can take, by an estimate; 0: no limit.',
  ),
  variable('MAX_MERGE_TIME', readDuration({ min: 0 }), '5m', 'How long merging one build can take; 0: no limit.'),
  variable(
    'SOURCE_CACHE_SIZE',
    readSizeLimit,
    '64MiB',
    'Source texts from the git host that are kept for each repo; 0: the host is never asked.',
    'sourceCacheSize',
  ),
  variable(
    'SOURCE_REQUESTS_PER_MINUTE',
    readLimit,
    '30',
    'Source texts that each process asks git hosts for per minute; 0: any number.',
    'sourceRequestsPerMinute',
  ),
  variable('RETENTION_DAYS', readLimit, '0', 'How many days builds are kept; 0: forever.'),
  variable('RETENTION_BUILDS', readLimit, '0', 'How many builds of each repo are kept; 0: all.'),
  variable(
    'RETENTION_UNVERIFIED_BUILDS',
    readLimit,
    '200',
    "How many builds of forks' runs without a token are kept for each repo; 0: as many as other builds.",
  ),
  variable(
    'RETENTION_UNVERIFIED_PER_PULL',
    readLimit,
    '10',
    'How many of these builds are kept for each pull request; 0: as many as other builds.',
  ),
  variable(
    'UPGRADE_BACKUPS',
    readLimit,
    '2',
    'SQLite: how many backups from before upgrades are kept beside the file; 0: none are made.',
    'upgradeBackups',
  ),
  variable('AUDIT_DAYS', readLimit, '0', 'How many days the audit log is kept; 0: forever.', 'auditDays'),
] as const satisfies readonly ConfigVariable[];
