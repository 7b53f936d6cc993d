import { describe, expect, test } from 'vitest';
import { aRepo, historyOf, telling } from '../../../test/support/build-history.ts';
import { aBuild, aClosedBuild, aResult, providerFacts, sha, totals } from '../../../test/support/records.ts';
import { baseBranchesOf } from '../core/builds/base-branches.ts';
import { toBasePick } from '../core/builds/base-build.ts';
import type { BaseRule, Build } from '../core/builds/build.ts';
import { DEFAULT_REPO_SETTINGS } from '../core/repo/settings.ts';
import { createDeadline } from '../hosts/facts/deadline.ts';
import { systemTimers } from '../platform/timers/system-timers.ts';
import { type BaseChoice, chooseBase } from './choose-base.ts';

const [A, B, D] = [sha('a'), sha('b'), sha('d')];
const incomplete = aResult({
  verdict: { state: 'incomplete', rule: 'incomplete', explanation: '', summary: '', provisional: false },
});

/** The sequence and rule of the base that a build gets among these. */
async function chosen(
  build: Build,
  history: readonly Build[],
  defaultBranch?: string,
  ancestors: readonly string[] = [],
): Promise<[number, BaseRule] | undefined> {
  const services = { builds: historyOf([...history, build]), ...telling(ancestors) };
  const repo = aRepo({ settings: { ...DEFAULT_REPO_SETTINGS, defaultBranch } });
  const deadline = createDeadline(systemTimers, 1_000);
  const { base } = await chooseBase(services, { build, repo, flags: [], deadline });
  return base && [base.build.sequence, base.pick.rule];
}

const onBranch = (sequence: number, branch: string, stated: Partial<Build> = {}): Build =>
  aClosedBuild({ sequence, branch, commit: B, ...stated });
const NO_FACTS = providerFacts();
const PULL = {
  headCommit: A,
  baseBranch: 'main',
  state: 'open',
  merged: false,
  landedCommit: undefined,
  fromFork: false,
} as const;
const push = aBuild({ sequence: 50, branch: 'x', commit: A });
const pull = aBuild({ sequence: 50, branch: 'x', commit: A, pullRequest: 7, baseBranch: 'main' });

