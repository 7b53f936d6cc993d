import type { Repo } from '../repo/repo.ts';
import { branchOf, USUAL_DEFAULT_BRANCHES } from './base-build.ts';
import type { Build } from './build.ts';
import { namesNoBase } from './run-origin.ts';

/** The setting, else what the provider says, else the usual names (rule 18). */
export function defaultBranches(repo: Repo): readonly string[] {
  const named = repo.settings.defaultBranch ?? repo.seen?.defaultBranch;
  return named === undefined ? USUAL_DEFAULT_BRANCHES : [named];
}

/** The branch a build is measured against: its pull request's base, else the default branch (rules 13 and 15). */
export function baseBranchesOf(build: Build, repo: Repo): readonly string[] {
  const stated = namesNoBase(build) ? undefined : build.baseBranch;
  const branch = build.facts?.pull?.baseBranch ?? stated;
  if (build.pullRequest !== undefined && branch !== undefined) return [branch];
  return defaultBranches(repo);
}

/**
 * Where the repo's own file is read for a build: never at what it tests, unless that is merged. A pull request and a
 * merge queue: where the change begins. A push to the default branch: the pushed commit. Anything else, and what an
 * unverified run sent: the default branch, so that nobody lowers a rule by the change that it judges.
 */
export function rulesPlace(
  build: Build,
  repo: Repo,
): { readonly commit: string } | { readonly branches: readonly string[] } {
  const branches = defaultBranches(repo);
  if (build.trust === 'run') return { branches };
  if (build.pullRequest !== undefined || build.mergeQueue) {
    const begin = build.facts?.mergeParent ?? build.facts?.mergeBase;
    return begin === undefined ? { branches } : { commit: begin };
  }
  const branch = branchOf(build);
  const isMerged = branch !== undefined && branches.includes(branch);
  const commit = build.landed?.commit ?? build.testedCommit ?? build.commit;
  return isMerged && commit !== undefined ? { commit } : { branches };
}
