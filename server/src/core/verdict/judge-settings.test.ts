import { describe, expect, test } from 'vitest';
import { sha, totals } from '../../../../test/support/records.ts';
import { inWords } from '../../../../test/support/verdict-words.ts';
import type { CoverageTotals } from '../coverage/totals.ts';
import type { Thresholds } from './findings.ts';
import { judgeBuild, judgeFlag } from './judge-build.ts';
import type { Verdict } from './verdict.ts';

const thresholds = (minimum: number | null, allowedDrop: number | null): Thresholds => ({ minimum, allowedDrop });
const NONE = thresholds(null, null);

describe('a flag with settings of its own', () => {
  const base = { number: '70', totals: totals(80, 100) };
  test.each<[string, Thresholds, Thresholds, CoverageTotals, Verdict['state'], Verdict['rule']]>([
    ['nothing of its own: as the repo', NONE, NONE, totals(79, 100), 'failure', 'no-decrease'],
    ['nothing of its own: the repo’s drop', NONE, thresholds(null, 2), totals(79, 100), 'success', 'allowed-drop'],
    ['nothing of its own: the repo’s minimum', NONE, thresholds(95, null), totals(79, 100), 'success', 'minimum'],
    ['its own drop', thresholds(null, 2), NONE, totals(78, 100), 'success', 'allowed-drop'],
    ['its own drop, exceeded', thresholds(null, 2), thresholds(null, 9), totals(77, 100), 'failure', 'allowed-drop'],
    ['a drop of 0 is one', thresholds(null, 0), thresholds(null, 9), totals(79, 100), 'failure', 'allowed-drop'],
    [
      'its own drop beside the repo’s minimum',
      thresholds(null, 2),
      thresholds(95, null),
      totals(78, 100),
      'success',
      'allowed-drop',
    ],
    ['its own minimum', thresholds(70, null), NONE, totals(70, 100), 'success', 'minimum'],
    ['its own minimum, missed', thresholds(85, null), NONE, totals(84, 100), 'failure', 'minimum'],
    [
      'its own minimum, not the repo’s',
      thresholds(70, null),
      thresholds(95, null),
      totals(70, 100),
      'success',
      'minimum',
    ],
    [
      'its own minimum and the repo’s drop',
      thresholds(70, null),
      thresholds(null, 2),
      totals(75, 100),
      'failure',
      'allowed-drop',
    ],
    ['both its own', thresholds(70, 5), NONE, totals(75, 100), 'success', 'minimum'],
    ['both its own: below the minimum', thresholds(76, 5), NONE, totals(75, 100), 'failure', 'minimum'],
  ])('%s', (_, own, repo, now, state, rule) => {
    expect(judgeFlag({ totals: now, base, thresholds: repo, own })).toMatchObject({ state, rule });
  });

  test('its own minimum needs no base', () => {
    const flag = { totals: totals(79, 100), base: undefined, thresholds: NONE, own: thresholds(80, 1) };
    expect(inWords(judgeFlag(flag))).toMatchObject({
      state: 'failure',
      rule: 'minimum',
      summary: '79.00%: below the minimum of 80%',
    });
    expect(judgeFlag({ ...flag, totals: totals(0, 0) })).toMatchObject({ state: 'success', rule: 'nothing-relevant' });
  });
});

describe('a build that no job came for', () => {
  const judge = (base: CoverageTotals | undefined, measuredChanges: number | undefined, commit?: string): Verdict =>
    judgeBuild({
      totals: totals(0, 0),
      base: base && { number: '70', commit, totals: base },
      thresholds: NONE,
      unreported: [],
      measuredChanges,
    });

  test.each<[string, number | undefined, Partial<ReturnType<typeof inWords>>]>([
    [
      'no measured file changed',
      0,
      { state: 'success', rule: 'nothing-relevant', summary: 'no measured file changed' },
    ],
    [
      'a measured file changed',
      1,
      {
        state: 'failure',
        rule: 'no-coverage-arrived',
        summary: 'coverage was expected, none came: 1 changed file is measured in build 70',
      },
    ],
    [
      'measured files changed',
      2,
      { state: 'failure', summary: expect.stringContaining('2 changed files are measured') },
    ],
    [
      'not known',
      undefined,
      { state: 'failure', summary: 'no coverage was uploaded; the base (build 70) had 100 relevant lines' },
    ],
  ])('%s', (_, measuredChanges, expected) => {
    expect(inWords(judge(totals(80, 100), measuredChanges))).toMatchObject(expected);
  });

  test.each([1, undefined])('the base is named by its commit where that is known, %s measured', (measuredChanges) => {
    expect(inWords(judge(totals(80, 100), measuredChanges, sha('d'))).summary).toMatch(/\bddddddd\b/);
  });

  test('without a base nothing is expected', () => {
    expect(judge(undefined, 3)).toMatchObject({ state: 'success', rule: 'nothing-relevant' });
  });
});
