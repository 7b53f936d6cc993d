import { describe, expect, test } from 'vitest';
import { aRepo, historyOf, telling } from '../../../test/support/build-history.ts';
import { aBuild, aClosedBuild, sha } from '../../../test/support/records.ts';
import type { BaseRule, Build } from '../core/builds/build.ts';
import { createDeadline } from '../hosts/facts/deadline.ts';
import { systemTimers } from '../platform/timers/system-timers.ts';
import { type BaseChoice, chooseBase } from './choose-base.ts';

const [A, B, D] = [sha('a'), sha('b'), sha('d')];
const onBranch = (sequence: number, branch: string, stated: Partial<Build> = {}): Build =>
  aClosedBuild({ sequence, branch, commit: B, ...stated });
const push = aBuild({ sequence: 50, branch: 'x', commit: A });

describe('rule 18: what compare_sha and compare_ref ask for', () => {
  const long = (end: string): string => `abcdef1${'0'.repeat(32)}${end}`;
  const [ONE, TWO] = [long('1'), long('2')];
  const main = onBranch(3, 'main');
  const tagged = (sequence: number, branch: string): Build =>
    onBranch(sequence, branch, { tag: true, commit: sha(String(sequence)) });
  const choose = (stated: Partial<Build>, ...history: readonly Build[]): Promise<BaseChoice> => {
    const build = { ...push, branch: 'topic', ...stated };
    const services = { builds: historyOf([main, ...history, build]), ...telling([]) };
    const deadline = createDeadline(systemTimers, 1_000);
    return chooseBase(services, { build, repo: aRepo(), flags: [], deadline });
  };

  test.each<[string, Partial<Build>, readonly Build[], [number, BaseRule], string | undefined]>([
    ['a tag: its newest', { compareRef: 'v1' }, [tagged(5, 'v1'), tagged(6, 'v1')], [6, 'compare-ref'], 'v1'],
    [
      'a branch before a tag',
      { compareRef: 'v1' },
      [tagged(5, 'v1'), onBranch(4, 'v1')],
      [4, 'compare-ref'],
      undefined,
    ],
    [
      'a tag by its whole name',
      { compareRef: 'refs/tags/v1' },
      [tagged(5, 'v1'), onBranch(6, 'v1')],
      [5, 'compare-ref'],
      'v1',
    ],
    [
      'a short sha',
      { compareCommit: ONE.slice(0, 10) },
      [onBranch(5, 'x', { commit: ONE })],
      [5, 'compare-sha'],
      undefined,
    ],
  ])('%s', async (_, stated, history, found, tag) => {
    const { base, unmet } = await choose(stated, ...history);
    expect([base?.build.sequence, base?.pick.rule, base?.pick.tag]).toEqual([...found, tag]);
    expect(unmet).toEqual([]);
  });

  test.each<[string, Partial<Build>, readonly Build[], readonly string[], string]>([
    ['an unknown ref', { compareRef: 'nxt' }, [], ['compare_ref nxt unknown'], 'tag:nxt'],
    ['an unknown sha', { compareCommit: D }, [], [`compare_sha ${D} unknown`], `commit:${D}`],
    ['an unknown short sha', { compareCommit: 'abcdef1' }, [], ['compare_sha abcdef1 unknown'], 'short:abcdef1'],
    [
      'a sha of too few digits',
      { compareCommit: 'abcdef' },
      [onBranch(5, 'x', { commit: ONE })],
      ['compare_sha abcdef unknown'],
      'commit:abcdef',
    ],
    [
      'two commits that begin so',
      { compareCommit: 'abcdef1' },
      [onBranch(5, 'x', { commit: ONE }), onBranch(6, 'x', { commit: TWO })],
      ['compare_sha abcdef1 ambiguous'],
      'short:abcdef1',
    ],
    [
      'a commit whose build is open',
      { compareCommit: ONE.slice(0, 9) },
      [aBuild({ sequence: 7, commit: ONE })],
      ['compare_sha abcdef100 no-base'],
      `commit:${ONE}`,
    ],
  ])('%s is left out, and said', async (_, stated, history, said, missing) => {
    const { base, unmet, missingBases } = await choose(stated, ...history);
    expect([base?.build.sequence, base?.pick.rule]).toEqual([3, 'default-branch']);
    expect(unmet?.map(({ field, value, why }) => `${field} ${value} ${why}`)).toEqual(said);
    expect(missingBases).toContain(missing);
  });

  test('compare_ref where compare_sha leads nowhere, which alone is said', async () => {
    const { base, unmet } = await choose({ compareCommit: D, compareRef: 'v1' }, tagged(5, 'v1'));
    expect([base?.build.sequence, base?.pick.rule]).toEqual([5, 'compare-ref']);
    expect(unmet?.map(({ field }) => field)).toEqual(['compare_sha']);
  });

  test('rule 29: an unverified run names none, and it is said', async () => {
    const { base, unmet } = await choose({ compareRef: 'main', trust: 'run' });
    expect([base?.pick.rule, unmet?.[0]?.why]).toEqual(['default-branch', 'unverified']);
  });
});
