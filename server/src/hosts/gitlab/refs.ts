import type { HostRefs } from '../../core/repo/git-host.ts';

const MERGE_REQUEST = /^refs\/merge-requests\/([1-9]\d{0,14})\/(?:head|merge|train)$/;

/** The refs that GitLab makes itself. A train's branch has no name of its own. */
export const REFS: HostRefs = {
  pullRequestOf(ref) {
    const [, number] = MERGE_REQUEST.exec(ref) ?? [];
    return number === undefined ? undefined : Number(number);
  },
  queueOf: () => undefined,
};

/** The ref of what a pipeline tests that is no branch: the merge with the target. */
export function isOfMerge(ref: string): boolean {
  return /\/(?:merge|train)$/.test(ref) && REFS.pullRequestOf(ref) !== undefined;
}
