import { ProviderFailure } from '../../ports/provider.ts';
import { type Fields, fieldsOf, textOf } from '../answers.ts';
import { unexpectedAnswer } from './call-failure.ts';
import type { GithubCall, GithubCalls, RequestOptions } from './calls.ts';
import type { GithubClient } from './octokit-client.ts';
import type { Operation } from './operations.ts';

type Send<Answer> = (rest: GithubClient['rest'], request: RequestOptions, client: GithubClient) => Promise<Answer>;

interface Answer {
  readonly data: unknown;
  readonly headers: { readonly link?: string | undefined };
}

interface Steps<T> {
  readonly send: Send<Pick<Answer, 'data'>>;
  readonly read: (answer: Fields) => T | undefined;
}

/** One request. An answer in which `read` finds nothing is not GitHub's. */
export async function request<T>(
  { client, ask }: GithubCall,
  operation: Operation,
  { send, read }: Steps<T>,
): Promise<T> {
  const { data } = await send(client.rest, ask(operation), client);
  const value = read(fieldsOf(data));
  if (value === undefined) throw unexpectedAnswer(operation);
  return value;
}

/** A call of one request. */
export function askOnce<T>(calls: GithubCalls, operation: Operation, steps: Steps<T>): Promise<T> {
  return calls((call) => request(call, operation, steps));
}

/** The same of a question that GitHub may answer with "there is none". */
export function askDefinitely<T>(calls: GithubCalls, operation: Operation, steps: Steps<T>): Promise<T | undefined> {
  return definiteAnswer(askOnce(calls, operation, steps));
}

/** One page of a list. An answer cut short must not read as an empty one. */
export async function requestList(
  { client, ask }: GithubCall,
  operation: Operation,
  send: Send<Answer>,
): Promise<{ readonly entries: readonly Fields[]; readonly link: string }> {
  const { data, headers } = await send(client.rest, ask(operation), client);
  if (!Array.isArray(data)) throw unexpectedAnswer(operation);
  return { entries: data.map(fieldsOf), link: headers.link ?? '' };
}

/**
 * Answers of GitHub to a question that mean "there is none" (409: the repo has no commit yet); others may change with
 * the token or the hour.
 */
const NONE: ReadonlySet<number | undefined> = new Set([404, 409, 410, 422]);

/**
 * The answer to a question, undefined if GitHub definitely has none (rules.md, after rule 21). Other failures are
 * thrown.
 */
export async function definiteAnswer<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ProviderFailure && error.kind === 'permanent' && !error.accessDenied && NONE.has(error.status))
      return undefined;
    throw error;
  }
}

/** The same for one request of several within a call, which fails with Octokit's own error. */
export async function definiteRequest<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Error && 'status' in error && NONE.has(Number(error.status))) return undefined;
    throw error;
  }
}

/** An update of what may be deleted by now. */
export async function updatedOrGone(update: Promise<unknown>): Promise<'updated' | 'gone'> {
  try {
    await update;
    return 'updated';
  } catch (error) {
    if (error instanceof ProviderFailure && (error.status === 404 || error.status === 410)) return 'gone';
    throw error;
  }
}

/** The parents of a commit; undefined if the answer does not tell all of them. */
export function parentsOf({ parents }: Fields): readonly string[] | undefined {
  if (!Array.isArray(parents)) return undefined;
  const shas = parents.map((parent) => textOf(fieldsOf(parent).sha));
  const known = shas.filter((sha) => sha !== undefined);
  return known.length === shas.length ? known : undefined;
}
