import type { RecentMap } from '../../core/recent-map.ts';
import { findNameProblem } from '../../core/repo/repo-name.ts';
import { ProviderFailure } from '../../ports/provider.ts';
import { countOf, type Fields, fieldsOf, idOf, textOf } from '../answers.ts';
import { runWhereItIs } from '../moved-repo.ts';
import type { Ask, Asked, Calls } from '../rest/calls.ts';
import { type Operation, unexpectedAnswer } from '../rest/operations.ts';
import { askFor, definiteAnswer } from '../rest/questions.ts';
import { OPERATIONS } from './operations.ts';

/** What every part of the adapter sends its requests with. */
export interface DataCenter {
  readonly calls: Calls;
  /** Ids of repos by what they were called when they were last described, in lower case. */
  readonly ids: RecentMap<string>;
}

export const API = '/api/latest';

/** How many repos are searched for one with a known id, since no request can name a repo by its id. */
const MAX_REPOS = 10_000;

/** By its name, `<project>/<repo>`; an impossible name is a permanent failure before anything is sent. */
export function pathOf(repo: string): string {
  const problem = findNameProblem('stash', repo);
  if (problem !== undefined) throw new ProviderFailure('permanent', `A Bitbucket Data Center repo must be ${problem}.`);
  const [project = '', slug = ''] = repo.split('/');
  return `${API}/projects/${encodeURIComponent(project)}/repos/${encodeURIComponent(slug)}`;
}

/** One call about a repo, wherever it is now. */
export function inRepo<T>(
  { calls, ids }: DataCenter,
  repo: string,
  run: (ask: Ask, path: string) => Promise<T>,
): Promise<T> {
  return calls((ask) =>
    runWhereItIs(
      pathOf(repo),
      (path) => run(ask, path),
      async () => {
        const asked = { path: pathOf(repo), read: identityOf };
        const led = await definiteAnswer(askFor(ask, OPERATIONS.readRepo, asked));
        const known = ids.get(repo.toLowerCase());
        const found = led ?? (known === undefined ? undefined : await findById(ask, known));
        if (found === undefined || found.name.toLowerCase() === repo.toLowerCase()) return undefined;
        return pathOf(found.name);
      },
    ),
  );
}

export interface RepoIdentity {
  readonly id: string;
  readonly name: string;
}

export async function findById(ask: Ask, id: string): Promise<RepoIdentity | undefined> {
  const repos = await listAll(ask, OPERATIONS.listRepos, {
    path: `${API}/repos`,
    query: { limit: '1000' },
    max: MAX_REPOS,
  });
  return repos.map(identityOf).find((one) => one?.id === id);
}

/** Which repo it is; undefined when the answer is not Bitbucket's. */
export function identityOf(repo: Fields): RepoIdentity | undefined {
  const [id, slug, key] = [idOf(repo.id), textOf(repo.slug), textOf(fieldsOf(repo.project).key)];
  return id === undefined || slug === undefined || key === undefined
    ? undefined
    : { id: String(id), name: `${key}/${slug}` };
}

/** The entries of a list, page by page, until `most` were read or `until` finds what it looks for. */
export async function listAll(
  ask: Ask,
  operation: Operation,
  { max, until, ...asked }: Asked & { readonly max: number; readonly until?: (entry: Fields) => boolean },
): Promise<readonly Fields[]> {
  const found: Fields[] = [];
  let start: number | undefined = 0;
  while (start !== undefined && found.length < max) {
    const query: Asked['query'] = { limit: '100', ...asked.query, start: String(start) };
    const page: Fields = fieldsOf((await ask(operation, { ...asked, query })).json());
    if (!Array.isArray(page.values)) throw unexpectedAnswer(operation);
    const entries = page.values.map(fieldsOf);
    found.push(...entries);
    if (until !== undefined && entries.some(until)) break;
    start = page.isLastPage === false ? countOf(page.nextPageStart) : undefined;
  }
  return found.slice(0, max);
}
