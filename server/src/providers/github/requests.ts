import { ProviderFailure } from '../../ports/provider.ts';
import { fieldsOf, textOf } from './answers.ts';
import type { GithubCall, GithubCalls, RequestOptions } from './bounded-calls.ts';
import { unexpectedAnswer } from './call-failure.ts';
import { definiteAnswer } from './definite-answer.ts';
import type { GithubClient } from './octokit-client.ts';
import type { Operation } from './operations.ts';

/** The calls that are made about a repo. */
export type CallsOf = (repo: string) => GithubCalls;

/** Fields of an object of an answer. */
export type Fields = Readonly<Record<string, unknown>>;

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

/** An update of what somebody may have deleted. */
export async function updatedOrGone(update: Promise<unknown>): Promise<'updated' | 'gone'> {
  try {
    await update;
    return 'updated';
  } catch (error) {
    if (error instanceof ProviderFailure && (error.status === 404 || error.status === 410)) return 'gone';
    throw error;
  }
}

/** The parents of a commit; undefined where the answer does not tell all of them. */
export function parentsOf({ parents }: Fields): readonly string[] | undefined {
  if (!Array.isArray(parents)) return undefined;
  const shas = parents.map((parent) => textOf(fieldsOf(parent).sha));
  const known = shas.filter((sha) => sha !== undefined);
  return known.length === shas.length ? known : undefined;
}
