import { findNameProblem } from '../../core/repo/repo-name.ts';
import { ProviderFailure } from '../../ports/provider.ts';
import { countOf, type Fields, fieldsOf } from '../answers.ts';
import type { Ask, Asked, Calls } from '../rest/calls.ts';
import { type Operation, unexpectedAnswer } from '../rest/operations.ts';
import type { Flavor } from './flavor.ts';
import type { Operations } from './operations.ts';

/** What every part of the adapter asks by. */
export interface Gitea {
  readonly flavor: Flavor;
  readonly operations: Operations;
  readonly calls: Calls;
}

/** It gives no more at once, however many are asked for. */
export const PAGE_SIZE = 50;
/** What is left out makes an answer quicker: git is asked for each commit. */
export const BARE = { stat: 'false', verification: 'false', files: 'false' };

/** One call about a repo; what no repo can be called is a permanent failure before anything is sent. */
export async function inRepo<T>(
  { calls, flavor }: Pick<Gitea, 'calls' | 'flavor'>,
  repo: string,
  run: (ask: Ask, path: string) => Promise<T>,
): Promise<T> {
  const problem = findNameProblem(flavor.service, repo);
  if (problem !== undefined) throw new ProviderFailure('permanent', `A repo of ${flavor.name} must be ${problem}.`);
  return calls((ask) => run(ask, `/repos/${repo}`));
}

export interface Page {
  readonly entries: readonly Fields[];
  /** How many there are on all pages. */
  readonly total: number;
  readonly isLast: boolean;
}

/** One page of a list, `field` of the answer if it has one; an answer cut short must not read as an empty list. */
export async function askForPage(
  ask: Ask,
  operation: Operation,
  { page = 1, field, ...asked }: Asked & { readonly page?: number; readonly field?: string },
): Promise<Page> {
  const query = { limit: String(PAGE_SIZE), ...asked.query, page: String(page) };
  const answer = await ask(operation, { ...asked, query });
  const body = answer.json();
  // An empty list may be `null`.
  const list = (field === undefined ? body : fieldsOf(body)[field]) ?? [];
  if (!Array.isArray(list)) throw unexpectedAnswer(operation);
  const total = countOf(Number(answer.headers.get('x-total-count') ?? Number.NaN)) ?? list.length;
  const isLast = !/;\s*rel="next"/.test(answer.headers.get('link') ?? '');
  return { entries: list.map(fieldsOf), total, isLast };
}

/** All pages of a list, up to a limit. */
export async function askForPages(
  ask: Ask,
  operation: Operation,
  { maxPages, ...asked }: Asked & { readonly field?: string; readonly maxPages: number },
): Promise<Page> {
  const first = await askForPage(ask, operation, asked);
  const entries = [...first.entries];
  let isLast = first.isLast;
  for (let page = 2; !isLast && page <= maxPages; page += 1) {
    const next = await askForPage(ask, operation, { ...asked, page });
    entries.push(...next.entries);
    isLast = next.isLast || next.entries.length === 0;
  }
  return { entries, total: first.total, isLast };
}

/**
 * An answer of 500 may mean that what was asked about is not there: `look` asks for that itself, and its refusal is the
 * failure then.
 */
export async function orMissing<T>(answer: Promise<T>, look: () => Promise<unknown>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ProviderFailure && error.status === 500)
      await look().catch((missing: unknown) => {
        if (missing instanceof ProviderFailure && missing.kind === 'permanent') throw missing;
      });
    throw error;
  }
}

/** `path`: of the repo. */
export function branchPath(path: string, branch: string): string {
  return `${path}/branches/${branch.split('/').map(encodeURIComponent).join('/')}`;
}
