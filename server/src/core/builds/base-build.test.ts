import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aBuild, aClosedBuild, aFlag, aResult, COMMIT, sha, totals } from '../../../../test/support/records.ts';
import {
  type BaseFacts,
  type BaseStep,
  baseSteps,
  bestBase,
  mayBeBase,
  reportedFlags,
  toBasePick,
} from './base-build.ts';
import type { BaseRule, Build } from './build.ts';

const [A, B] = [sha('a'), sha('b')];
const facts = { defaultBranches: ['main'], testedAtMerge: false };
const commit = (rule: BaseRule, sought: string, commitsAway?: number): BaseStep => ({
  rule,
  look: { commit: sought },
  commitsAway,
});
const ancestors = (ancestorsOf: string): BaseStep => ({
  rule: 'ancestor',
  look: { ancestorsOf },
  commitsAway: undefined,
});
const branch = (rule: BaseRule, sought: string): BaseStep => ({
  rule,
  look: { branch: sought },
  commitsAway: undefined,
});

describe('rule 18: where to look, in order', () => {
  test.each<[string, Partial<Build>, BaseFacts, readonly BaseStep[]]>([
    ['a push that states nothing', {}, facts, [ancestors(COMMIT), branch('default-branch', 'main')]],
    ['a push without a commit', { commit: undefined }, facts, [branch('default-branch', 'main')]],
    [
      'a push',
      { branch: 'x' },
      facts,
      [ancestors(COMMIT), branch('previous-on-branch', 'x'), branch('default-branch', 'main')],
    ],
    [
      'a push of a tag is on no branch',
      { branch: 'v1', tag: true },
      facts,
      [ancestors(COMMIT), branch('default-branch', 'main')],
    ],
    [
      'a push, the default branch unknown',
      { branch: 'x' },
      { ...facts, defaultBranches: ['main', 'master'] },
      [
        ancestors(COMMIT),
        branch('previous-on-branch', 'x'),
        branch('default-branch', 'main'),
        branch('default-branch', 'master'),
      ],
    ],
    [
      'compare_sha, then compare_ref, then the rest',
      { branch: 'x', compareCommit: A, compareRef: 'refs/heads/next' },
      facts,
      [
        commit('compare-sha', A),
        branch('compare-ref', 'next'),
        { rule: 'compare-ref', look: { tag: 'next' }, commitsAway: undefined },
        ancestors(COMMIT),
        branch('previous-on-branch', 'x'),
        branch('default-branch', 'main'),
      ],
    ],
    [
      'a push ignores what only pull requests state',
      { baseCommit: A, baseBranch: 'next' },
      facts,
      [ancestors(COMMIT), branch('default-branch', 'main')],
    ],
    ['a pull request', { pullRequest: 7, branch: 'x' }, facts, [branch('default-branch', 'main')]],
    [
      'a pull request that names its base branch',
      { pullRequest: 7, branch: 'x', baseBranch: 'next' },
      facts,
      [branch('base-branch', 'next')],
    ],
    [
      'a pull request tested at its merge commit: the first parent',
      { pullRequest: 7, baseCommit: A, baseBranch: 'next' },
      { ...facts, testedAtMerge: true },
      [commit('merge-parent', A, 0), ancestors(A), branch('base-branch', 'next')],
    ],
    [
      'a pull request tested at its head: the base’s tip is not its first parent',
      { pullRequest: 7, baseCommit: A, baseBranch: 'next' },
      facts,
      [branch('base-branch', 'next')],
    ],
    [
      'a merge queue: the first parent',
      { pullRequest: 7, mergeQueue: true, baseCommit: A, baseBranch: 'next' },
      facts,
      [commit('merge-parent', A, 0), ancestors(A), branch('base-branch', 'next')],
    ],
    [
      'a pull request whose merge base the provider knows',
      { pullRequest: 7, baseBranch: 'next' },
      { ...facts, provider: { mergeBase: A, mergeParent: undefined, pull: undefined } },
      [commit('merge-base', A, 0), ancestors(A), branch('base-branch', 'next')],
    ],
    [
      'rule 29: an unverified run names no base itself',
      { pullRequest: 7, trust: 'run', compareCommit: A, compareRef: 'x', baseCommit: A, baseBranch: 'next' },
      { ...facts, testedAtMerge: true },
      [branch('default-branch', 'main')],
    ],
  ])('%s', (_, build, known, expected) => {
    expect(baseSteps(aBuild(build), known)).toEqual(expected);
  });
});

