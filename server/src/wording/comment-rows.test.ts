import { expect, test } from 'vitest';
import { countsText } from './comment-rows.ts';

test.each([
  [{ coveredLines: 14, relevantLines: 19, coveredBranches: 5, branches: 8 }, '14 of 19 lines and 5 of 8 branches'],
  [{ coveredLines: 0, relevantLines: 1, coveredBranches: 1, branches: 1 }, '0 of 1 line and 1 of 1 branch'],
  [{ coveredLines: 1, relevantLines: 1, coveredBranches: 0, branches: 0 }, '1 of 1 line'],
])('counts in words', (totals, words) => expect(countsText(totals)).toBe(words));
