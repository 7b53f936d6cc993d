import { quoteValue } from '../../domain/failure.ts';
import type { Operation } from './operations.ts';

/** An answer of 400 and above, as far as we understand it. */
export interface Refusal {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, unknown>>;
  /** GitHub's own sentence; empty when the body held none. Text from outside. */
  readonly message: string;
  /** What GitHub names as wrong, one text each; texts from outside. */
  readonly problems: readonly string[];
}

const MAX_PROBLEMS = 5;

/** Reads a failed call's answer; a body of another shape than GitHub's gives an empty message. */
export function readRefusal(answer: { readonly status: number; readonly headers?: unknown; readonly data?: unknown }): Refusal {
  const body = isRecord(answer.data) ? answer.data : {};
  const errors: unknown[] = Array.isArray(body.errors) ? body.errors : [];
  return {
    status: answer.status,
    headers: isRecord(answer.headers) ? answer.headers : {},
    message: typeof body.message === 'string' ? body.message : '',
    problems: errors.slice(0, MAX_PROBLEMS).map(describeProblem),
  };
}

/**
 * What GitHub answered and what to do about it, as one line. `redact` is applied to every text of GitHub's; these are bounded
 * and made printable (rule 26).
 */
export function explainRefusal(refusal: Refusal, operation: Operation, redact: (text: string) => string): string {
  const said = refusal.message === '' ? '' : ` (${quoteValue(redact(refusal.message), 200)})`;
  return `GitHub answered ${refusal.status}${said} when asked to ${operation.task}: ${remedy(refusal, operation, redact)}.`;
}

function remedy(refusal: Refusal, operation: Operation, redact: (text: string) => string): string {
  switch (refusal.status) {
    case 401:
      return 'GITHUB_TOKEN is wrong, expired or revoked; set a valid one and restart';
    case 403:
      return explainForbidden(refusal, operation);
    case 404:
      return operation.notFound;
    case 410:
      return 'what it is about was deleted, or comments are switched off there';
    case 422:
      return explainInvalid(refusal, redact);
    default:
      return refusal.status >= 500 ? 'GitHub has trouble' : 'GitHub does not accept the request';
  }
}

function explainForbidden({ message }: Refusal, { permission }: Operation): string {
  if (/authenticate via a GitHub App/i.test(message)) return 'only a GitHub App may do that, and GITHUB_TOKEN is no App’s token';
  if (/\bSSO\b|SAML/i.test(message)) return 'the organization demands single sign-on; authorize GITHUB_TOKEN for it on GitHub';
  if (/\blocked\b/i.test(message)) return 'the conversation is locked; unlock it, or let the token belong to a collaborator';
  if (/archived/i.test(message)) return 'the repo is archived and cannot be written to';
  return `GITHUB_TOKEN lacks a permission; it needs ${permission} for this repo`;
}

function explainInvalid({ problems }: Refusal, redact: (text: string) => string): string {
  if (problems.length === 0) return 'GitHub does not accept what was sent';
  return `GitHub names ${problems.map((problem) => quoteValue(redact(problem), 160)).join(', ')}`;
}

/** GitHub's errors are texts, or objects with some of resource, field, code and message. */
function describeProblem(error: unknown): string {
  if (typeof error === 'string') return error;
  if (!isRecord(error)) return 'something without a name';
  if (typeof error.message === 'string') return error.message;
  return [error.resource, error.field, error.code].filter((part) => typeof part === 'string').join(' ');
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
