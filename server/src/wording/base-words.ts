import { branchOf } from '../core/builds/base-build.ts';
import { baseStanding } from '../core/builds/base-standing.ts';
import type { BasePick, BaseRule } from '../core/builds/build.ts';
import type { BuildSummary } from '../core/builds/build-summary.ts';
import { counted, isoDay } from './phrases.ts';
import { whyUnverified } from './why-unverified.ts';

type ChosenBase = Pick<BasePick, 'rule' | 'branch' | 'tag' | 'commitsAway'>;

/** How the base was chosen, in a sentence for people: follows "build 70, …". */
export function describeBaseRule(pick: ChosenBase): string {
  const branch = pick.branch ?? 'its branch';
  const words: Record<BaseRule, string> = {
    'compare-sha': 'named by compare_sha',
    'compare-ref': pick.tag === undefined ? `newest on compare_ref ${branch}` : `newest of tag ${pick.tag}`,
    'merge-parent': `the ${pick.branch === undefined ? '' : `${pick.branch} `}commit it was tested on`,
    'merge-base': 'the merge base',
    ancestor: 'the nearest ancestor',
    'base-branch': `newest on base branch ${branch}`,
    'previous-on-branch': `previous on ${branch}`,
    'default-branch': `newest on default branch ${branch}`,
  };
  return words[pick.rule] + distance(pick);
}

/** The same in the few characters that a commit status has; `tight`: in fewer still. */
export function shortBaseRule(pick: ChosenBase, tight = false): string {
  const branch = pick.branch ?? '';
  const words: Record<BaseRule, string> = {
    'compare-sha': 'compare_sha',
    'compare-ref': pick.tag === undefined ? `compare_ref ${branch}` : `tag ${pick.tag}`,
    'merge-parent': 'merge parent',
    'merge-base': 'merge base',
    ancestor: 'nearest ancestor',
    'base-branch': `base branch ${branch}`,
    'previous-on-branch': `previous on ${branch}`,
    'default-branch': `default branch ${branch}`,
  };
  return words[pick.rule].trimEnd() + (tight && pick.commitsAway ? `, ${pick.commitsAway} away` : distance(pick));
}

function distance({ commitsAway }: ChosenBase): string {
  return commitsAway ? `, ${counted(commitsAway, 'commit')} away` : '';
}

/** Whether other builds may be compared with a build, and why not, in a sentence; names in it are as they were sent. */
export function describeStanding(build: BuildSummary): string {
  const standing = baseStanding(build);
  switch (standing.reason) {
    case undefined:
      return `Can be used as a base ${placeOf(build)}.`;
    case 'unverified':
      return `Not used as a base: ${whyUnverified(build)}.`;
    case 'excluded':
      return `Not used as a base: ${standing.by} excluded it on ${isoDay(standing.at)}.`;
    case 'open':
      return 'Not used as a base yet: it has no result.';
    case 'cannot-merge':
      return 'Not used as a base: its reports can’t be merged.';
    case 'no-percentage':
      return 'Not used as a base: it has no percentage, because no line is relevant.';
    case 'incomplete':
      return 'Used as a base only until a complete build exists.';
  }
}

function placeOf(build: BuildSummary): string {
  const branch = branchOf(build);
  if (branch !== undefined) return `for builds measured against ${branch}, and for those that ask for its commit`;
  if (build.mergeQueue) return 'for builds that ask for its commit; it is on no branch until its commit lands';
  return 'for builds that ask for its commit; it is on no branch';
}
