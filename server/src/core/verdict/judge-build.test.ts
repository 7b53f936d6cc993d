import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { totals } from '../../../../test/support/records.ts';
import { inWords } from '../../../../test/support/verdict-words.ts';
import type { CoverageTotals } from '../coverage/totals.ts';
import type { Thresholds } from './findings.ts';
import { type JudgedBuild, judgeBuild, judgeFlag, judgeMissingFlag } from './judge-build.ts';
import type { Verdict } from './verdict.ts';

const thresholds = (minimum: number | null, allowedDrop: number | null): Thresholds => ({ minimum, allowedDrop });
const NONE = thresholds(null, null);
const BELOW_79 = '78.00%, −2.00 points from 80.00% in build 70: below the minimum of 79%';

function judge(build: CoverageTotals, base: CoverageTotals | undefined, stated: Partial<JudgedBuild> = {}): Verdict {
  return judgeBuild({
    totals: build,
    base: base && { number: '70', totals: base },
    thresholds: NONE,
    unreported: [],
    ...stated,
  });
}

describe('the table of minimum and allowed drop', () => {
  const rows: [Thresholds, CoverageTotals, CoverageTotals | undefined, Verdict['state'], Verdict['rule'], string][] = [
    // Neither: no decrease.
    [NONE, totals(81, 100), totals(80, 100), 'success', 'no-decrease', '81.00%, +1.00 points from 80.00% in build 70'],
    [NONE, totals(80, 100), totals(80, 100), 'success', 'no-decrease', '80.00%, unchanged from build 70'],
    [NONE, totals(4, 6), totals(2, 3), 'success', 'no-decrease', '66.66%, unchanged from build 70'],
    [
      NONE,
      totals(79, 100),
      totals(80, 100),
      'failure',
      'no-decrease',
      '79.00%, −1.00 points from 80.00% in build 70: no decrease allowed',
    ],
    [
      NONE,
      totals(799_999, 1_000_000),
      totals(8, 10),
      'failure',
      'no-decrease',
      '79.99%, −0.0001 points from 80.00% in build 70: no decrease allowed',
    ],
    // Minimum alone: whatever the change.
    [
      thresholds(80, null),
      totals(80, 100),
      totals(99, 100),
      'success',
      'minimum',
      '80.00%, −19.00 points from 99.00% in build 70: at least the minimum of 80%',
    ],
    [
      thresholds(80, null),
      totals(7_999, 10_000),
      totals(1, 100),
      'failure',
      'minimum',
      '79.99%, +78.99 points from 1.00% in build 70: below the minimum of 80%',
    ],
    [
      thresholds(66.67, null),
      totals(6_667, 10_000),
      undefined,
      'success',
      'minimum',
      '66.67%: at least the minimum of 66.67%',
    ],
    [thresholds(66.67, null), totals(2, 3), undefined, 'failure', 'minimum', '66.66%: below the minimum of 66.67%'],
    [thresholds(100, null), totals(3, 3), undefined, 'success', 'minimum', '100.00%: at least the minimum of 100%'],
    [
      thresholds(100, null),
      totals(99_999, 100_000),
      undefined,
      'failure',
      'minimum',
      '99.99%: below the minimum of 100%',
    ],
    [
      thresholds(0, null),
      totals(0, 3),
      totals(3, 3),
      'success',
      'minimum',
      '0.00%, −100.00 points from 100.00% in build 70: at least the minimum of 0%',
    ],
    // Allowed drop alone.
    [
      thresholds(null, 2),
      totals(78, 100),
      totals(80, 100),
      'success',
      'allowed-drop',
      '78.00%, −2.00 points from 80.00% in build 70: within the allowed drop of 2 points',
    ],
    [
      thresholds(null, 2),
      totals(77_999, 100_000),
      totals(80, 100),
      'failure',
      'allowed-drop',
      '77.99%, −2.001 points from 80.00% in build 70: more than the allowed drop of 2 points',
    ],
    [
      thresholds(null, 0.1),
      totals(799, 1_000),
      totals(800, 1_000),
      'success',
      'allowed-drop',
      '79.90%, −0.10 points from 80.00% in build 70: within the allowed drop of 0.1 points',
    ],
    [
      thresholds(null, 33.33),
      totals(1, 3),
      totals(2, 3),
      'failure',
      'allowed-drop',
      '33.33%, −33.333 points from 66.66% in build 70: more than the allowed drop of 33.33 points',
    ],
    [
      thresholds(null, 0),
      totals(79, 100),
      totals(80, 100),
      'failure',
      'allowed-drop',
      '79.00%, −1.00 points from 80.00% in build 70: no decrease allowed',
    ],
    [
      thresholds(null, 0),
      totals(80, 100),
      totals(80, 100),
      'success',
      'allowed-drop',
      '80.00%, unchanged from build 70',
    ],
    [
      thresholds(null, 0),
      totals(81, 100),
      totals(80, 100),
      'success',
      'allowed-drop',
      '81.00%, +1.00 points from 80.00% in build 70',
    ],
    // Both.
    [
      thresholds(78, 2),
      totals(78, 100),
      totals(80, 100),
      'success',
      'minimum',
      '78.00%, −2.00 points from 80.00% in build 70: at least the minimum of 78%, within the allowed drop of 2 points',
    ],
    [thresholds(79, 2), totals(78, 100), totals(80, 100), 'failure', 'minimum', BELOW_79],
    [
      thresholds(70, 1),
      totals(78, 100),
      totals(80, 100),
      'failure',
      'allowed-drop',
      '78.00%, −2.00 points from 80.00% in build 70: more than the allowed drop of 1 point',
    ],
    [
      thresholds(79, 1),
      totals(78, 100),
      totals(80, 100),
      'failure',
      'minimum',
      `${BELOW_79}, more than the allowed drop of 1 point`,
    ],
    // Without a base only the minimum applies.
    [NONE, totals(1, 100), undefined, 'success', 'first-build', '1.00%: no earlier build to compare with'],
    [
      thresholds(null, 0),
      totals(1, 100),
      undefined,
      'success',
      'first-build',
      '1.00%: no earlier build to compare with',
    ],
    [thresholds(80, 0), totals(80, 100), undefined, 'success', 'minimum', '80.00%: at least the minimum of 80%'],
    [thresholds(80, 0), totals(79, 100), undefined, 'failure', 'minimum', '79.00%: below the minimum of 80%'],
  ];

  test.each(rows)('%j: %j after %j is a %s by %s', (limits, build, base, state, rule, words) => {
    const verdict = judge(build, base, { thresholds: limits });
    expect(inWords(verdict)).toMatchObject({ state, rule, explanation: `Coverage is ${words}.`, provisional: false });
    // The status has less room: it may leave the base's number to what is said of the base, never one of the numbers
    // compared.
    const numbers = words.replace(' in build 70', '').match(/[\d.]+%/g) ?? [];
    expect(inWords(verdict).summary.match(/[\d.]+%/g)).toEqual(numbers);
  });

  test('rule 2: branches count as lines do', () => {
    expect(judge(totals(9, 10, 1, 2), totals(9, 10, 2, 2)).state).toBe('failure');
    expect(inWords(judge(totals(9, 10, 1, 2), totals(10, 12))).explanation).toBe(
      'Coverage is 83.33%, unchanged from build 70.',
    );
  });

  test('rule 3: a comparison is exact however near the numbers are', () => {
    const counts = fc
      .record({ covered: fc.nat(2 ** 26), more: fc.nat(2 ** 26) })
      .filter(({ covered, more }) => covered + more > 0);
    fc.assert(
      fc.property(counts, counts, (now, before) => {
        const of = ({ covered, more }: typeof now) => totals(covered, covered + more);
        const decreased =
          BigInt(now.covered) * BigInt(before.covered + before.more) <
          BigInt(before.covered) * BigInt(now.covered + now.more);
        expect(judge(of(now), of(before)).state).toBe(decreased ? 'failure' : 'success');
      }),
    );
  });
});

