import { showHidden } from './printable.ts';

/**
 * The only kind of error that this program throws on purpose. `code` is stable; the table from code to HTTP status
 * lives in platform/http/answer-failures.ts alone.
 */
export type FailureCode =
  | 'query-invalid'
  | 'payload-invalid'
  | 'payload-too-large'
  /** The connection ended or fell silent within the body: a proxy, a network or a client may have done it. */
  | 'body-incomplete'
  | 'repo-token-unknown'
  | 'build-unknown'
  | 'credential-missing'
  | 'credential-unknown'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'over-limit'
  | 'unavailable'
  | 'internal';

export interface FailureDetails {
  /**
   * Where the offending value was, for example `repo.commit_status_fail_threshold` or `source_files[3].coverage[7]`.
   */
  readonly field?: string;
  /** Seconds until it may be tried again, if known. */
  readonly retryAfter?: number;
  /** The repo, which the caller may read, in which something is not there. */
  readonly repo?: { readonly service: string; readonly name: string; readonly unbuilt?: Unbuilt | undefined };
  /** The error underneath, for the log; it is never shown to a caller. */
  readonly cause?: unknown;
}

/** What may still get a build: the name that was asked for. */
export interface Unbuilt {
  readonly kind: 'pull request' | 'commit';
  readonly name: string;
}

/** An error whose message is a sentence for the caller: what happened, the value seen, and what to do. */
export class Failure extends Error {
  readonly code: FailureCode;
  readonly field: string | undefined;
  readonly retryAfter: number | undefined;
  readonly repo: FailureDetails['repo'];

  constructor(code: FailureCode, message: string, details: FailureDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'Failure';
    this.code = code;
    this.field = details.field;
    this.retryAfter = details.retryAfter;
    this.repo = details.repo;
  }
}

/** A hostile value as one short line for an error message: at most `limit` characters of its JSON, none hidden. */
export function quoteValue(value: unknown, limit = 80): string {
  const shown = showHidden(beginJson(value, limit).slice(0, limit + 1));
  return shown.length > limit ? `${shown.slice(0, limit)}…` : shown;
}

/**
 * A value's JSON, or just enough of its beginning to be longer than `limit`. Each level adds a character, so neither
 * depth nor size of a hostile value costs more than the limit.
 */
function beginJson(value: unknown, limit: number): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, limit + 1));
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? String(value);
  return Array.isArray(value) ? beginList(value, limit) : beginObject(value, limit);
}

function beginList(values: readonly unknown[], limit: number): string {
  let text = '[';
  for (let index = 0; index < values.length; index += 1) {
    if (text.length > limit) return text;
    text += (index === 0 ? '' : ',') + beginJson(values[index] ?? null, limit - text.length);
  }
  return `${text}]`;
}

function beginObject(object: object, limit: number): string {
  let text = '{';
  for (const [key, value] of Object.entries(object)) {
    if (text.length > limit) return text;
    if (value === undefined) continue;
    text += `${text === '{' ? '' : ','}${beginJson(key, limit - text.length)}:`;
    text += beginJson(value, Math.max(0, limit - text.length));
  }
  return `${text}}`;
}
