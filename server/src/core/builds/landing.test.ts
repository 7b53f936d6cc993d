import { describe, expect, test } from 'vitest';
import { aBuild, aClosedBuild, providerFacts, sha } from '../../../../test/support/records.ts';
import type { Build } from './build.ts';
import type { Landing } from './build-facts.ts';
import { findAdoption, isOwnBuild, type KnownTrees, NO_TREES, planLanding } from './landing.ts';

const [HEAD, MERGE, LANDED, OTHER] = [sha('a'), sha('b'), sha('d'), sha('e')];
const landed = { branch: 'main', commit: LANDED };

const closed = (sequence: number, stated: Partial<Build> = {}): Build =>
  aClosedBuild({ sequence, pullRequest: 7, commit: HEAD, ...stated });
const open = (sequence: number, stated: Partial<Build> = {}): Build =>
  aBuild({ sequence, pullRequest: 7, commit: HEAD, ...stated });
const queued = (sequence: number, stated: Partial<Build> = {}): Build =>
  closed(sequence, { mergeQueue: true, baseBranch: 'main', commit: LANDED, ...stated });
const factsOf = (tree: string) => providerFacts({ tree });
const trees = (landedTree: string | undefined, tested: Record<string, string> = {}): KnownTrees => ({
  landed: landedTree,
  tested: new Map(Object.entries(tested)),
});

describe('which build a branch adopts when a pull request lands', () => {
  test.each<[string, readonly Build[], KnownTrees, [number, Landing['how']] | undefined]>([
    ['none of none', [], NO_TREES, undefined],
    ["a merge queue's of that commit", [closed(9), queued(8)], NO_TREES, [8, 'merge-queue']],
    ["not a merge queue's of another", [queued(8, { commit: OTHER })], NO_TREES, undefined],
    [
      'one of that very commit: a fast-forward',
      [closed(9, { commit: OTHER }), closed(8, { commit: LANDED })],
      NO_TREES,
      [8, 'same-commit'],
    ],
    [
      'not one that was tested merged with something else',
      [closed(9, { commit: LANDED, testedCommit: MERGE })],
      NO_TREES,
      undefined,
    ],
    ['one of the same tree, as it says itself', [closed(9, { facts: factsOf('t') })], trees('t'), [9, 'same-tree']],
    ['one of the same tree, as was asked', [closed(9)], trees('t', { [HEAD]: 't' }), [9, 'same-tree']],
    [
      'by what was tested, not by its head',
      [closed(9, { testedCommit: MERGE })],
      trees('t', { [HEAD]: 't' }),
      undefined,
    ],
    [
      'by the merge that was tested',
      [closed(9, { testedCommit: MERGE })],
      trees('t', { [MERGE]: 't' }),
      [9, 'same-tree'],
    ],
    ['none of another tree', [closed(9)], trees('t', { [HEAD]: 'u' }), undefined],
    ['none where nobody knows the trees', [closed(9, { facts: factsOf('t') })], NO_TREES, undefined],
    [
      'the newest of several',
      [closed(9, { facts: factsOf('t') }), closed(8, { facts: factsOf('t') })],
      trees('t'),
      [9, 'same-tree'],
    ],
    ['a closed one before an open one', [open(9), closed(8)], trees('t', { [HEAD]: 't' }), [8, 'same-tree']],
    ['an open one where there is no other', [open(9)], trees('t', { [HEAD]: 't' }), [9, 'same-tree']],
    ['no unverified one (rule 29)', [closed(9, { trust: 'run' })], trees('t', { [HEAD]: 't' }), undefined],
    [
      'none where one has landed already',
      [closed(9), closed(8, { landed: { branch: 'main', commit: LANDED, how: 'same-tree', at: 0 } })],
      trees('t', { [HEAD]: 't' }),
      undefined,
    ],
  ])('%s', (_, builds, known, expected) => {
    const adoption = findAdoption(builds, landed, { hasOwnBuild: false, trees: known });
    expect(adoption && [adoption.build.sequence, adoption.how]).toEqual(expected);
  });

  test('none where the branch has its own, but for a merge queue', () => {
    const known = { hasOwnBuild: true, trees: trees('t', { [HEAD]: 't' }) };
    expect(findAdoption([closed(9)], landed, known)).toBeUndefined();
    expect(findAdoption([queued(9)], landed, known)?.how).toBe('merge-queue');
  });

  test.each<[boolean, Partial<Build>]>([
    [true, {}],
    [false, { branch: 'other' }],
    [false, { commit: OTHER }],
    [false, { tag: true }],
    [false, { trust: 'run' }],
    [false, { pullRequest: 7 }],
    [false, { jobs: 0 }],
  ])('its own (%s): %j', (expected, stated) => {
    expect(isOwnBuild(aBuild({ branch: 'main', commit: LANDED, ...stated }), landed)).toBe(expected);
  });
});

describe('what landed is asked again for a day, after growing delays', () => {
  const due = { kind: 'landing', ...landed, since: 1_000, at: 0 } as const;
  const minutes = 60_000;
  test.each([
    ['at first', undefined, 1_000, { ...due, at: 6_000 }],
    ['later', due, 1_000 + 4 * minutes, { ...due, at: 1_000 + 8 * minutes }],
    ['much later', due, 1_000 + 300 * minutes, { ...due, at: 1_000 + 330 * minutes }],
    ['after a day', due, 1_000 + 24 * 60 * minutes, undefined],
    ['another commit begins again', { ...due, commit: OTHER }, 50_000, { ...due, since: 50_000, at: 55_000 }],
  ])('%s', (_, before, now, expected) => {
    expect(planLanding(before, landed, now)).toEqual(expected);
  });
});
