import { readDuration, readLimit, readSize, readSizeLimit } from './values.ts';
import { type ConfigVariable, variable } from './variable.ts';

/** How much is taken at once, and how long it is kept. */
export const LIMIT_VARIABLES = [
  variable('MAX_UPLOAD_BYTES', readSize, '256MiB', 'Largest upload as sent.', 'maxUploadBytes'),
  variable(
    'MAX_UPLOADS_MEMORY',
    readSize,
    undefined,
    'Bytes of uploads that are held at once; further ones wait. Unset: four times MAX_UPLOAD_BYTES.',
  ),
  variable('MAX_REPORT_BYTES', readSize, '256MiB', 'Largest job once unpacked.', 'maxReportBytes'),
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
    'Jobs a minute that each process takes of one repo; 0: any number.',
  ),
  variable(
    'MAX_REPO_BYTES_PER_DAY',
    readSizeLimit,
    '64GiB',
    'Bytes of jobs, as sent, that are taken of one repo in a day (UTC); 0: any number.',
  ),
  variable(
    'MAX_UNVERIFIED_RUN_BYTES',
    readSizeLimit,
    '64MiB',
    "Bytes a day (UTC) of jobs without a token, as sent or as stored, of one fork's run; 0: any number.",
  ),
  variable(
    'MAX_UNVERIFIED_PULL_BYTES',
    readSizeLimit,
    '256MiB',
    'Bytes a day (UTC) of jobs without a token, as sent or as stored, of one pull request; 0: any number.',
  ),
  variable(
    'MAX_UNVERIFIED_ADDRESS_BYTES',
    readSizeLimit,
    '512MiB',
    'Bytes a day (UTC) of jobs without a token, as sent or as stored, of one address; 0: any number.',
  ),
  variable(
    'MAX_UNVERIFIED_REPO_BYTES',
    readSizeLimit,
    '1GiB',
    'Bytes a day (UTC) of jobs without a token, as sent or as stored, of one repo; 0: any number.',
  ),
  variable(
    'MAX_REPO_OPEN_BUILDS',
    readLimit,
    '1000',
    'Parallel builds of one repo that may be open at once; 0: any number.',
  ),
  variable(
    'MAX_ADDRESS_JOBS_PER_MINUTE',
    readLimit,
    '600',
    'Jobs a minute that each process takes of one address with tokens that it does not know; 0: any number.',
  ),
  variable(
    'MAX_ADDRESS_BYTES_PER_DAY',
    readSizeLimit,
    '16GiB',
    'Bytes of jobs, as sent, that each process takes of one address in a day (UTC) ' +
      'with tokens that it does not know; 0: any number.',
  ),
  variable(
    'RUN_CHECKS_PER_MINUTE',
    readLimit,
    '30',
    'Questions about runs without secrets a minute that each process asks git hosts, for one repo half as many, and ' +
      'for what an address claims wrongly a tenth; 0: any number.',
    'runChecksPerMinute',
  ),
  variable(
    'MAX_MERGE_MEMORY',
    readSizeLimit,
    '2GiB',
    'Memory that merging one build may take, by an estimate made before it begins; 0: no bound.',
  ),
  variable('MAX_MERGE_TIME', readDuration({ min: 0 }), '5m', 'How long merging one build may take; 0: no bound.'),
  variable(
    'SOURCE_CACHE_SIZE',
    readSizeLimit,
    '64MiB',
    'Source texts of each repo that are kept once its git host was asked for them; 0: it is never asked.',
    'sourceCacheSize',
  ),
  variable(
    'SOURCE_REQUESTS_PER_MINUTE',
    readLimit,
    '30',
    'Source texts a minute that each process asks git hosts for; 0: any number.',
    'sourceRequestsPerMinute',
  ),
  variable(
    'RETENTION_DAYS',
    readLimit,
    '0',
    'How many days builds are kept; 0: for ever (docs/backup.md, "What is kept").',
  ),
  variable('RETENTION_BUILDS', readLimit, '0', 'How many builds of each repo are kept; 0: all.'),
  variable(
    'RETENTION_UNVERIFIED_BUILDS',
    readLimit,
    '200',
    "How many builds of forks' runs without a token are kept of each repo; 0: as many as of others.",
  ),
  variable(
    'RETENTION_UNVERIFIED_PER_PULL',
    readLimit,
    '10',
    'How many of them are kept of each pull request; 0: as many as of others.',
  ),
  variable(
    'UPGRADE_BACKUPS',
    readLimit,
    '2',
    'SQLite: how many backups that are made before an upgrade are kept beside the file; 0: none is made.',
    'upgradeBackups',
  ),
  variable('AUDIT_DAYS', readLimit, '0', 'How many days the audit log is kept; 0: for ever.', 'auditDays'),
] as const satisfies readonly ConfigVariable[];
