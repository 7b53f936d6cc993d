import { type Answer, failure } from './answer.ts';
import type { Caller, RepoRecord, World } from './model.ts';
import { covers } from './operation.ts';

/** A path below `/repos/{owner}/{repo}`, or any other that is taken as it is. */
export interface Place {
  readonly path: string;
}

/**
 * Where a request leads: GitHub serves every repo under `/repositories/{id}` as well (its description leaves that out,
 * but its redirects lead there), and sends callers on who use a name that a repo had before: 301 for reads, 307 for
 * writes (developer.github.com/changes, 2015-04-17).
 */
export function placeOf(
  world: World,
  caller: Caller,
  request: { readonly method: string; readonly path: string; readonly query: URLSearchParams },
): Place | Answer {
  const [, id, rest = ''] = /^\/repositories\/(\d+)(\/.*)?$/.exec(request.path) ?? [];
  if (id !== undefined) {
    const repo = repoById(world, Number(id));
    return repo ? { path: `/repos/${repo.owner}/${repo.name}${rest}` } : failure(404, 'Not Found');
  }
  const [, owner, name, below = ''] = /^\/repos\/([^/]+)\/([^/]+)(\/.*)?$/.exec(request.path) ?? [];
  const fullName = `${owner}/${name}`.toLowerCase();
  const movedTo = world.repos.has(fullName) ? undefined : repoById(world, world.moved.get(fullName));
  if (!movedTo || (movedTo.private && !covers(caller, movedTo))) return { path: request.path };
  const query = request.query.size > 0 ? `?${request.query}` : '';
  const url = `${world.apiUrl}/repositories/${movedTo.id}${below}${query}`;
  const isRead = request.method === 'GET';
  const message = isRead ? 'Moved Permanently' : 'Temporary Redirect';
  const body = {
    message,
    url,
    documentation_url: 'https://docs.github.com/rest/guides/best-practices#follow-redirects',
  };
  return { status: isRead ? 301 : 307, body, headers: { location: url } };
}

function repoById(world: World, id: number | undefined): RepoRecord | undefined {
  return [...world.repos.values()].find((repo) => repo.id === id);
}
