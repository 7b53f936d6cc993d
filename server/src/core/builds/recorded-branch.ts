import type { Build } from './build.ts';

type Placed = Pick<Build, 'branch' | 'pullRequest' | 'tag' | 'mergeQueue' | 'trust'>;

/** The branch that a ledger of lines that flip is of, if it has this build; undefined: of none. */
export function branchRecordedOf({ branch, pullRequest, tag, mergeQueue, trust }: Placed): string | undefined {
  return pullRequest !== undefined || tag || mergeQueue || trust === 'run' ? undefined : branch;
}
