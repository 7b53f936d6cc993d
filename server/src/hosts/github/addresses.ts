import { quoteValue } from '../../core/failure.ts';
import { findNameProblem } from '../../core/repo/repo-name.ts';
import { ProviderFailure } from '../../ports/provider.ts';
import { isCommitSha } from '../answers.ts';
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

/** A commit that a status can be set on; anything else is a permanent failure before anything is sent. */
export function checkCommitSha(commit: string): string {
  if (isCommitSha(commit)) return commit;
  throw new ProviderFailure('permanent', say.shaNotWhole(quoteValue(commit)));
}