describe('mayBeBase', () => {
  const push = aBuild({ sequence: 71, commit: A });
  const pull = aBuild({ sequence: 71, commit: A, pullRequest: 7 });
  const candidate = (stated: Partial<Build>): Build => aClosedBuild({ sequence: 70, commit: B, ...stated });

  test.each<[string, Partial<Build>, boolean, boolean]>([
    ['an earlier closed build', {}, true, true],
    ['the build itself', { id: 71 }, false, false],
    ['a build that was never closed', { state: 'open', result: undefined }, false, false],
    ['one that is re-opened serves its last result', { state: 'open' }, true, true],
    ['one without a percentage (rule 4)', { result: aResult({ totals: totals(0, 0) }) }, false, false],
    ['one with branches alone has a percentage', { result: aResult({ totals: totals(0, 0, 1, 2) }) }, true, true],
    ['an unverified one (rule 29)', { trust: 'run' }, false, false],
    ['one of a higher sequence', { sequence: 72, id: 72 }, false, true],
    ['one of the same commit', { commit: A }, false, true],
    ['one that tested the same commit', { testedCommit: A }, false, true],
    ['a pull request’s', { pullRequest: 9 }, true, true],
  ])('%s: for a push %s, for a pull request %s', (_, stated, forPush, forPull) => {
    expect(mayBeBase(candidate(stated), push)).toBe(forPush);
    expect(mayBeBase(candidate(stated), pull)).toBe(forPull);
  });

  test('two builds without a commit are not of the same commit', () => {
    expect(mayBeBase(candidate({ commit: undefined }), aBuild({ commit: undefined }))).toBe(true);
  });
});

describe('bestBase', () => {
  const build = aBuild({ sequence: 90, commit: A, pullRequest: 7 });
  const of = (
    sequence: number,
    stated: { flags?: readonly string[]; serviceName?: string; incomplete?: boolean } = {},
  ): Build => {
    const { flags = [], serviceName = 'ci', incomplete = false } = stated;
    const result = aResult({ flags: flags.map((name) => aFlag(name)) });
    const verdict = incomplete
      ? ({ ...result.verdict, state: 'incomplete', rule: 'incomplete' } as const)
      : result.verdict;
    return aClosedBuild({ sequence, serviceName, commit: B, result: { ...result, verdict } });
  };

  test.each<[string, readonly Build[], number | undefined]>([
    ['of none there is none', [], undefined],
    ['a build that may not be one is passed over', [of(90), of(3)], 3],
    ['the newest', [of(3), of(4), of(2)], 4],
    ['most flags in common before newest', [of(4, { flags: ['ui'] }), of(3, { flags: ['api', 'ui', 'old'] })], 3],
    ['flags of its own do not help', [of(4), of(3, { flags: ['x', 'y', 'z'] })], 4],
    ['the same service before flags', [of(4, { serviceName: 'other', flags: ['api', 'ui'] }), of(3)], 3],
    ['complete before the same service', [of(4, { incomplete: true }), of(3, { serviceName: 'other' })], 3],
    ['an incomplete one where no other is', [of(4, { incomplete: true })], 4],
  ])('%s, in every order', (_, candidates, expected) => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...candidates], { minLength: candidates.length }), (shuffled) => {
        expect(bestBase(shuffled, build, ['api', 'ui'])?.sequence).toBe(expected);
      }),
      { numRuns: 10 },
    );
  });
});

test('reportedFlags: uploaded and carried ones, none of a build that was never closed', () => {
  const kinds = [aFlag('api'), aFlag('ui', { kind: 'carried' }), aFlag('old', { kind: 'missing' })];
  expect(reportedFlags(aClosedBuild({ result: aResult({ flags: kinds }) }))).toEqual(['api', 'ui']);
  expect(reportedFlags(aBuild())).toEqual([]);
});

describe('rule 19: what is kept of a base, and how it is said', () => {
  test('the build, its commit and branch, the rule, the distance, and which close was read', () => {
    const base = aClosedBuild({
      sequence: 9,
      serviceNumber: 'run-9',
      commit: A,
      branch: 'main',
      result: aResult({ closeCount: 3 }),
    });
    expect(toBasePick(base, { rule: 'ancestor', commitsAway: 2 })).toEqual({
      buildId: 9,
      number: 'run-9',
      commit: A,
      branch: 'main',
      rule: 'ancestor',
      commitsAway: 2,
      closeCount: 3,
    });
  });

  test.each<[string, Partial<Build>]>([
    ['a pull request’s build', { pullRequest: 7, branch: 'main' }],
    ['a tag’s build', { tag: true, branch: 'v1' }],
  ])('%s is on no branch', (_, stated) => {
    expect(toBasePick(aClosedBuild(stated), { rule: 'compare-sha', commitsAway: undefined }).branch).toBeUndefined();
  });
});
