import { showHidden } from './printable.ts';

/**
 * The one family of errors that this program throws on purpose. `code` is stable; the table from code to HTTP status
 * lives in http/middleware/answer-failures.ts alone.
 */
export type FailureCode =
  | 'payload-invalid'
  | 'payload-too-large'
  | 'repo-token-unknown'
  | 'build-unknown'
  | 'credential-missing'
  | 'credential-unknown'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'unavailable'
  | 'internal';

export interface FailureDetails {
  /** Where the offending value stood, e.g. `repo.commit_status_fail_threshold` or `source_files[3].coverage[7]`. */
  readonly field?: string;
  /** The error underneath, for the log; it is never shown to a caller. */
  readonly cause?: unknown;
}

/** An error whose message is a sentence for the caller: what happened, the value seen, and what to do. */
export class Failure extends Error {
  readonly code: FailureCode;
  readonly field: string | undefined;

  constructor(code: FailureCode, message: string, details: FailureDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'Failure';
    this.code = code;
    this.field = details.field;
  }
}

/** A hostile value as one short line for an error message: at most `limit` characters of its JSON, none hidden. */
export function quoteValue(value: unknown, limit = 80): string {
  const text = typeof value === 'bigint' ? value.toString() : (JSON.stringify(value) ?? String(value));
  const shown = showHidden(text.slice(0, limit + 1));
  return shown.length > limit ? `${shown.slice(0, limit)}…` : shown;
}
