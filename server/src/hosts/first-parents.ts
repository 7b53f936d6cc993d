import { FIRST_PARENT_LIMIT, type FirstParents } from '../ports/provider-facts.ts';

/**
 * A history of many merges may need a page for a few steps: then the answer is `cut`, and who wants more continues
 * where it ends.
 */
const USUAL_PAGES = 2;

export interface ListedCommit {
  readonly sha: string;
  readonly parents: readonly string[];
}

/**
 * The first parents of a commit at a host that only lists whatever a commit descends from, itself first, the newest
 * first: one page for a straight history, at most two (or `maxPages`) for any. Follows the chain through a page; where
 * it leaves the page, the next one begins there.
 */
export async function followFirstParents(
  {
    commit,
    limit,
    maxPages = USUAL_PAGES,
  }: { readonly commit: string; readonly limit: number; readonly maxPages?: number },
  list: (from: string, isFirst: boolean) => Promise<readonly ListedCommit[] | undefined>,
): Promise<FirstParents> {
  const wanted = Math.min(limit, FIRST_PARENT_LIMIT);
  const graph = new Map<string, readonly string[]>();
  const commits: string[] = [];
  let last = commit.toLowerCase();
  for (let page = 0; page < maxPages && commits.length < wanted; page += 1) {
    const listed = await list(last, page === 0);
    if (listed === undefined) break;
    for (const { sha, parents } of listed) graph.set(sha, parents);
    for (let parents = graph.get(last); parents !== undefined && commits.length < wanted; parents = graph.get(last)) {
      const [first] = parents;
      if (first === undefined) return { commits, end: 'root' };
      commits.push(first);
      last = first;
    }
  }
  return { commits, end: commits.length < wanted ? 'cut' : 'limit' };
}
