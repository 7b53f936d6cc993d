import type { Provider } from '../../ports/provider.ts';
import { FIRST_PARENT_LIMIT, type FirstParents } from '../../ports/provider-facts.ts';
import { textOf } from '../answers.ts';
import { isCommitSha } from '../git-names.ts';
import { splitRepoName } from './addresses.ts';
import type { GithubCall } from './bounded-calls.ts';
import { unexpectedAnswer } from './call-failure.ts';
import { OPERATIONS } from './operations.ts';
import { type CallsOf, definiteAnswer, definiteRequest, type Fields, parentsOf, requestList } from './requests.ts';

type ParentsCall = Parameters<Provider['listFirstParents']>[0];
/** The parents of each commit that is known; none for a root. */
type Graph = Map<string, readonly string[]>;

const PER_PAGE = 100;
/**
 * A history of many merges may need a page for a few steps: then the answer is `cut`, and who wants more goes on where
 * it ends.
 */
const MAX_PAGES = 2;

/**
 * The first parents of a commit at GitHub, which only lists whatever a commit descends from, newest first, a hundred at
 * a time: one request for a straight history, at most two for any.
 */
export function createFirstParents(callsOf: CallsOf): Pick<Provider, 'listFirstParents'> {
  return {
    listFirstParents: async (wanted) => {
      if (!isCommitSha(wanted.commit)) return undefined;
      return definiteAnswer(
        callsOf(wanted.repo)((call) => listFirstParents(call, { ...wanted, commit: wanted.commit.toLowerCase() })),
      );
    },
  };
}

/** Follows the chain through a page; where it leaves the page, the next page begins there. */
async function listFirstParents(call: GithubCall, { repo, commit, limit }: ParentsCall): Promise<FirstParents> {
  const wanted = Math.min(limit, FIRST_PARENT_LIMIT);
  const graph: Graph = new Map();
  const commits: string[] = [];
  let last = commit;
  for (let page = 0; page < MAX_PAGES && commits.length < wanted; page += 1) {
    if (!(await learn(call, graph, { repo, from: last, isFirst: page === 0 }))) break;
    for (let parents = graph.get(last); parents !== undefined && commits.length < wanted; parents = graph.get(last)) {
      const [first] = parents;
      if (first === undefined) return { commits, end: 'root' };
      commits.push(first);
      last = first;
    }
  }
  return { commits, end: commits.length < wanted ? 'cut' : 'limit' };
}

/** Adds a page of what a commit descends from, itself included; false where GitHub does not know the commit. */
async function learn(
  call: GithubCall,
  graph: Graph,
  { repo, from, isFirst }: { readonly repo: string; readonly from: string; readonly isFirst: boolean },
): Promise<boolean> {
  const place = { ...splitRepoName(repo), sha: from, per_page: PER_PAGE };
  const asked = requestList(call, OPERATIONS.listCommits, (rest, options) =>
    rest.repos.listCommits({ ...place, request: options }),
  );
  const page = isFirst ? await asked : await definiteRequest(asked);
  if (page === undefined) return false;
  for (const one of page.entries) addTo(graph, one);
  // Else it would be asked for again and again.
  if (!graph.has(from)) throw unexpectedAnswer(OPERATIONS.listCommits);
  return true;
}

function addTo(graph: Graph, commit: Fields): void {
  const [sha, parents] = [textOf(commit.sha), parentsOf(commit)];
  if (sha === undefined || parents === undefined) throw unexpectedAnswer(OPERATIONS.listCommits);
  graph.set(sha, parents);
}
