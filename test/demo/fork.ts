import { shaOf } from '../support/coverage-api.ts';
import type { SampleCheckout } from '../support/sample-checkout.ts';
import type { StartedHost } from './hosts.ts';

/** The pull request of the story. */
export const PULL = { number: 7, headRef: 'coupons', title: 'Take coupons' } as const;
/** Eve's fork of the repo, and her pull request, with the same change. */
export const FORK = { number: 8, headRepo: 'eve/shop', headRef: 'coupons' } as const;

/** Shas of hers. */
export interface ForkCommits {
  readonly forkHead: string;
  readonly forkMerge: string;
}

/** A head of her own, and the host's merge of it. */
export function commitFork(
  { hasGit, baseSha, headSha }: Pick<SampleCheckout, 'hasGit' | 'baseSha' | 'headSha'>,
  git: (...args: string[]) => string,
): ForkCommits {
  if (!hasGit) return { forkHead: shaOf('head of the fork'), forkMerge: shaOf('merge of the fork') };
  const tree = `${headSha}^{tree}`;
  const forkHead = git('commit-tree', tree, '-p', baseSha, '-m', 'Take my coupons');
  const message = `Merge ${forkHead} into ${baseSha}`;
  const forkMerge = git('commit-tree', tree, '-p', baseSha, '-p', forkHead, '-m', message);
  return { forkHead, forkMerge };
}

/** Her pull request; and the repo takes runs without secrets from now on. */
export async function openForkPull(
  { host, acceptForks, repo }: { readonly host: StartedHost; acceptForks(): Promise<void>; readonly repo: string },
  { base, forkHead, forkMerge }: ForkCommits & { readonly base: string },
): Promise<void> {
  host.addRepo(FORK.headRepo, { parent: repo });
  host.addCommit(repo, { sha: forkHead, message: 'Take my coupons', parents: [base] });
  host.addPullRequest(repo, {
    ...FORK,
    title: 'Take my coupons',
    login: 'eve',
    headSha: forkHead,
    baseRef: 'main',
    mergeCommitSha: forkMerge,
  });
  await acceptForks();
}
