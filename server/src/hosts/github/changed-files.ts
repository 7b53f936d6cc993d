import type { Provider } from '../../ports/provider.ts';
import type { ChangedFiles } from '../../ports/provider-facts.ts';
import { type Fields, isCommitSha, textOf } from '../answers.ts';
import { splitRepoName } from './addresses.ts';
import { unexpectedAnswer } from './call-failure.ts';
import type { CallsOf, GithubCall } from './calls.ts';
import { askComparison, COMPARED_FILES, isRange, mergeBaseOf, toChangedFiles } from './comparison.ts';
import { lastPage } from './following-page.ts';
import { OPERATIONS } from './operations.ts';
import { definiteAnswer, definiteRequest, requestList } from './requests.ts';

type FilesCall = Parameters<Provider['compareFiles']>[0];
type Place = { readonly repo: string; readonly pullRequest: number };

/** GitHub lists no more of a pull request. */
const PULL_REQUEST_FILES = 3_000;
const PER_PAGE = 100;
/** Pages that are asked for together, so that thirty of them fit into a call's time. */
const PAGES_AT_ONCE = 5;

/**
 * The files that a range changes at GitHub: one request. Beyond 300 files, where the range is a pull request's, one
 * more for each hundred.
 */
export function createChangedFiles(callsOf: CallsOf): Pick<Provider, 'compareFiles'> {
  return {
    compareFiles: async (range) => {
      if (!isRange(range)) return undefined;
      return definiteAnswer(callsOf(range.repo)((call) => compareFiles(call, range)));
    },
  };
}

async function compareFiles(call: GithubCall, range: FilesCall): Promise<ChangedFiles> {
  const comparison = await askComparison(call, range);
  const { files } = comparison;
  if (!Array.isArray(files)) throw unexpectedAnswer(OPERATIONS.compare);
  const mergeBase = mergeBaseOf(comparison);
  const complete = files.length < COMPARED_FILES;
  const { repo, pullRequest, head } = range;
  const listed =
    complete || pullRequest === undefined ? undefined : await definiteRequest(listAll(call, { repo, pullRequest }));
  if (listed === undefined || listed.length < files.length || !areOfHead(listed, head)) {
    return { files: toChangedFiles(files), complete, mergeBase };
  }
  return { files: toChangedFiles(listed), complete: listed.length < PULL_REQUEST_FILES, mergeBase };
}

/** All files of a pull request, as far as GitHub lists them. */
async function listAll(call: GithubCall, place: Place): Promise<readonly Fields[]> {
  const first = await listPage(call, place, 1);
  const last = Math.min(lastPage(first.link) ?? 1, PULL_REQUEST_FILES / PER_PAGE);
  const files = [...first.entries];
  for (let page = 2; page <= last; page += PAGES_AT_ONCE) {
    const numbers = Array.from({ length: Math.min(PAGES_AT_ONCE, last - page + 1) }, (_, i) => page + i);
    const pages = await Promise.all(numbers.map((number) => listPage(call, place, number)));
    files.push(...pages.flatMap((one) => one.entries));
  }
  return files;
}

function listPage(call: GithubCall, { repo, pullRequest }: Place, page: number) {
  const asked = { ...splitRepoName(repo), pull_number: pullRequest, per_page: PER_PAGE, page };
  return requestList(call, OPERATIONS.listPullRequestFiles, (rest, options) =>
    rest.pulls.listFiles({ ...asked, request: options }),
  );
}

/**
 * A pull request that got another head in the meantime lists other files; each file's address names the head that it is
 * from.
 */
function areOfHead(files: readonly Fields[], head: string): boolean {
  if (!isCommitSha(head)) return true;
  return files.every((file) => textOf(file.contents_url)?.endsWith(`ref=${head.toLowerCase()}`) === true);
}