describe('rule 18: the first step that gives a base', () => {
  test.each<[string, Build, readonly Build[], [number, BaseRule] | undefined]>([
    ['none: a first build', push, [], undefined],
    [
      'a push: the previous build of its branch',
      push,
      [onBranch(9, 'main'), onBranch(3, 'x')],
      [3, 'previous-on-branch'],
    ],
    ['a push: no later build', push, [onBranch(60, 'x'), onBranch(3, 'x')], [3, 'previous-on-branch']],
    [
      'a push: no build of its commit',
      push,
      [onBranch(4, 'x', { commit: A }), onBranch(3, 'x')],
      [3, 'previous-on-branch'],
    ],
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
    [
      'a pull request: its base branch, later builds too',
      pull,
      [onBranch(60, 'main'), onBranch(70, 'x')],
      [60, 'base-branch'],
    ],
    [
      'a pull request tested at its merge commit: the first parent',
      { ...pull, testedCommit: sha('e'), baseCommit: D },
      [onBranch(60, 'main'), onBranch(3, 'main', { commit: D })],
      [3, 'merge-parent'],
    ],
    [
      'compare_sha',
      { ...push, compareCommit: D },
      [onBranch(9, 'x'), onBranch(3, 'other', { commit: D })],
      [3, 'compare-sha'],
    ],
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
    result: aResult({
      base: { ...toBasePick(kept, { rule: 'default-branch', commitsAway: undefined }), closeCount: 1 },
    }),
  });

  test('keeps its base, read at its newest close', async () => {
    const services = { builds: historyOf([kept, onBranch(9, 'main', { commit: D })]), ...telling([]) };
    const { base } = await chooseBase(services, {
      build: reopened(push),
      repo: aRepo(),
      flags: [],
      deadline: createDeadline(systemTimers, 1_000),
    });
    expect(base).toMatchObject({ build: { sequence: 3 }, pick: { rule: 'default-branch', closeCount: 4 } });
  });

  test('takes another when a higher rule now gives one', async () => {
    expect(await chosen(reopened(push), [kept, onBranch(9, 'main'), onBranch(8, 'x')])).toEqual([
      8,
      'previous-on-branch',
    ]);
  });

  test.each([
    ['stays while it is silent', false, 3],
    ['is one no more once it has spoken', true, 9],
  ])('a guess that was made while the provider was silent %s', async (_, complete, expected) => {
    const guessed = aResult({
      base: toBasePick(onBranch(3, 'main'), { rule: 'base-branch', commitsAway: undefined }),
      provisionalSince: 1,
    });
    const build = { ...pull, result: guessed, facts: { ...NO_FACTS, complete } };
    expect(await chosen(build, [onBranch(9, 'main', { commit: D }), onBranch(3, 'main')])).toEqual([
      expected,
      'base-branch',
    ]);
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

describe('rule 18: along first parents', () => {
  const [C1, C2, C3] = [sha('1'), sha('2'), sha('3')];
  const chain = [C1, C2, C3];
  const of = (sequence: number, commit: string, stated: Partial<Build> = {}): Build =>
    aClosedBuild({ sequence, branch: 'other', commit, ...stated });
  const choose = async (
    build: Build,
    history: readonly Build[],
    ancestors: readonly string[] | undefined,
  ): Promise<BaseChoice> => {
    const services = { builds: historyOf([...history, build]), ...telling(ancestors) };
    return chooseBase(services, { build, repo: aRepo(), flags: [], deadline: createDeadline(systemTimers, 1_000) });
  };
  const facts = { ...NO_FACTS, mergeBase: D } as const;
  const headTested: Build = { ...pull, facts };

  test.each<[string, Build, readonly Build[], readonly [number, BaseRule, number | undefined] | undefined]>([
    [
      'a push: the nearest ancestor, before its branch',
      push,
      [of(3, C3), of(4, C2), onBranch(9, 'x')],
      [4, 'ancestor', 2],
    ],
    [
      'a push: a build of an ancestor that came later does not count',
      push,
      [of(60, C1), of(4, C2)],
      [4, 'ancestor', 2],
    ],
    [
      'a push: a complete ancestor before a nearer incomplete one',
      push,
      [of(5, C1, { result: incomplete }), of(4, C2)],
      [4, 'ancestor', 2],
    ],
    ['a pull request: the merge base', headTested, [of(60, D), of(4, C1)], [60, 'merge-base', 0]],
    ['a pull request: the merge base’s ancestors', headTested, [of(60, C2), onBranch(61, 'main')], [60, 'ancestor', 2]],
    ['a pull request: else its base branch', headTested, [onBranch(61, 'main')], [61, 'base-branch', undefined]],
    [
      'a pull request: the first parent of its merge commit before a merge base',
      { ...pull, facts: { ...NO_FACTS, mergeParent: C3, mergeBase: D } },
      [of(60, D), of(5, C3)],
      [5, 'merge-parent', 0],
    ],
    [
      'a pull request that was given another base: what the provider says now',
      { ...pull, facts: { ...NO_FACTS, pull: { ...PULL, baseBranch: 'next' } } },
      [onBranch(60, 'main'), onBranch(5, 'next')],
      [5, 'base-branch', undefined],
    ],
    [
      'one that an administrator excluded is looked past',
      push,
      [of(4, C1, { excludedAsBase: { by: 'a', at: 1 } }), of(3, C2)],
      [3, 'ancestor', 2],
    ],
    [
      'one that landed counts by the commit there',
      push,
      [of(4, B, { pullRequest: 9, landed: { branch: 'main', commit: C1, how: 'same-tree', at: 1 } })],
      [4, 'ancestor', 1],
    ],
  ])('%s', async (_, build, history, expected) => {
    const { base } = await choose(build, history, chain);
    expect(base && [base.build.sequence, base.pick.rule, base.pick.commitsAway]).toEqual(expected);
  });

  test('what was looked for without success is waited for (rule 20)', async () => {
    const missingBases = (...commits: string[]) => commits.map((commit) => `commit:${commit}`);
    expect(await choose(push, [of(4, C2)], chain)).toMatchObject({
      missingBases: missingBases(C1, C2),
      unavailable: false,
    });
    expect(await choose(push, [], chain)).toMatchObject({
      base: undefined,
      missingBases: [...missingBases(C1, C2, C3), 'branch:x', 'branch:main', 'branch:master'],
    });
    expect((await choose(headTested, [], chain)).missingBases).toEqual([...missingBases(D, C1, C2, C3), 'branch:main']);
    // Another build of the base's own commit may have more flags in common.
    expect((await choose(headTested, [of(60, D)], chain)).missingBases).toEqual(missingBases(D));
  });

  test('a nearer base replaces a kept one, a farther one does not', async () => {
    const kept = of(4, C2);
    const closed = { ...push, result: aResult({ base: toBasePick(kept, { rule: 'ancestor', commitsAway: 2 }) }) };
    expect((await choose(closed, [kept, of(5, C1)], chain)).base?.build.sequence).toBe(5);
    expect((await choose(closed, [kept, of(5, C3)], chain)).base?.build.sequence).toBe(4);
    expect((await choose({ ...closed, baseForgotten: true }, [onBranch(9, 'x'), kept], [])).base?.build.sequence).toBe(
      9,
    );
  });

  test('another build of a kept base’s commit takes its place where rule 18 prefers it', async () => {
    const kept = of(4, C1, { serviceName: 'other' });
    const closed = { ...push, result: aResult({ base: toBasePick(kept, { rule: 'ancestor', commitsAway: 1 }) }) };
    const { base } = await choose(closed, [kept, of(3, C1)], chain);
    expect(base).toMatchObject({ build: { sequence: 3 }, pick: { rule: 'ancestor', commitsAway: 1 } });
  });

  test('rule 13: an incomplete base gives way to a complete one of any rule, and is waited for', async () => {
    const kept = of(4, C1, { result: incomplete });
    const closed = { ...push, result: aResult({ base: toBasePick(kept, { rule: 'ancestor', commitsAway: 1 }) }) };
    expect((await choose(closed, [kept, onBranch(9, 'x')], [C1])).base?.build.sequence).toBe(9);
    expect((await choose(push, [kept, onBranch(9, 'x')], [C1])).missingBases).toContain(`commit:${C1}`);
  });

  test('what was chosen while the provider was away is chosen again', async () => {
    const guess = onBranch(9, 'x', { commit: sha('7') });
    const pick = toBasePick(guess, { rule: 'previous-on-branch', commitsAway: undefined });
    const closed = { ...push, result: aResult({ base: pick, provisionalSince: 1 }) };
    const kept = { ...closed, result: aResult({ base: pick }) };
    const history = [guess, onBranch(12, 'x', { commit: sha('8') })];
    expect((await choose(closed, history, [])).base?.build.sequence).toBe(12);
    expect((await choose(kept, history, [])).base?.build.sequence).toBe(9);
  });

  test('without the provider’s answer a rule that needs none decides, and it is said', async () => {
    const choice = await choose(push, [of(4, C1), onBranch(3, 'x')], undefined);
    expect(choice).toMatchObject({ base: { build: { sequence: 3 } }, unavailable: true });
  });
});
