import { maxHeaderSize } from 'node:http';
import { ACCESS_DENIED_BACKOFF, PROVIDER_BACKOFF } from '../../../server/src/core/backoff.ts';
import { KEPT_REFUSED, MOST_REFUSED } from '../../../server/src/core/builds/refused-upload.ts';
import * as bodies from '../../../server/src/messages/bodies.ts';
import * as closes from '../../../server/src/messages/closes.ts';
import * as people from '../../../server/src/messages/people.ts';
import * as requests from '../../../server/src/messages/requests.ts';
import * as shareLinks from '../../../server/src/messages/share-links.ts';
import {
  byDefault,
  constant,
  count,
  DAY,
  type DocumentedLimit,
  each,
  HOUR,
  kibibytes,
  mebibytes,
  seconds,
} from './limit-numbers.ts';
import { UPLOAD_ROWS } from './upload-limits.ts';

const BODY = bodies.bodyTooLarge({ what: bodies.bodyHasBytes(1), limit: 1, variable: 'X' });

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
    number: seconds('closing/request-close.ts', 'RESULT_WAIT'),
    says: '',
  },
  {
    what: 'flags named in `carryforward`',
    number: count('closing/http/close-fields.ts', 'MAX_CARRIED'),
    says: closes.tooManyCarried(1, 1),
    triedBy: 'test/http/hostile-texts.test.ts',
  },
  {
    what: 'builds that flags are carried from, asked about',
    number: count('closing/carry-flags.ts', 'MAX_ORIGINS'),
    says: '',
    triedBy: 'server/src/closing/carry-flags.test.ts',
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
    triedBy: 'server/src/reports/threads/thread-pool.test.ts',
  },
  {
    what: 'attempts to close it',
    number: count('core/builds/close-attempts.ts', 'MAX_CLOSE_ATTEMPTS'),
    says: '',
    triedBy: 'test/http/cannot-merge.test.ts',
  },
  {
    what: 'a git host that is away',
    number: () => `${PROVIDER_BACKOFF.giveUp / HOUR} h`,
    says: '',
    triedBy: 'server/src/core/builds/provisional.test.ts',
  },
  {
    what: 'a git host that denies access',
    number: () => `${ACCESS_DENIED_BACKOFF.giveUp / DAY} days`,
    says: '',
    triedBy: 'server/src/core/builds/provisional.test.ts',
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
    number: mebibytes('hosts/github/webhook.ts', 'PAYLOAD_CAP'),
    says: BODY,
    triedBy: 'test/http/github-webhook.test.ts',
  },
];

const READERS: readonly DocumentedLimit[] = [
  {
    what: 'pairs of a query',
    number: count('platform/http/parse-query.ts', 'MAX_PAIRS'),
    says: bodies.tooManyPairs(1, 1),
    triedBy: 'test/http/queries.test.ts',
  },
  {
    what: 'closes, reruns, and forms of whoever is not signed in',
    number: kibibytes('platform/http/small-bodies.ts', 'STRANGERS_BODY_LIMIT'),
    says: bodies.smallBodyTooLarge(1),
    triedBy: 'test/http/small-bodies.test.ts',
  },
  {
    what: 'other bodies, as of settings',
    number: mebibytes('platform/http/small-bodies.ts', 'SMALL_BODY_LIMIT'),
    says: bodies.smallBodyTooLarge(1),
    triedBy: 'test/http/small-bodies.test.ts',
  },
  {
    what: 'values of the JSON of both',
    number: count('platform/http/read-json.ts', 'MAX_VALUES'),
    says: bodies.tooManyValues(1),
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
  { what: 'an answer that nobody reads', number: seconds('platform/http/server.ts', 'ANSWER_STALL'), says: '' },
  {
    what: "processor time of a file's colours",
    number: seconds('reports/threads/highlighter.ts', 'TEXT_TIME'),
    says: '',
    triedBy: 'server/src/reports/threads/highlighter.test.ts',
  },
  { what: 'source texts kept of a repo', number: byDefault('SOURCE_CACHE_SIZE'), says: '' },
  {
    what: 'source texts asked for, a minute',
    number: byDefault('SOURCE_REQUESTS_PER_MINUTE'),
    says: '',
    triedBy: 'test/http/host-source.test.ts',
  },
  {
    what: 'a source text',
    number: mebibytes('builds/fetch-source.ts', 'MAX_FETCHED'),
    says: '',
    triedBy: 'test/http/host-source.test.ts',
  },
];

const PEOPLE: readonly DocumentedLimit[] = [
  {
    what: 'tries to sign in, in 15 min: account, network, known browser',
    number: each(
      count('people/limit-attempts.ts', 'MOST_OF_NAME'),
      count('people/limit-attempts.ts', 'MOST_OF_NETWORK'),
      count('people/limit-attempts.ts', 'MOST_OF_DEVICE'),
    ),
    says: people.tooManyAttempts(1),
    triedBy: 'test/http/sign-in-limits.test.ts',
  },
  {
    what: 'passwords that wait to be compared',
    number: count('platform/secrets/passwords.ts', 'MOST_WAITING'),
    says: people.TOO_MANY_SIGN_IN,
    triedBy: 'server/src/platform/secrets/passwords.test.ts',
  },
  {
    what: 'time that groups of an OpenID provider count',
    number: byDefault('OIDC_GROUPS_MAX_AGE'),
    says: '',
    triedBy: 'test/http/openid-groups.test.ts',
  },
  {
    what: 'personal tokens of an account',
    number: count('people/account-tokens.ts', 'MOST_TOKENS'),
    says: people.tooManyTokens(1),
    triedBy: 'test/http/full-lists.test.ts',
  },
  {
    what: 'share links of a repo',
    number: count('access/share-links.ts', 'MOST_LINKS'),
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
  {
    what: 'builds of forks, of a repo',
    number: byDefault('RETENTION_UNVERIFIED_BUILDS'),
    says: '',
    triedBy: 'test/contract/retention-contract.ts',
  },
  {
    what: 'builds of forks, of a pull request',
    number: byDefault('RETENTION_UNVERIFIED_PER_PULL'),
    says: '',
    triedBy: 'test/contract/retention-contract.ts',
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
  ...UPLOAD_ROWS,
  ...BUILDS,
  ...ANNOUNCEMENTS,
  ...READERS,
  ...PEOPLE,
  ...KEPT,
];
