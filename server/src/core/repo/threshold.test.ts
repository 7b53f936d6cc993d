import { expect, test } from 'vitest';
import { isThreshold } from './threshold.ts';

test.each([0, -0, 100, 66.67, Number.MIN_VALUE])('%d is a threshold', (value) => {
  expect(isThreshold(value)).toBe(true);
});

test.each([-0.01, 100.01, Number.NaN, Number.POSITIVE_INFINITY, '80', null, undefined, true, [80], 80n])(
  '%s is no threshold',
  (value) => {
    expect(isThreshold(value)).toBe(false);
  },
);
