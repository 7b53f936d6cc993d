import type { EventFacts } from '../context/event.ts';
import type { Git } from '../context/git.ts';
import type { GitFolder } from '../git/git-folder.ts';
import type { DiffGit } from './diff-git.ts';

const SHALLOW_CLONE =
  'the clone is shallow and where the pull request began is not in it: give actions/checkout "fetch-depth: 0"';

/** The commit that a change is counted from, or why there is none: a clause that follows "because". */
export type FoundBase =
  | { readonly base: string; readonly reason?: never }
  | { readonly base?: never; readonly reason: string };

/** What was tested, and what the event says of it. */
export interface TestedCommit {
  readonly root: string;
  readonly head: string;
  readonly facts: EventFacts;
}

/** What is asked about the checkout. */
export interface Clone {
  readonly git: Git;
  readonly folder: GitFolder;
  readonly diffGit: DiffGit;
}

/**
 * From which commit the server counts what was tested (rules.md, rule 18): a pull request's merge commit from its first
 * parent, its head from the merge base; a merge queue's commit from the one it is queued behind; a push from the branch
 * as it was before, whose build is the one it is compared with.
 */
export async function findBase(
  { root, head, facts }: TestedCommit,
  { git, folder, diffGit }: Clone,
): Promise<FoundBase> {
  if (folder.headSha !== head)
    return { reason: `${folder.headSha ?? 'nothing'} is checked out and ${head} was tested` };
  const parents = (await git.readCommit(root, head))?.parents ?? [];
  const [first] = parents;
  const isMergeOfHead = head !== facts.headSha && parents.length === 2 && parents[1] === facts.headSha;
  if (isMergeOfHead && first !== undefined) return { base: first };
  const isPullRequest = facts.pullRequest !== '';
  if (isPullRequest && facts.baseSha !== '') return findMergeBase({ root, head, facts }, { git, folder, diffGit });
  const before = isPullRequest ? '' : facts.baseSha || facts.pushedFrom;
  const base = before || first;
  return base === undefined ? { reason: `${head} has no parent` } : { base };
}

/** Part of a history may show an older common ancestor than the newest; better none than that one. */
async function findMergeBase({ root, head, facts }: TestedCommit, { git, folder, diffGit }: Clone): Promise<FoundBase> {
  if (folder.isShallow) return { reason: SHALLOW_CLONE };
  const base = (await git.hasCommit(root, facts.baseSha)) ? await diffGit.mergeBase(facts.baseSha, head) : undefined;
  return base === undefined ? { reason: `the clone does not tell where ${head} left ${facts.baseSha}` } : { base };
}
