import { quoteValue } from '../../core/failure.ts';
import type { Timestamp } from '../../core/time.ts';
import { findNotSent } from '../../platform/outgoing.ts';
import { ProviderFailure, type ProviderFailureKind } from '../../ports/provider.ts';
import { causesOf, codeOf, failedBeforeSending, isObject, messageOf } from '../connection-errors.ts';
import * as say from './messages.ts';
import type { Operation } from './operations.ts';
import { readRateLimit } from './rate-limit.ts';
import {
  explainRefusal,
  isAccessDenied,
  isUnauthorized,
  type Refusal,
  type RefusedCall,
  readRefusal,
} from './refusal.ts';

/** What is known about a call that failed. */
export interface FailedCall extends RefusedCall {
  /** A request may have left this process. */
  readonly sent: boolean;
  /** The call's time limit passed, in ms; undefined: it failed before. */
  readonly timedOutAfter: number | undefined;
  readonly now: Timestamp;
}

/** Turns whatever a call threw into the port's one error. Nothing that it says holds the token. */
export function toProviderFailure(error: unknown, call: FailedCall): ProviderFailure {
  if (error instanceof ProviderFailure) return error;
  if (call.timedOutAfter !== undefined) {
    const waited = say.tooSlow(Number((call.timedOutAfter / 1_000).toFixed(2)), call.operation.task);
    return new ProviderFailure(kindOfLoss(call), waited);
  }
  const answer = answerOf(error);
  return answer === undefined ? toConnectionFailure(error, call) : toRefusedFailure(answer, call);
}

/** An answer that is not what GitHub's API describes: cut short, or from something else than GitHub. */
export function unexpectedAnswer(operation: Operation): ProviderFailure {
  const { task } = operation;
  const sentence = say.notGithub(task);
  return new ProviderFailure(operation.writes ? 'uncertain' : 'transient', sentence);
}

function toRefusedFailure(answer: Parameters<typeof readRefusal>[0], call: FailedCall): ProviderFailure {
  const refusal = readRefusal(answer);
  // Not as the 404 that it may be: an unknown App says nothing about what was asked for.
  const status = isUnauthorized(refusal) ? 401 : refusal.status;
  const retryAt = readRateLimit(refusal, call.now);
  if (retryAt !== undefined)
    return new ProviderFailure('limited', limitSentence(status, call.operation), { status, retryAt });
  const kind = kindOfRefusal(refusal, call);
  // A refusal that ends by itself is no loss of access.
  const accessDenied = kind === 'permanent' && isAccessDenied(refusal, call.operation);
  return new ProviderFailure(kind, explainRefusal(refusal, call), { status, accessDenied });
}

function limitSentence(status: number, { task }: Operation): string {
  return say.askedToWait(status, task);
}

function kindOfRefusal(refusal: Refusal, { operation, signIn }: FailedCall): ProviderFailureKind {
  return isUnauthorized(refusal) ? signIn.unauthorized.kind : kindOfStatus(refusal.status, operation);
}

/**
 * 500 and 503 come from GitHub itself, which then did nothing; other 5xx (and 408) from something between us and it.
 */
function kindOfStatus(status: number, operation: Operation): ProviderFailureKind {
  if (status < 500 && status !== 408) return 'permanent';
  return status === 500 || status === 503 || !operation.writes ? 'transient' : 'uncertain';
}

/** A lost answer to a question is no loss. */
function kindOfLoss({ operation, sent }: FailedCall): ProviderFailureKind {
  return operation.writes && sent ? 'uncertain' : 'transient';
}

function toConnectionFailure(error: unknown, call: FailedCall): ProviderFailure {
  const causes = causesOf(error);
  const reason = causes.map(codeOf).find((code) => code !== undefined);
  const notSent = findNotSent(error);
  const said = notSent?.message ?? reason ?? quoteValue(call.redact(messageOf(causes.at(-1))), 120);
  const sentence = say.connectionFailed(said, call.operation.task);
  const kind = notSent !== undefined || causes.some(failedBeforeSending) ? 'transient' : kindOfLoss(call);
  // A cause is logged: one that holds the token (an invalid header value) is left out.
  const cause = causes.at(-1);
  const safe = call.redact(messageOf(cause)) === messageOf(cause);
  return new ProviderFailure(kind, sentence, safe ? { cause } : {});
}

/** The answer that Octokit's RequestError carries, when there was one. */
function answerOf(
  error: unknown,
): { readonly status: number; readonly headers?: unknown; readonly data?: unknown } | undefined {
  const response = isObject(error) ? error.response : undefined;
  if (!isObject(response) || typeof response.status !== 'number') return undefined;
  return { status: response.status, headers: response.headers, data: response.data };
}
