import { expect, test } from 'vitest';
import { aFlag, totals as aTotals } from '../../../test/support/records.ts';
import { judgeFlag } from '../core/verdict/judge-build.ts';
import { countsText, flagRow } from './comment-rows.ts';

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
  const row = (looksPastBase?: true) => flagRow({ ...flag, looksPastBase }, { at: 0, explained: false });
  expect(row(true)).toBe('|`ui` ✅ compared with build 70|40.00%|−10.00|');
  expect(row()).toBe('|`ui` ✅|40.00%|−10.00|');
});
