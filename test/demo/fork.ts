import { type CoverageApi, shaOf } from '../support/coverage-api.ts';
import { pullRequestEvent, type WorkflowEvent } from '../support/event-payloads.ts';
import type { GithubStandIn } from '../support/github-stand-in/github-stand-in.ts';
import type { SampleCheckout } from '../support/sample-checkout.ts';

/** Eve's fork of the repo, and her pull request, with the same change as the pull request 7. */
const FORK = { number: 8, headRepo: 'eve/shop', headRef: 'coupons' } as const;

/** What GitHub gives the run of a fork's pull request. */
export const WITHOUT_SECRET = { 'repo-token': '', 'github-token': '' } as const;

/** Shas of hers. */
export interface ForkCommits {
  readonly forkHead: string;
  readonly forkMerge: string;
}

/** A head of her own, and GitHub's merge of it. */
export async function commitFork(
  { hasGit, baseSha, headSha }: Pick<SampleCheckout, 'hasGit' | 'baseSha' | 'headSha'>,
  git: (...args: string[]) => Promise<string>,
): Promise<ForkCommits> {
  if (!hasGit) return { forkHead: shaOf('head of the fork'), forkMerge: shaOf('merge of the fork') };
  const tree = `${headSha}^{tree}`;
  const forkHead = await git('commit-tree', tree, '-p', baseSha, '-m', 'Take my coupons');
  const message = `Merge ${forkHead} into ${baseSha}`;
  const forkMerge = await git('commit-tree', tree, '-p', baseSha, '-p', forkHead, '-m', message);
  return { forkHead, forkMerge };
}

export function forkEvent(
  repo: string,
  { base, forkHead, forkMerge }: ForkCommits & { readonly base: string },
): WorkflowEvent {
  return pullRequestEvent({ repo, ...FORK, actor: 'eve', headSha: forkHead, baseSha: base, mergeSha: forkMerge });
}

/** The pull request and its run, which GitHub starts; and the repo takes such runs from now on. */
export async function openForkPull(
  { github, api, repo }: { readonly github: GithubStandIn; readonly api: CoverageApi; readonly repo: string },
  { base, forkHead, forkMerge, run }: ForkCommits & { readonly base: string; readonly run: string },
): Promise<void> {
  const { headRepo, headRef } = FORK;
  github.addRepo(headRepo, { parent: repo });
  github.addCommit(repo, { sha: forkHead, message: 'Take my coupons', parents: [base] });
  github.addPullRequest(repo, {
    ...FORK,
    title: 'Take my coupons',
    login: 'eve',
    headSha: forkHead,
    baseRef: 'main',
    mergeCommitSha: forkMerge,
  });
  const head = { headSha: forkHead, headRepo, headBranch: headRef };
  github.addRun(repo, { id: Number(run), event: 'pull_request', actor: 'eve', ...head });
  await api.changeSettings(repo, { accept_forks: true });
}
