import {
  MongoAPIError,
  MongoBulkWriteError,
  MongoClientBulkWriteError,
  MongoError,
  MongoNetworkError,
  MongoNetworkTimeoutError,
  MongoParseError,
  MongoServerError,
  MongoWriteConcernError,
} from 'mongodb';
import { Failure } from '../../core/failure.ts';
import { STORE_CLOSED } from '../sentences.ts';

const MONGO_REFUSES_USER = 'MongoDB refuses the user or password of DATABASE_URL: check both.';

/**
 * Sentences for server errors that an operator can fix (https://www.mongodb.com/docs/manual/reference/error-codes/).
 */
const SENTENCES: ReadonlyMap<number, string> = new Map([
  [13, 'MongoDB does not allow this: the user of DATABASE_URL needs the role readWrite on its database.'],
  [18, MONGO_REFUSES_USER],
  [8000, MONGO_REFUSES_USER],
  [73, 'MongoDB does not accept the name of the database: letters, digits, - and _ are safe.'],
  [
    239,
    'MongoDB did not keep the snapshot that was being read for long enough: raise minSnapshotHistoryWindowInSeconds ' +
      '(docs/mongodb.md), then run this again.',
  ],
  [10334, 'The data is larger than 16 MB, the limit for one MongoDB document. Nothing was stored.'],
  [14031, 'The disk of MongoDB is full. Make room, then try again.'],
]);

/** Server errors that time fixes: elections, shutdowns, time limits, a majority that does not answer. */
const PASSING: ReadonlySet<number> = new Set([
  6, 7, 24, 43, 46, 50, 64, 89, 91, 100, 112, 133, 134, 189, 202, 237, 246, 262, 279, 290, 292, 365, 384, 391, 9001,
  10107, 11600, 11601, 11602, 13435, 13436, 46841,
]);

const PASSING_LABELS = ['RetryableWriteError', 'TransientTransactionError', 'RetryableError', 'SystemOverloadedError'];

/** Thrown by us when an operation takes longer than it may. */
export class TimeLimitExceeded extends Error {
  constructor(limit: number) {
    super(`MongoDB did not answer within ${limit} ms.`);
    this.name = 'TimeLimitExceeded';
  }
}

/**
 * A driver's error as ours: `unavailable` for what an operator or time can fix. Anything else is a bug and comes back
 * as it is.
 */
export function toFailure(error: unknown): unknown {
  if (error instanceof Failure) return error;
  if (error instanceof MongoClientBulkWriteError && error.cause !== undefined) return toFailure(error.cause);
  if (isClosed(error)) return new Failure('unavailable', STORE_CLOSED, { cause: error });
  if (isPassing(error))
    return new Failure(
      'unavailable',
      'MongoDB does not answer in time: it is down, unreachable, or electing a new primary. Try again in a moment.',
      { cause: error },
    );
  const sentence = error instanceof MongoServerError ? SENTENCES.get(Number(error.code)) : undefined;
  return sentence === undefined ? error : new Failure('unavailable', sentence, { cause: error });
}

/**
 * What is wrong with a URL or what it names, found only when it is used: an unknown host, a file that is not there.
 * Undefined: a bug.
 */
export function readProblem(error: unknown): string | undefined {
  if (error instanceof MongoAPIError || error instanceof MongoParseError) return `${firstLine(error.message)}.`;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? `${code}: check the hosts and files that the URL names.` : undefined;
}

function firstLine(text: string): string {
  return (text.split('\n', 1)[0] ?? '').replace(/\.$/, '');
}

/** Whether an operation was given up while the server may still be at it. */
export function isTimeout(error: unknown): boolean {
  return error instanceof MongoNetworkTimeoutError || error instanceof TimeLimitExceeded;
}

/** Whether there is an index of that name with other keys (IndexKeySpecsConflict). */
export function isIndexConflict(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === 86;
}

/** Whether a unique index refused a write: another one was first. */
export function isDuplicate(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === 11000;
}

function isClosed(error: unknown): boolean {
  return error instanceof Error && CLOSED_NAMES.has(error.name);
}

const words = (text: string): ReadonlySet<unknown> => new Set(text.split(' '));

const CLOSED_NAMES = words('MongoNotConnectedError MongoTopologyClosedError MongoClientClosedError');

/** Connections that break while the driver waits to write come through as they are (Node's system errors). */
const BROKEN = words('ECONNRESET ECONNREFUSED ECONNABORTED EPIPE ETIMEDOUT ENETUNREACH EHOSTUNREACH');

/** Errors of the driver itself that time fixes; not all of them are exported. */
const PASSING_NAMES = words(
  'MongoOperationTimeoutError MongoServerClosedError MongoStalePrimaryError MongoExpiredSessionError ' +
    'MongoPoolClearedError MongoWaitQueueTimeoutError MongoPoolClosedError MongoServerSelectionError ' +
    'TimeLimitExceeded',
);

function isPassing(error: unknown): boolean {
  if (error instanceof Error && PASSING_NAMES.has(error.name)) return true;
  if (error instanceof MongoNetworkError || error instanceof MongoWriteConcernError) return true;
  if (error instanceof MongoClientBulkWriteError && error.writeConcernErrors.length > 0) return true;
  // The driver wraps what cut a bulk off, and keeps nothing of it but the cause of the failure.
  if (error instanceof MongoBulkWriteError && error.code === undefined)
    return error.writeErrors === undefined || [error.writeErrors].flat().length === 0;
  if (error instanceof Error && 'code' in error && BROKEN.has(error.code)) return true;
  if (!(error instanceof MongoError)) return false;
  return PASSING.has(Number(error.code)) || PASSING_LABELS.some((label) => error.hasErrorLabel(label));
}
