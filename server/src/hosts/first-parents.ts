import { FIRST_PARENT_LIMIT, type FirstParents } from '../ports/provider-facts.ts';

export interface ParentsWalk {
  /** In lower case. */
  readonly commit: string;
  readonly limit: number;
  /**
   * A history of many merges may need a page for a few steps: then the answer is `cut`, and who wants more goes on
   * where it ends.
   */
  readonly maxPages: number;
  /** What a commit descends from, itself first, each with its parents; undefined: the host does not know it. */
  readonly readPage: (
    from: string,
  ) => Promise<readonly (readonly [sha: string, parents: readonly string[]])[] | undefined>;
}

/**
 * The first parents of a commit at a host that only lists whatever a commit descends from. Follows the chain through a
 * page; where it leaves the page, the next page begins there.
 */
export async function walkFirstParents({ commit, limit, maxPages, readPage }: ParentsWalk): Promise<FirstParents> {
  const wanted = Math.min(limit, FIRST_PARENT_LIMIT);
  const graph = new Map<string, readonly string[]>();
  const commits: string[] = [];
  let last = commit;
  for (let page = 0; page < maxPages && commits.length < wanted; page += 1) {
    const listed = await readPage(last);
    if (listed === undefined) break;
    for (const [sha, parents] of listed) graph.set(sha, parents);
    for (let parents = graph.get(last); parents !== undefined && commits.length < wanted; parents = graph.get(last)) {
      const [first] = parents;
      if (first === undefined) return { commits, end: 'root' };
      commits.push(first);
      last = first;
    }
  }
  return { commits, end: commits.length < wanted ? 'cut' : 'limit' };
}
