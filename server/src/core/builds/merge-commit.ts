import type { HostTerms } from '../repo/git-host.ts';
import type { Build } from './build.ts';

/** Rule 21: two parents, and a message that merges the second into the first. */
export function namesMergeCommit(
  commit: { readonly parents: readonly string[]; readonly message: string },
  { mergedBy }: Pick<HostTerms, 'mergedBy'>,
): boolean {
  const named = mergedBy(commit.message);
  return commit.parents.length === 2 && named?.base === commit.parents[0] && named?.head === commit.parents[1];
}

/**
 * The commit whose text a build measured, to which its line numbers belong: the temporary merge commit, stated apart
 * from the head or as the commit itself (rule 21), else the commit. Statuses go to another one: the head.
 */
export function testedCommitOf(build: Pick<Build, 'commit' | 'testedCommit'>): string | undefined {
  return build.testedCommit ?? build.commit;
}

/** Whether a pull request was tested at its merge commit, as far as its uploads and its target say. */
export function testedAtMerge(build: Pick<Build, 'commit' | 'testedCommit' | 'target'>): boolean {
  if (build.testedCommit !== undefined && build.testedCommit !== build.commit) return true;
  return build.target !== undefined && build.commit !== undefined && build.target !== build.commit;
}
