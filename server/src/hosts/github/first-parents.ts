import type { Provider } from '../../ports/provider.ts';
import { type Fields, isCommitSha, textOf } from '../answers.ts';
import { followFirstParents, type ListedCommit } from '../first-parents.ts';
import { splitRepoName } from './addresses.ts';
import { unexpectedAnswer } from './call-failure.ts';
import type { CallsOf, GithubCall } from './calls.ts';
import { OPERATIONS } from './operations.ts';
import { definiteAnswer, definiteRequest, parentsOf, requestList } from './requests.ts';

const PER_PAGE = 100;

/** The first parents of a commit at GitHub, which lists a hundred of what a commit descends from. */
export function createFirstParents(callsOf: CallsOf): Pick<Provider, 'listFirstParents'> {
  return {
    listFirstParents: async (wanted) => {
      if (!isCommitSha(wanted.commit)) return undefined;
      return definiteAnswer(
        callsOf(wanted.repo)((call) =>
          followFirstParents(wanted, (from, isFirst) => listHistory(call, { repo: wanted.repo, from, isFirst })),
        ),
      );
    },
  };
}

/** A page of what a commit descends from, itself included. */
async function listHistory(
  call: GithubCall,
  { repo, from, isFirst }: { readonly repo: string; readonly from: string; readonly isFirst: boolean },
): Promise<readonly ListedCommit[] | undefined> {
  const place = { ...splitRepoName(repo), sha: from, per_page: PER_PAGE };
  const asked = requestList(call, OPERATIONS.listCommits, (rest, options) =>
    rest.repos.listCommits({ ...place, request: options }),
  );
  const page = isFirst ? await asked : await definiteRequest(asked);
  const commits = page?.entries.map(toListed);
  // Else it would be asked for again and again.
  if (commits?.every(({ sha }) => sha !== from)) throw unexpectedAnswer(OPERATIONS.listCommits);
  return commits;
}

function toListed(commit: Fields): ListedCommit {
  const [sha, parents] = [textOf(commit.sha), parentsOf(commit)];
  if (sha === undefined || parents === undefined) throw unexpectedAnswer(OPERATIONS.listCommits);
  return { sha, parents };
}
