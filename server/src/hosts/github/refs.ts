import type { HostRefs } from '../../core/repo/git-host.ts';

const PULL_REF = /^(?:refs\/pull\/(\d{1,15})\/.*|(\d{1,15})\/merge)$/;
const QUEUE = 'gh-readonly-queue/';
const QUEUED = /^(\d{1,15})-([0-9a-f]{7,64})$/;

/** The refs that GitHub makes itself. */
export const REFS: HostRefs = {
  pullRequestOf(ref) {
    const [found, named, merged] = PULL_REF.exec(ref) ?? [];
    return found === undefined ? undefined : Number(named ?? merged);
  },
  queueOf(branch) {
    const end = branch.lastIndexOf('/pr-');
    const [, number, baseCommit] = QUEUED.exec(branch.slice(end + '/pr-'.length)) ?? [];
    if (!branch.startsWith(QUEUE) || end <= QUEUE.length || baseCommit === undefined) return undefined;
    return { pullRequest: Number(number), baseBranch: branch.slice(QUEUE.length, end), baseCommit };
  },
};
