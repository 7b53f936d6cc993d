import { describe, expect, test } from 'vitest';
import { aRepo, historyOf } from '../../../test/support/build-history.ts';
import { aBuild, aClosedBuild, aResult, sha, totals } from '../../../test/support/records.ts';
import { toBasePick } from '../domain/build/base-build.ts';
import type { BaseRule, Build } from '../domain/build/build.ts';
import { DEFAULT_REPO_SETTINGS } from '../domain/repo/repo.ts';
import { baseBranchesOf, createChooseBase } from './choose-base.ts';

const [A, B, D] = [sha('a'), sha('b'), sha('d')];
const incomplete = aResult({
  verdict: { state: 'incomplete', rule: 'incomplete', explanation: '', summary: '', provisional: false },
});

/** The sequence and rule of the base that a build gets among these. */
async function chosen(build: Build, history: readonly Build[], defaultBranch?: string): Promise<[number, BaseRule] | undefined> {
  const chooseBase = createChooseBase({ builds: historyOf([...history, build]) });
  const repo = aRepo({ settings: { ...DEFAULT_REPO_SETTINGS, defaultBranch } });
  const base = await chooseBase({ build, repo, flags: [] });
  return base && [base.build.sequence, base.pick.rule];
}

const onBranch = (sequence: number, branch: string, stated: Partial<Build> = {}): Build =>
  aClosedBuild({ sequence, branch, commit: B, ...stated });
const push = aBuild({ sequence: 50, branch: 'x', commit: A });
const pull = aBuild({ sequence: 50, branch: 'x', commit: A, pullRequest: 7, baseBranch: 'main' });

describe('rule 18: the first step that gives a base', () => {
  test.each<[string, Build, readonly Build[], [number, BaseRule] | undefined]>([
    ['none: a first build', push, [], undefined],
    ['a push: the previous build of its branch', push, [onBranch(9, 'main'), onBranch(3, 'x')], [3, 'previous-on-branch']],
    ['a push: no later build', push, [onBranch(60, 'x'), onBranch(3, 'x')], [3, 'previous-on-branch']],
    ['a push: no build of its commit', push, [onBranch(4, 'x', { commit: A }), onBranch(3, 'x')], [3, 'previous-on-branch']],
    ['a push: else the default branch', push, [onBranch(4, 'main'), onBranch(9, 'other')], [4, 'default-branch']],
    ['a push: main before master', push, [onBranch(9, 'master'), onBranch(4, 'main')], [4, 'default-branch']],
    ['a push: else master', push, [onBranch(9, 'master')], [9, 'default-branch']],
    ['no build of a pull request is on a branch', push, [onBranch(9, 'x', { pullRequest: 7 })], undefined],
    ['no build of a tag is on a branch', push, [onBranch(9, 'x', { tag: true })], undefined],
    ['rule 29: no unverified build', push, [onBranch(9, 'x', { trust: 'run' })], undefined],
    [
      'rule 4: one without a percentage is looked past',
      push,
      [onBranch(9, 'x', { result: aResult({ totals: totals(0, 0) }) }), onBranch(3, 'x')],
      [3, 'previous-on-branch'],
    ],
    ['a pull request: its base branch, later builds too', pull, [onBranch(60, 'main'), onBranch(70, 'x')], [60, 'base-branch']],
    [
      'a pull request tested at its merge commit: the first parent',
      { ...pull, testedCommit: sha('e'), baseCommit: D },
      [onBranch(60, 'main'), onBranch(3, 'main', { commit: D })],
      [3, 'merge-parent'],
    ],
    ['compare_sha', { ...push, compareCommit: D }, [onBranch(9, 'x'), onBranch(3, 'other', { commit: D })], [3, 'compare-sha']],
    ['compare_sha that no build has', { ...push, compareCommit: D }, [onBranch(9, 'x')], [9, 'previous-on-branch']],
    ['compare_ref', { ...push, compareRef: 'next' }, [onBranch(9, 'x'), onBranch(3, 'next')], [3, 'compare-ref']],
    [
      'rule 13: complete before incomplete',
      push,
      [onBranch(9, 'x', { result: incomplete }), onBranch(3, 'x')],
      [3, 'previous-on-branch'],
    ],
    [
      'rule 13: an incomplete one where there is no other',
      push,
      [onBranch(9, 'x', { result: incomplete })],
      [9, 'previous-on-branch'],
    ],
    [
      'rule 13: an incomplete one is no base while a later step gives a complete one',
      push,
      [onBranch(9, 'x', { result: incomplete }), onBranch(3, 'main')],
      [3, 'default-branch'],
    ],
  ])('%s', async (_, build, history, expected) => {
    expect(await chosen(build, history)).toEqual(expected);
  });

  test('the setting names the default branch alone', async () => {
    expect(await chosen(push, [onBranch(9, 'main'), onBranch(3, 'trunk')], 'trunk')).toEqual([3, 'default-branch']);
    expect(await chosen(push, [onBranch(9, 'main')], 'trunk')).toBeUndefined();
  });
});

describe('rule 12: a re-opened build', () => {
  const kept = onBranch(3, 'main', { result: aResult({ closeCount: 4 }) });
  const reopened = (build: Build): Build => ({
    ...build,
    result: aResult({ base: { ...toBasePick(kept, { rule: 'default-branch', commitsAway: undefined }), closeCount: 1 } }),
  });

  test('keeps its base, read at its newest close', async () => {
    const chooseBase = createChooseBase({ builds: historyOf([kept, onBranch(9, 'main')]) });
    const base = await chooseBase({ build: reopened(push), repo: aRepo(), flags: [] });
    expect(base).toMatchObject({ build: { sequence: 3 }, pick: { rule: 'default-branch', closeCount: 4 } });
  });

  test('takes another when a higher rule now gives one', async () => {
    expect(await chosen(reopened(push), [kept, onBranch(9, 'main'), onBranch(8, 'x')])).toEqual([8, 'previous-on-branch']);
  });

  test('rule 4: looks again when its base has no percentage any more', async () => {
    const emptied = { ...kept, result: aResult({ totals: totals(0, 0) }) };
    expect(await chosen(reopened(push), [emptied, onBranch(2, 'main')])).toEqual([2, 'default-branch']);
  });
});

test.each<[string, Build, readonly string[]]>([
  ['a pull request’s is the one it names', pull, ['main']],
  ['rule 29: not where its run is unverified', { ...pull, baseBranch: 'next', trust: 'run' }, ['main', 'master']],
  ['else the default branch', push, ['main', 'master']],
])('baseBranchesOf: %s', (_, build, expected) => {
  expect(baseBranchesOf(build, aRepo())).toEqual(expected);
});
