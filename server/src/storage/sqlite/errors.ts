import { Failure } from '../../core/failure.ts';
import * as say from '../../messages/stores.ts';

/**
 * The sentences for SQLite's primary result codes (https://www.sqlite.org/rescode.html) that an operator or time can
 * mend.
 */
const SENTENCES: ReadonlyMap<number, string> = new Map([
  [3, say.MAY_NOT_OPEN],
  [5, say.LOCKED],
  [6, say.LOCKED],
  [7, say.NO_MEMORY],
  [8, say.READ_ONLY],
  [10, say.DISK_FAILED],
  [11, say.FILE_DAMAGED],
  [13, say.DISK_FULL],
  [14, say.CANNOT_BE_OPENED],
  [15, say.LOCKED],
  [26, say.NOT_SQLITE],
]);

/**
 * A driver's error as ours: `unavailable` for what an operator or time can mend (full, locked, damaged, closed).
 * Anything else is a bug and comes back as it is.
 */
export function toFailure(error: unknown): unknown {
  if (error instanceof Failure) return error;
  if (isClosed(error)) return new Failure('unavailable', say.STORE_CLOSED, { cause: error });
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