describe('rule 4: nothing relevant', () => {
  test.each<[string, CoverageTotals | undefined, Partial<ReturnType<typeof inWords>>]>([
    ['without a base', undefined, { state: 'success', rule: 'nothing-relevant', explanation: 'No relevant lines.' }],
    ['a base without relevant lines', totals(0, 0), { state: 'success', rule: 'nothing-relevant' }],
    [
      'a base with one',
      totals(0, 1),
      { state: 'failure', rule: 'no-coverage-arrived', explanation: expect.stringContaining('had 1 relevant line.') },
    ],
    [
      'a base with many',
      totals(9, 120),
      {
        state: 'failure',
        rule: 'no-coverage-arrived',
        explanation: expect.stringMatching(/^No coverage was uploaded; the base .*had 120 relevant lines\.$/),
      },
    ],
  ])('%s', (_, base, expected) => {
    expect(inWords(judge(totals(0, 0), base, { thresholds: thresholds(80, 1) }))).toMatchObject(expected);
  });
});

describe('rule 13: incomplete', () => {
  test('names what did not report, and no percentage', () => {
    const verdict = judge(totals(1, 100), totals(99, 100), {
      unreported: ['api', 'ui'],
      thresholds: thresholds(80, 0),
    });
    expect(inWords(verdict)).toEqual({
      state: 'incomplete',
      rule: 'incomplete',
      summary: 'incomplete: api, ui did not report before the build was closed',
      explanation: 'Incomplete: api, ui did not report before the build was closed.',
      provisional: false,
    });
  });

  test('names a hundred at most', () => {
    const unreported = Array.from({ length: 4_000 }, (_, number) => `flag-${number}`);
    const { summary } = inWords(judge(totals(1, 100), totals(99, 100), { unreported }));
    expect(summary).toMatch(/^incomplete: flag-0, .*, flag-99 and 3900 more did not report/);
    expect(summary).not.toContain('flag-100');
  });

  test('also where nothing arrived at all', () => {
    expect(judge(totals(0, 0), totals(99, 100), { unreported: ['api'] }).state).toBe('incomplete');
  });
});

