import type { Provider } from '../../ports/provider.ts';
import { FIRST_PARENT_LIMIT, type FirstParents } from '../../ports/provider-facts.ts';
import { isCommitSha, isRangeEnd, textOf } from '../answers.ts';
import type { Ask } from '../rest/calls.ts';
import { unexpectedAnswer } from '../rest/operations.ts';
import { askFor, definiteAnswer } from '../rest/questions.ts';
import { OPERATIONS } from './operations.ts';
import { askForPage, type Gitlab, inProject } from './questions.ts';

/** Where commits meet, and what came before one: one request each. */
export function createHistories(gitlab: Gitlab): Pick<Provider, 'findMergeBase' | 'listFirstParents'> {
  return {
    findMergeBase: async ({ repo, base, head }) => {
      if (!isRangeEnd(base) || !isRangeEnd(head)) return undefined;
      const commit = await definiteAnswer(
        inProject(gitlab, repo, (ask, path) => askMergeBase(ask, path, { base, head })),
      );
      return commit === undefined ? undefined : { commit };
    },
    listFirstParents: async ({ repo, commit, limit }) => {
      if (!isCommitSha(commit)) return undefined;
      const wanted = Math.min(limit, FIRST_PARENT_LIMIT);
      return definiteAnswer(
        inProject(gitlab, repo, (ask, path) => listParents(ask, path, { commit: commit.toLowerCase(), wanted })),
      );
    },
  };
}

/** 404 if there is none. */
export function askMergeBase(
  ask: Ask,
  path: string,
  { base, head }: { readonly base: string; readonly head: string },
): Promise<string> {
  return askFor(ask, OPERATIONS.mergeBase, {
    path: `${path}/repository/merge_base`,
    query: { 'refs[]': [base, head] },
    read: ({ id }) => textOf(id),
  });
}

/** GitLab lists first parents alone, the commit itself first, each with its parents. */
async function listParents(
  ask: Ask,
  path: string,
  { commit, wanted }: { readonly commit: string; readonly wanted: number },
): Promise<FirstParents> {
  const query = { ref_name: commit, first_parent: 'true', per_page: String(FIRST_PARENT_LIMIT) };
  const { entries } = await askForPage(ask, OPERATIONS.listCommits, { path: `${path}/repository/commits`, query });
  if (textOf(entries[0]?.id) !== commit) throw unexpectedAnswer(OPERATIONS.listCommits);
  const commits: string[] = [];
  for (const { parent_ids: parents } of entries) {
    if (!Array.isArray(parents)) throw unexpectedAnswer(OPERATIONS.listCommits);
    const first = textOf(parents[0]);
    if (first === undefined) return { commits, end: commits.length < wanted ? 'root' : 'limit' };
    if (commits.length >= wanted) break;
    commits.push(first);
  }
  return { commits, end: commits.length < wanted ? 'cut' : 'limit' };
}
