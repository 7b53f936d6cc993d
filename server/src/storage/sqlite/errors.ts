import { Failure } from '../../core/failure.ts';
import { STORE_CLOSED } from '../sentences.ts';

const LOCKED = 'The database is locked by another program. Nothing was stored; try again in a moment.';

/**
 * The sentences for SQLite's primary result codes (https://www.sqlite.org/rescode.html) that an operator or time can
 * fix.
 */
const SENTENCES: ReadonlyMap<number, string> = new Map([
  [3, 'No permission to open the database: check the permissions of its file and directory.'],
  [5, LOCKED],
  [6, LOCKED],
  [7, 'The database has run out of memory. Nothing was stored; try again in a moment.'],
  [8, 'The database cannot be written: check the permissions of its file and directory. Nothing was stored.'],
  [
    10,
    'The disk that holds the database failed. Nothing was stored; check the disk and its free space, then try again.',
  ],
  [11, 'The database file is damaged. Nothing was stored; restore a backup.'],
  [13, 'The disk that holds the database is full. Nothing was stored; make room, then try again.'],
  [14, 'The database file cannot be opened: check that it exists, and its permissions.'],
  [15, LOCKED],
  [26, 'The database file is not an SQLite database: set DATABASE_URL to another file.'],
]);

/**
 * A driver's error as ours: `unavailable` for what an operator or time can fix (full, locked, damaged, closed).
 * Anything else is a bug and comes back as it is.
 */
export function toFailure(error: unknown): unknown {
  if (error instanceof Failure) return error;
  if (isClosed(error)) return new Failure('unavailable', STORE_CLOSED, { cause: error });
  const sentence = SENTENCES.get(primaryCode(error));
  return sentence === undefined ? error : new Failure('unavailable', sentence, { cause: error });
}

/** Whether another process has the file. */
export function isLocked(error: unknown): boolean {
  return primaryCode(error) === 5;
}

/** The primary result code is the low byte of the extended one; 0 for an error that is not SQLite's. */
function primaryCode(error: unknown): number {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return 0;
  return error.errcode & 0xff;
}

/** A request that arrives while the process stops finds its statements finalized. */
function isClosed(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_INVALID_STATE';
}
