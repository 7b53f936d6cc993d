import type { Provider } from '../../ports/provider.ts';
import { textOf } from '../answers.ts';
import { walkFirstParents } from '../first-parents.ts';
import { isCommitSha } from '../git-names.ts';
import { splitRepoName } from './addresses.ts';
import type { GithubCall } from './bounded-calls.ts';
import { unexpectedAnswer } from './call-failure.ts';
import { OPERATIONS } from './operations.ts';
import { type CallsOf, definiteAnswer, definiteRequest, type Fields, parentsOf, requestList } from './requests.ts';

const PER_PAGE = 100;
const MAX_PAGES = 2;

/**
 * The first parents of a commit at GitHub, which lists ancestors newest first, a hundred at a time: one request for a
 * straight history, at most two for any.
 */
export function createFirstParents(callsOf: CallsOf): Pick<Provider, 'listFirstParents'> {
  return {
    listFirstParents: async ({ repo, commit: asked, limit }) => {
      if (!isCommitSha(asked)) return undefined;
      const commit = asked.toLowerCase();
      return definiteAnswer(
        callsOf(repo)((call) => {
          const readPage = (from: string) => {
            const page = ancestorsOf(call, repo, from);
            return from === commit ? page : definiteRequest(page);
          };
          return walkFirstParents({ commit, limit, maxPages: MAX_PAGES, readPage });
        }),
      );
    },
  };
}

/** A page of what a commit descends from, itself included. */
async function ancestorsOf(call: GithubCall, repo: string, from: string) {
  const place = { ...splitRepoName(repo), sha: from, per_page: PER_PAGE };
  const { entries } = await requestList(call, OPERATIONS.listCommits, (rest, options) =>
    rest.repos.listCommits({ ...place, request: options }),
  );
  const listed = entries.map(toNode);
  // Else it would be asked for again and again.
  if (!listed.some(([sha]) => sha === from)) throw unexpectedAnswer(OPERATIONS.listCommits);
  return listed;
}

function toNode(commit: Fields): readonly [sha: string, parents: readonly string[]] {
  const [sha, parents] = [textOf(commit.sha), parentsOf(commit)];
  if (sha === undefined || parents === undefined) throw unexpectedAnswer(OPERATIONS.listCommits);
  return [sha, parents];
}
