import { expect, test } from 'vitest';
import { afterLimit, backOff } from './back-off.ts';

test.each([
  [1, 2_000],
  [2, 4_000],
  [3, 8_000],
  [9, 512_000],
  [10, 600_000],
  [1_000_000, 600_000],
  [0, 2_000],
])('after %d attempts at most %d ms, at least half of it', (attempts, longest) => {
  expect(backOff(attempts, 0)).toBe(longest);
  expect(backOff(attempts, 0.5)).toBe(longest * 0.75);
  expect(backOff(attempts, 1)).toBe(longest / 2);
});

test.each([
  ['a short wait is spread over a second', 1_005_000, 0.5, 1_005_500],
  ['a longer one over a tenth of it', 1_050_000, 0.5, 1_052_500],
  ['a long one over 10 s', 4_600_000, 1, 4_610_000],
  ['a time that is past means from now on', 900_000, 0.5, 1_000_500],
  ['never before the time named', 1_050_000, 0, 1_050_000],
])('%s', (_, retryAt, random, expected) => {
  expect(afterLimit({ now: 1_000_000, retryAt, random })).toBe(expected);
});
