import { quoteValue } from '../../domain/failure.ts';
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

/** What was asked when GitHub refused, and by whom. */
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
  return `GitHub answered ${refusal.status}${said} when asked to ${operation.task}: ${remedy(refusal, call)}.`;
}

function remedy(refusal: Refusal, { operation, signIn, redact }: RefusedCall): string {
  if (isUnauthorized(refusal)) return signIn.unauthorized.remedy;
  switch (refusal.status) {
    case 403:
      return explainForbidden(refusal, operation, signIn);
    case 404:
      return operation.notFound(signIn.name);
    case 410:
      return 'what it is about was deleted, or comments are switched off there';
    case 422:
      return explainInvalid(refusal, redact);
    default:
      return refusal.status >= 500 ? 'GitHub has trouble' : 'GitHub does not accept the request';
  }
}

/** What to do where the App's installation is suspended. */
export const SUSPENDED =
  "the installation of the GitHub App is suspended; unsuspend it in the owner's settings at GitHub";

function explainForbidden(refusal: Refusal, { permission }: Operation, { name, needs }: SignIn): string {
  const { message } = refusal;
  if (/authenticate via a GitHub App/i.test(message))
    return `only a GitHub App may do that, and ${name} is no App’s token`;
  if (isSuspended(refusal)) return SUSPENDED;
  if (/\bSSO\b|SAML/i.test(message))
    return `the organization demands single sign-on; authorize ${name} for it on GitHub`;
  if (/\blocked\b/i.test(message))
    return 'the conversation is locked; unlock it, or let the token belong to a collaborator';
  if (/archived/i.test(message)) return 'the repo is archived and cannot be written to';
  return `${name} lacks a permission; ${needs(permission)}`;
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
