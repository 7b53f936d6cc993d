import { expect, test } from 'vitest';
import type { BasePick, BaseRule } from '../core/builds/build.ts';
import { describeBaseRule } from './base-rule.ts';

test.each<[BaseRule, Partial<BasePick>, string]>([
  ['compare-sha', {}, 'named by compare_sha'],
  ['compare-ref', { branch: 'next' }, 'newest on compare_ref next'],
  ['merge-parent', { branch: 'main', commitsAway: 0 }, 'the main commit it was tested on'],
  ['merge-parent', { commitsAway: 1 }, 'the commit it was tested on, 1 commit away'],
  ['merge-base', { commitsAway: 0 }, 'the merge base'],
  ['ancestor', { commitsAway: 12 }, 'the nearest ancestor, 12 commits away'],
  ['base-branch', { branch: 'main' }, 'newest on base branch main'],
  ['previous-on-branch', { branch: 'x' }, 'previous on x'],
  ['default-branch', { branch: 'main' }, 'newest on default branch main'],
])('%s %j: %s', (rule, pick, words) => {
  expect(describeBaseRule({ rule, branch: undefined, commitsAway: undefined, ...pick })).toBe(words);
});
