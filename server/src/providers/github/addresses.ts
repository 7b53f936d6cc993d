import { quoteValue } from '../../domain/failure.ts';
import { findNameProblem } from '../../domain/repo/repo-name.ts';
import { ProviderFailure } from '../../ports/provider.ts';
import * as say from './messages.ts';

/** A repo as GitHub's paths name it. */
export interface RepoPath {
  readonly owner: string;
  readonly repo: string;
}

/**
 * The parts of `<owner>/<name>`. Octokit encodes each, but `..` needs no encoding and would lead to another path, so a
 * name that no repo can have is a permanent failure before anything is sent.
 */
export function splitRepoName(name: string): RepoPath {
  const problem = findNameProblem('github', name);
  if (problem !== undefined) throw new ProviderFailure('permanent', say.repoNameWrong(problem));
  const [owner = '', repo = ''] = name.split('/');
  return { owner, repo };
}

/** Whether a text can be a commit of GitHub: a whole SHA-1 or SHA-256. */
export function isCommitSha(text: string): boolean {
  return /^([0-9a-f]{40}|[0-9a-f]{64})$/i.test(text);
}

/** A commit that a status can be set on; anything else is a permanent failure before anything is sent. */
export function checkCommitSha(commit: string): string {
  if (isCommitSha(commit)) return commit;
  throw new ProviderFailure('permanent', say.shaNotWhole(quoteValue(commit)));
}

/**
 * git's own rule for names of branches (git-check-ref-format); `:` would lead to another owner's repo, `..` to another
 * range.
 */
const BRANCH = /^(?![-/.])(?!.*(\.\.|\/\/|\/\.|@\{|\.lock(\/|$)))[^\p{Cc} ~^:?*[\\]{1,250}(?<![./])$/u;

/** Whether a text can stand at an end of a comparison: a whole SHA or the name of a branch. */
export function isRangeEnd(text: string): boolean {
  return isCommitSha(text) || (text !== '@' && text.isWellFormed() && BRANCH.test(text));
}

/** Ids of runs and repos: whole numbers that JSON keeps exactly. */
export function isNumericId(text: string): boolean {
  return /^[1-9]\d{0,14}$/.test(text);
}
