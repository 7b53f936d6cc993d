import type { Repo } from '../repo/repo.ts';
import { USUAL_DEFAULT_BRANCHES } from './base-build.ts';
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
