import type { BasePick, BaseRule } from '../core/builds/build.ts';
import { counted } from './phrases.ts';

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
