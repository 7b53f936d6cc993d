import type { HostRefs } from '../../core/repo/git-host.ts';

const MERGE_REQUEST = /^refs\/merge-requests\/([1-9]\d{0,14})\/(head|merge|train)$/;

/** The refs that GitLab makes itself. A merge train has no branch: our command sends the ref of its pipeline. */
export const REFS: HostRefs = {
  pullRequestOf: (ref) => readRef(ref)?.pullRequest,
  queueOf(ref) {
    const { pullRequest, what } = readRef(ref) ?? {};
    return pullRequest === undefined || what !== 'train' ? undefined : { pullRequest };
  },
};

/** The ref of what a pipeline tests that is no branch: the merge with the target. */
export function isOfMerge(ref: string): boolean {
  return readRef(ref)?.what === 'merge';
}

function readRef(ref: string): { readonly pullRequest: number; readonly what: string } | undefined {
  const [, number, what] = MERGE_REQUEST.exec(ref) ?? [];
  return number === undefined || what === undefined ? undefined : { pullRequest: Number(number), what };
}
