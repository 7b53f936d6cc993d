import type { Commits, Moment } from './commits.ts';
import { FORK, PULL } from './fork.ts';

/** What the runs of a host's CI check out: a pull request's merge with its base, or its head. */
export interface TestedCommits {
  readonly ofPulls: 'merge' | 'head';
  readonly ofForks: 'merge' | 'head';
}

export interface TestedRun {
  /** The commit that is checked out. */
  readonly sha: string;
  /** Undefined: a push to main. */
  readonly pull: (Pick<typeof PULL | typeof FORK, 'number' | 'headRef'> & { readonly head: string }) | undefined;
}

export function testedBy(on: Moment, commits: Commits, { ofPulls, ofForks }: TestedCommits): TestedRun {
  const { base, firstHead, firstMerge, secondHead, secondMerge, forkHead, forkMerge } = commits;
  if (on === 'main') return { sha: base, pull: undefined };
  if (on === 'fork') return { sha: ofForks === 'merge' ? forkMerge : forkHead, pull: { ...FORK, head: forkHead } };
  const [head, merge] = on === 'first push' ? [firstHead, firstMerge] : [secondHead, secondMerge];
  return { sha: ofPulls === 'merge' ? merge : head, pull: { ...PULL, head } };
}