describe('a flag is judged by change alone', () => {
  const flag = (now: CoverageTotals, before: CoverageTotals | undefined, limits: Thresholds) =>
    judgeFlag({ totals: now, base: before && { number: '70', totals: before }, thresholds: limits });

  test.each<[string, Thresholds, CoverageTotals, CoverageTotals | undefined, string, string]>([
    ['both null, a decrease', NONE, totals(79, 100), totals(80, 100), 'failure', 'no-decrease'],
    ['both null, unchanged', NONE, totals(80, 100), totals(80, 100), 'success', 'no-decrease'],
    ['an allowed drop, exactly that', thresholds(null, 1), totals(79, 100), totals(80, 100), 'success', 'allowed-drop'],
    ['an allowed drop, more', thresholds(null, 1), totals(78, 100), totals(80, 100), 'failure', 'allowed-drop'],
    ['both set: below the minimum', thresholds(90, 1), totals(79, 100), totals(80, 100), 'success', 'allowed-drop'],
    [
      'both set, more than the allowed drop',
      thresholds(10, 1),
      totals(78, 100),
      totals(80, 100),
      'failure',
      'allowed-drop',
    ],
    [
      'only the minimum, a decrease below it',
      thresholds(90, null),
      totals(7, 100),
      totals(80, 100),
      'success',
      'minimum',
    ],
    ['only the minimum, an increase', thresholds(90, null), totals(81, 100), totals(80, 100), 'success', 'no-decrease'],
    ['no such flag in the base', thresholds(90, 0), totals(1, 100), undefined, 'success', 'first-build'],
    ['the base’s without relevant lines', NONE, totals(1, 100), totals(0, 0), 'success', 'first-build'],
    ['nothing relevant', NONE, totals(0, 0), undefined, 'success', 'nothing-relevant'],
    ['nothing relevant any more', NONE, totals(0, 0), totals(80, 100), 'failure', 'no-coverage-arrived'],
  ])('%s', (_, limits, now, before, state, rule) => {
    expect(flag(now, before, limits)).toMatchObject({ state, rule });
  });

  test('in words', () => {
    expect(inWords(flag(totals(79, 100), totals(80, 100), NONE)).explanation).toBe(
      'Coverage is 79.00%, −1.00 points from 80.00% in build 70: no decrease allowed.',
    );
    expect(inWords(flag(totals(79, 100), totals(80, 100), thresholds(90, null))).summary).toBe(
      "79.00%, −1.00 points from 80.00% in build 70: only the build's minimum decides",
    );
    expect(inWords(flag(totals(79, 100), undefined, NONE)).summary).toBe(
      '79.00%: no earlier report of this flag to compare with',
    );
  });
});

describe('rule 17: a flag that the base has and the build lacks', () => {
  const lastSeen = { number: '71', totals: totals(812, 1_000) };

  test('after an ordinary close', () => {
    expect(inWords(judgeMissingFlag(lastSeen, false))).toEqual({
      state: 'success',
      rule: 'not-reported',
      summary: 'not reported; last 81.20% in build 71',
      explanation: 'Not reported; last 81.20% in build 71.',
    });
  });

  test('where the build is incomplete for it', () => {
    expect(judgeMissingFlag(lastSeen, true)).toMatchObject({ state: 'incomplete', rule: 'incomplete' });
    expect(inWords(judgeMissingFlag(lastSeen, true)).summary).toMatch(/^did not report .*; last 81\.20% in build 71$/);
  });
});
