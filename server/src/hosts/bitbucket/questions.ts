import type { RecentMap } from '../../core/recent-map.ts';
import { findNameProblem } from '../../core/repo/repo-name.ts';
import { ProviderFailure } from '../../ports/provider.ts';
import { type Fields, fieldsOf, textOf } from '../answers.ts';
import { runWhereItIs } from '../moved-repo.ts';
import type { Asked, Calls, Ask as PlainAsk } from '../rest/calls.ts';
import { unexpectedAnswer } from '../rest/operations.ts';
import { askFor, definiteAnswer } from '../rest/questions.ts';
import type { Budget } from './budget.ts';
import { type CountedOperation, OPERATIONS } from './operations.ts';

export type Ask = PlainAsk<CountedOperation>;

/** What every part of the adapter asks by. */
export interface Bitbucket {
  readonly calls: Calls;
  readonly budget: Budget;
  /** Ids of repos by what they were called when they were last described, in lower case. */
  readonly ids: RecentMap<string>;
  /** Whole commits by the repo and the beginning that Bitbucket shows: a commit never changes. */
  readonly commits: RecentMap<string>;
  /** Merge bases of commits, by the repo and both. */
  readonly bases: RecentMap<string>;
}

/** Bitbucket's id of a repo, a person or a pipeline. */
const UUID = /^\{[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

export function uuidOf(value: unknown): string | undefined {
  const text = textOf(value);
  return text !== undefined && isUuid(text) ? text : undefined;
}

/** By its name; what no repo can be called is a permanent failure before anything is sent. */
export function pathByName(repo: string): string {
  const problem = findNameProblem('bitbucket', repo);
  if (problem !== undefined) throw new ProviderFailure('permanent', `A Bitbucket repo must be ${problem}.`);
  return `/repositories/${repo}`;
}

/** By its id alone, whatever it and its workspace are called. */
export function pathById(id: string): string {
  return `/repositories/%7B%7D/${encodeURIComponent(id)}`;
}

/** Requests that count: against the hour, and against the part of a repo. */
export function countedAsk({ budget }: Bitbucket, ask: PlainAsk, repo?: string): Ask {
  return async (operation, asked) => {
    budget.take(repo?.toLowerCase(), operation);
    const answer = await ask(operation, asked);
    // Source texts have a limit of their own.
    if (operation !== OPERATIONS.readFile) budget.note(answer.headers);
    return answer;
  };
}

/** One call about a repo, wherever it is now. */
export function inRepo<T>(bitbucket: Bitbucket, repo: string, run: (ask: Ask, path: string) => Promise<T>): Promise<T> {
  return bitbucket.calls(async (plain) => {
    const ask = countedAsk(bitbucket, plain, repo);
    return runWhereItIs(
      pathByName(repo),
      (path) => run(ask, path),
      () => placeOf(bitbucket, ask, repo),
    );
  });
}

/** Where a repo is that its name does not lead to; undefined: it is where it was, or nobody knows. */
async function placeOf({ ids }: Bitbucket, ask: Ask, repo: string): Promise<string | undefined> {
  const known = ids.get(repo.toLowerCase());
  const path = known === undefined ? pathByName(repo) : pathById(known);
  const asked = { path, query: { fields: 'uuid,full_name' }, read: identityOf };
  const found = await definiteAnswer(askFor(ask, OPERATIONS.readRepo, asked));
  if (found === undefined || found.name.toLowerCase() === repo.toLowerCase()) return undefined;
  ids.set(repo.toLowerCase(), found.id);
  return pathById(found.id);
}

/** Which repo it is; undefined when the answer is not Bitbucket's. */
export function identityOf(repo: Fields): { readonly id: string; readonly name: string } | undefined {
  const [id, name] = [uuidOf(repo.uuid), textOf(repo.full_name)];
  return id === undefined || name === undefined ? undefined : { id, name };
}

/**
 * The entries of a list, page by page, until `most` were read. Where the next page is, the answer says; it is asked for
 * at the address that is set.
 */
export async function listAll(
  ask: Ask,
  operation: CountedOperation,
  { max, ...asked }: Asked & { readonly max: number },
): Promise<readonly Fields[]> {
  const found: Fields[] = [];
  let next: Asked | undefined = asked;
  while (next !== undefined && found.length < max) {
    const page: Fields = fieldsOf((await ask(operation, next)).json());
    if (!Array.isArray(page.values)) throw unexpectedAnswer(operation);
    found.push(...page.values.map(fieldsOf));
    next = nextOf(page, asked.path);
  }
  return found.slice(0, max);
}

function nextOf({ next }: Fields, path: string): Asked | undefined {
  const address = textOf(next);
  const query = address === undefined ? undefined : URL.parse(address)?.searchParams;
  return query && { path, query: Object.fromEntries([...query.keys()].map((name) => [name, query.getAll(name)])) };
}
