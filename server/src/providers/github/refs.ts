import type { HostRefs } from '../../domain/repo/git-host.ts';

const PULL_REF = /^(?:refs\/pull\/(\d{1,15})\/.*|(\d{1,15})\/merge)$/;
const QUEUE_BRANCH = /^gh-readonly-queue\/(.+)\/pr-(\d{1,15})-([0-9a-f]{7,64})$/;

/** The refs that GitHub makes itself. */
export const REFS: HostRefs = {
  pullRequestOf(ref) {
    const [found, named, merged] = PULL_REF.exec(ref) ?? [];
    return found === undefined ? undefined : Number(named ?? merged);
  },
  queueOf(branch) {
    const [, baseBranch, number, baseCommit] = QUEUE_BRANCH.exec(branch) ?? [];
    if (baseBranch === undefined || baseCommit === undefined) return undefined;
    return { pullRequest: Number(number), baseBranch, baseCommit };
  },
};
