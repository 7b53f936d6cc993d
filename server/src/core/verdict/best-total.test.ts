import { expect, test } from 'vitest';
import { bestStanding } from './best-total.ts';

const builds = (...covered: readonly number[]) =>
  covered.map((one, at) => ({
    number: String(at + 1),
    totals: { coveredLines: one, relevantLines: 100, coveredBranches: 0, branches: 0 },
  }));

test.each([
  ['two builds are too few', [90, 90], undefined],
  ['the lowest of three', [80, 82, 81], '1'],
  ['one lucky build raises nothing', [80, 80, 99, 80, 80], '1'],
  ['three in a row do', [80, 85, 86, 85, 70], '2'],
  ['the best of several', [80, 80, 80, 90, 90, 90, 85], '4'],
])('%s', (_, covered, expected) => expect(bestStanding(builds(...covered))?.number).toBe(expected));
