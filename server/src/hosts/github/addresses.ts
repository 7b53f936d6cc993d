import { quoteValue } from '../../core/failure.ts';
import { findNameProblem } from '../../core/repo/repo-name.ts';
import { ProviderFailure } from '../../ports/provider.ts';
import * as say from './messages.ts';
import { githubWebAddress } from './web-address.ts';

/** Where the one GitHub of this server is: github.com, a data-residency host, or a GitHub Enterprise server. */
export interface GithubAddresses {
  /** The REST API. */
  readonly api: string;
  /** What people open: pages, sign-in, the making of Apps. */
  readonly web: string;
  /** The issuer of the OpenID tokens that its workflows get. */
  readonly issuer: string;
}

/** By GITHUB_URL and GITHUB_API_URL; each gives what the other leaves open, and what is set wins. */
export function findGithub(set: {
  readonly githubUrl: string | undefined;
  readonly githubApiUrl: string | undefined;
}): GithubAddresses {
  const web =
    set.githubUrl ?? (set.githubApiUrl === undefined ? 'https://github.com' : githubWebAddress(set.githubApiUrl));
  const { hostname } = new URL(web);
  const beside = besideWeb(hostname);
  return {
    web,
    api: set.githubApiUrl ?? beside?.api ?? `${web}/api/v3`,
    issuer: beside?.issuer ?? `${web}/_services/token`,
  };
}

/** GitHub's own hosts have names of their own for each; an Enterprise server has paths. */
function besideWeb(hostname: string): Omit<GithubAddresses, 'web'> | undefined {
  if (hostname === 'github.com')
    return { api: 'https://api.github.com', issuer: 'https://token.actions.githubusercontent.com' };
  if (!hostname.endsWith('.ghe.com')) return undefined;
  return { api: `https://api.${hostname}`, issuer: `https://token.actions.${hostname}` };
}

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
