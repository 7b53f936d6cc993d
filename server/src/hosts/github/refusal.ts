import { quoteValue } from '../../core/failure.ts';
import * as say from './messages.ts';
import type { Operation } from './operations.ts';
import { isUnknownApp, type SignIn } from './sign-in.ts';

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
export function readRefusal(answer: {
  readonly status: number;
  readonly headers?: unknown;
  readonly data?: unknown;
}): Refusal {
  const body = isRecord(answer.data) ? answer.data : {};
  const errors: unknown[] = Array.isArray(body.errors) ? body.errors : [];
  return {
    status: answer.status,
    headers: isRecord(answer.headers) ? answer.headers : {},
    message: typeof body.message === 'string' ? body.message : '',
    problems: errors.slice(0, MAX_PROBLEMS).map(describeProblem),
  };
}

/** What was asked when GitHub refused, and who asked. */
export interface RefusedCall {
  readonly operation: Operation;
  readonly signIn: SignIn;
  /** Takes tokens out of a text. */
  readonly redact: (text: string) => string;
}

/** Whether GitHub does not take the sign-in itself. */
export function isUnauthorized({ status, message }: Refusal): boolean {
  return status === 401 || (status === 404 && isUnknownApp(message));
}

/** Whether nothing of the repo is open to us: the sign-in is refused, suspended, or does not cover this repo. */
export function isAccessDenied(refusal: Refusal, operation: Operation): boolean {
  return isUnauthorized(refusal) || operation.signsIn === true || isSuspended(refusal);
}

function isSuspended({ message }: Refusal): boolean {
  const [, ...rest] = message.toLowerCase().split('installation');
  return rest.some((text) => text.includes('suspended'));
}

/**
 * What GitHub answered and what to do about it, as one line. `redact` is applied to every text of GitHub's; these are
 * bounded and made printable (rule 26).
 */
export function explainRefusal(refusal: Refusal, call: RefusedCall): string {
  const { operation, redact } = call;
  const said = refusal.message === '' ? '' : ` (${quoteValue(redact(refusal.message), 200)})`;
  return say.refused({ status: refusal.status, said, operation: operation.task, meaning: remedy(refusal, call) });
}

function remedy(refusal: Refusal, { operation, signIn, redact }: RefusedCall): string {
  if (isUnauthorized(refusal)) return signIn.unauthorized.remedy;
  switch (refusal.status) {
    case 403:
      return explainForbidden(refusal, operation, signIn);
    case 404:
      return operation.notFound(signIn.name);
    case 410:
      return say.GONE;
    case 422:
      return explainInvalid(refusal, redact);
    default:
      return refusal.status >= 500 ? say.GITHUB_IN_TROUBLE : say.NOT_ACCEPTED;
  }
}

/** What to do where the App's installation is suspended. */
export const SUSPENDED = say.SUSPENDED;

function explainForbidden(refusal: Refusal, { permission }: Operation, { name, needs }: SignIn): string {
  const { message } = refusal;
  if (/authenticate via a GitHub App/i.test(message)) return say.onlyApps(name);
  if (isSuspended(refusal)) return SUSPENDED;
  if (/\bSSO\b|SAML/i.test(message)) return say.singleSignOn(name);
  if (/\blocked\b/i.test(message)) return say.LOCKED;
  if (/archived/i.test(message)) return say.ARCHIVED;
  return `${name} lacks a permission; ${needs(permission)}`;
}

function explainInvalid({ problems }: Refusal, redact: (text: string) => string): string {
  if (problems.length === 0) return say.CONTENT_NOT_ACCEPTED;
  return say.githubNames(problems.map((problem) => quoteValue(redact(problem), 160)).join(', '));
}

/** GitHub's errors are texts, or objects with some of resource, field, code and message. */
function describeProblem(error: unknown): string {
  if (typeof error === 'string') return error;
  if (!isRecord(error)) return say.SOMETHING;
  if (typeof error.message === 'string') return error.message;
  return [error.resource, error.field, error.code].filter((part) => typeof part === 'string').join(' ');
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
