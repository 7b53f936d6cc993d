import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { totals } from '../../../../test/support/records.ts';
import { inWords } from '../../../../test/support/verdict-words.ts';
import { type JudgedPatch, judgePatch } from './judge-patch.ts';
import type { FlagVerdict } from './verdict.ts';

const judge = (stated: Partial<JudgedPatch>): FlagVerdict =>
  judgePatch({ totals: totals(7, 8), complete: true, minimum: null, ...stated });

describe('the verdict on changed lines', () => {
  test.each<[string, Partial<JudgedPatch>, FlagVerdict['state'], FlagVerdict['rule'], string]>([
    ['no minimum: the number', {}, 'success', 'patch-change', '87.50% of the change covered (7 of 8 lines)'],
    [
      'no minimum, none covered',
      { totals: totals(0, 3) },
      'success',
      'patch-change',
      '0.00% of the change covered (0 of 3 lines)',
    ],
    [
      'with branches',
      { totals: totals(7, 8, 1, 2) },
      'success',
      'patch-change',
      '80.00% of the change covered (7 of 8 lines, 1 of 2 branches)',
    ],
    [
      'at the minimum',
      { minimum: 87.5 },
      'success',
      'patch-minimum',
      '87.50% of the change covered (7 of 8 lines): at least the minimum of 87.5%',
    ],
    [
      'below it by less than is shown',
      { totals: totals(2, 3), minimum: 66.67 },
      'failure',
      'patch-minimum',
      '66.66% of the change covered (2 of 3 lines): below the minimum of 66.67%',
    ],
    [
      'at the total of the base',
      { minimum: 'base', base: { number: '70', commit: 'd'.repeat(40), totals: totals(70, 80) } },
      'success',
      'patch-minimum',
      "87.50% of the change covered (7 of 8 lines): at least the base's total of 87.50% in ddddddd",
    ],
    [
      'below the total of the base',
      { minimum: 'base', base: { number: '70', totals: totals(90, 100, 9, 10) } },
      'failure',
      'patch-minimum',
      "87.50% of the change covered (7 of 8 lines): below the base's total of 90.00% in build 70",
    ],
    [
      'below the total of the base by less than is shown',
      { totals: totals(2, 3), minimum: 'base', base: { number: '70', totals: totals(66_667, 100_000) } },
      'failure',
      'patch-minimum',
      "66.66% of the change covered (2 of 3 lines): just below the base's total of 66.66% in build 70",
    ],
    [
      'the total of the base, without one',
      { minimum: 'base' },
      'success',
      'patch-change',
      '87.50% of the change covered (7 of 8 lines)',
    ],
    [
      'the total of the base, which has no percentage',
      { minimum: 'base', base: { number: '70', totals: totals(0, 0) } },
      'success',
      'patch-change',
      '87.50% of the change covered (7 of 8 lines)',
    ],
    [
      'nothing relevant',
      { totals: totals(0, 0), minimum: 90 },
      'success',
      'nothing-relevant',
      'no relevant line changed',
    ],
    [
      'nothing relevant is known',
      { totals: totals(0, 0), minimum: 90, complete: false },
      'success',
      'nothing-relevant',
      'no changed line is known to be relevant',
    ],
    [
      'nothing is measured',
      { totals: totals(0, 0), minimum: 90, notMeasured: 3 },
      'success',
      'nothing-relevant',
      'none of the 3 changed lines was measured',
    ],
  ])('%s', (_, patch, state, rule, summary) => {
    expect(inWords(judge(patch))).toMatchObject({ state, rule, summary });
  });

  test('says what would pass', () => {
    const { explanation } = inWords(judge({ totals: totals(5, 8), minimum: 80 }));
    expect(explanation).toBe(
      '62.50% of the change covered (5 of 8 lines): below the minimum of 80%. Covering 2 more changed lines ' +
        'would pass.',
    );
    expect(inWords(judge({ totals: totals(1, 1, 0, 2), minimum: 50 })).explanation).toMatch(
      /Covering 1 more changed line or branch would pass\.$/,
    );
  });

  test('says what would reach the total of the base', () => {
    const base = { number: '70', totals: totals(79, 100) };
    expect(inWords(judge({ totals: totals(5, 8), minimum: 'base', base })).explanation).toMatch(
      /below the base's total of 79\.00% in build 70\. Covering 2 more changed lines would pass\.$/,
    );
  });

  test('fails exactly below the total of the base', () => {
    const some = fc.tuple(fc.nat(50), fc.nat(50)).map(([covered, missed]) => totals(covered, covered + missed));
    fc.assert(
      fc.property(some, some, (changed, before) => {
        const { state } = judge({ totals: changed, minimum: 'base', base: { number: '1', totals: before } });
        const isKnown = changed.relevantLines > 0 && before.relevantLines > 0;
        const below = changed.coveredLines * before.relevantLines < before.coveredLines * changed.relevantLines;
        expect(state).toBe(isKnown && below ? 'failure' : 'success');
      }),
    );
  });

  test('fails exactly below the minimum, and never without one', () => {
    fc.assert(
      fc.property(fc.nat(50), fc.nat(50), fc.integer({ min: 0, max: 100 }), (covered, missed, minimum) => {
        const counts = totals(covered, covered + missed);
        const below = covered + missed > 0 && 100 * covered < minimum * (covered + missed);
        expect(judge({ totals: counts, minimum }).state).toBe(below ? 'failure' : 'success');
        expect(judge({ totals: counts }).state).toBe('success');
      }),
    );
  });
});
