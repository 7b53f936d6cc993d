import { Failure, quoteValue } from '../../core/failure.ts';
import * as say from '../../messages/jobs.ts';

/** A body that does not fit: the sentence says what was seen and what is expected. */
export function invalid(message: string, details: { readonly field?: string; readonly cause?: unknown } = {}): Failure {
  return new Failure('payload-invalid', message, details);
}

/**
 * Source files of one job. Each costs several microseconds, also of the store's time; the largest known repos have half
 * as many.
 */
export const MAX_JOB_FILES = 100_000;

/** A body above a limit, which the sentence names. */
export function tooLarge(what: string, limit: number): Failure {
  return new Failure('payload-too-large', say.tooLarge({ what, limit, mebibytes: toMebibytes(limit) }));
}

/** A job with more than MAX_JOB_FILES source files. */
export function tooManyFiles(): Failure {
  return new Failure('payload-too-large', say.tooManyFiles(MAX_JOB_FILES));
}

/** A value that one field may not have: `must` completes "<field> must be …". */
export function wrongValue(field: string, must: string, value: unknown): Failure {
  return invalid(say.fieldWrong({ path: field, form: must, found: describeValue(value) }), { field });
}

/** A hostile JSON value in a few words; never its whole text, which may be as large as the body. */
export function describeValue(value: unknown): string {
  if (Array.isArray(value)) return say.anArrayOf(value.length);
  if (typeof value === 'object' && value !== null) return say.OBJECT_FORM;
  return quoteValue(typeof value === 'string' ? value.slice(0, 100) : value);
}

function toMebibytes(bytes: number): string {
  return String(Math.round((bytes / 2 ** 20) * 100) / 100);
}
