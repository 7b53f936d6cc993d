import { expect, test } from 'vitest';
import { aFlag, aResult, totals as aTotals } from '../../../test/support/records.ts';
import { checksOf } from '../core/builds/build-checks.ts';
import { judgeFlag } from '../core/verdict/judge-build.ts';
import { checkRow, countsText } from './comment-rows.ts';

test.each([
  [{ coveredLines: 14, relevantLines: 19, coveredBranches: 5, branches: 8 }, '14 of 19 lines and 5 of 8 branches'],
  [{ coveredLines: 0, relevantLines: 1, coveredBranches: 1, branches: 1 }, '0 of 1 line and 1 of 1 branch'],
  [{ coveredLines: 1, relevantLines: 1, coveredBranches: 0, branches: 0 }, '1 of 1 line'],
])('counts in words', (totals, words) => expect(countsText(totals)).toBe(words));

test('a flag that its base lacks names the build that it is compared with', () => {
  const [totals, baseTotals] = [aTotals(2, 5), aTotals(1, 2)];
  const thresholds = { minimum: null, allowedDrop: 20 };
  const verdict = judgeFlag({ totals, base: { number: '70', totals: baseTotals }, thresholds });
  const flag = aFlag('ui', { totals, baseTotals, verdict });
  const rows = { at: 0, explained: false, withRule: true, pageOf: (check: string) => `/${check}` };
  const row = (looksPastBase?: true) => {
    const [, check] = checksOf(aResult({ flags: [{ ...flag, looksPastBase }] }));
    return check && checkRow(check, rows);
  };
  expect(row(true)).toBe('|✅ [`ui`](/flag:ui) compared with build 70|40.00%|−10.00|drop of at most 20 points|');
  expect(row()).toBe('|✅ [`ui`](/flag:ui)|40.00%|−10.00|drop of at most 20 points|');
});
