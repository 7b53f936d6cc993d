import { Failure, quoteValue } from '../../core/failure.ts';
import { counted } from '../../core/sentences.ts';
import { OBJECT_FORM } from './sentences.ts';

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
  return new Failure(
    'payload-too-large',
    `${what} is larger than the limit of ${counted(limit, 'byte')} (${toMebibytes(limit)} MiB). Split the upload ` +
      'with ' +
      '`parallel`, or raise the limit on the server.',
  );
}

/** A job with more than MAX_JOB_FILES source files. */
export function tooManyFiles(): Failure {
  return new Failure(
    'payload-too-large',
    `A job can hold at most ${MAX_JOB_FILES} source files; this one has more. Split it with \`parallel\`.`,
  );
}

/** A value that one field may not have: `must` completes "<field> must be …". */
export function wrongValue(field: string, must: string, value: unknown): Failure {
  return invalid(`${field} must be ${must}, but is ${describeValue(value)}.`, { field });
}

/** A hostile JSON value in a few words; never its whole text, which may be as large as the body. */
export function describeValue(value: unknown): string {
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'object' && value !== null) return OBJECT_FORM;
  return quoteValue(typeof value === 'string' ? value.slice(0, 100) : value);
}

function toMebibytes(bytes: number): string {
  return String(Math.round((bytes / 2 ** 20) * 100) / 100);
}
