import { expect, test } from 'vitest';
import {
  ACCESS_DENIED_BACKOFF,
  afterLimit,
  DELIVERY_BACKOFF,
  nextDelay,
  PROVIDER_BACKOFF,
  pauseAfter,
  RESULT_BACKOFF,
} from './backoff.ts';

test.each([
  [1, 2_000],
  [2, 4_000],
  [3, 8_000],
  [9, 512_000],
  [10, 600_000],
  [1_000_000, 600_000],
  [0, 2_000],
])('after %d attempts at most %d ms, at least half of it', (attempts, longest) => {
  expect(pauseAfter(attempts, DELIVERY_BACKOFF)).toBe(longest);
  expect(pauseAfter(attempts, DELIVERY_BACKOFF, 0.5)).toBe(longest * 0.75);
  expect(pauseAfter(attempts, DELIVERY_BACKOFF, 1)).toBe(longest / 2);
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

test('a pause doubles up to its longest', () => {
  expect([1, 2, 3, 6, 7, 99].map((attempts) => pauseAfter(attempts, RESULT_BACKOFF))).toEqual([
    5, 10, 20, 160, 200, 200,
  ]);
});

test.each([
  ['at first', 0, 5_000, 5_000],
  ['as long as it has been waited for', 60_000, 60_000, 60_000],
  ['at most half an hour, or six', 20 * 3_600_000, 1_800_000, 6 * 3_600_000],
  ['a day, or seven', 24 * 3_600_000, undefined, 6 * 3_600_000],
  ['and no more', 7 * 24 * 3_600_000, undefined, undefined],
])('without a count of attempts: %s', (_, waited, away, denied) => {
  expect(nextDelay(1_000, 1_000 + waited, PROVIDER_BACKOFF)).toBe(away);
  expect(nextDelay(1_000, 1_000 + waited, ACCESS_DENIED_BACKOFF)).toBe(denied);
});
