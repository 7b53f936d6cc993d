import { shaOf } from '../support/coverage-api.ts';
import { runGit } from '../support/git-repo.ts';
import type { SampleCheckout } from '../support/sample-checkout.ts';
import { commitFork, type ForkCommits } from './fork.ts';

/** What a step of the workflow has checked out. */
export type Moment = 'main' | 'first push' | 'second push' | 'fork';

/** Shas of the story. */
export interface Commits extends ForkCommits {
  readonly base: string;
  readonly firstHead: string;
  readonly firstMerge: string;
  readonly secondHead: string;
  readonly secondMerge: string;
}

/** Where there is no git on the machine, the commits have names only. */
export function makeCommits(checkout: SampleCheckout): Commits {
  const { baseSha: base, headSha: firstHead, mergeSha: firstMerge } = checkout;
  const fork = commitFork(checkout, (...args) => git(checkout, ...args));
  const first = { base, firstHead, firstMerge, ...fork };
  if (!checkout.hasGit) return { ...first, secondHead: shaOf('second head'), secondMerge: shaOf('second merge') };
  const secondHead = git(checkout, 'commit-tree', `${firstHead}^{tree}`, '-p', firstHead, '-m', 'Explain coupons');
  const message = `Merge ${secondHead} into ${base}`;
  const secondMerge = git(checkout, 'commit-tree', `${firstMerge}^{tree}`, '-p', base, '-p', secondHead, '-m', message);
  return { ...first, secondHead, secondMerge };
}

/** `tested`: the commit that a run at that moment tests. */
export async function checkOut(checkout: SampleCheckout, moment: Moment, tested: string): Promise<void> {
  await checkout.checkOut(moment === 'main' ? 'base' : 'merge');
  if (moment !== 'main' && checkout.hasGit) git(checkout, 'checkout', '-q', '--detach', tested);
}

function git(checkout: SampleCheckout, ...args: readonly string[]): string {
  return runGit(checkout.directory, args, Date.parse('2030-01-02T04:04:05Z')).trim();
}
