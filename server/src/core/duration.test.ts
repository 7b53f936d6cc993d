import { expect, test } from 'vitest';
import { formatDuration, parseDuration } from './duration.ts';

test.each([
  ['500ms', 500],
  ['60s', 60_000],
  ['30m', 1_800_000],
  ['2h', 7_200_000],
  ['7d', 604_800_000],
  ['0s', 0],
])('%s is %d ms', (text, expected) => {
  expect(parseDuration(text)).toBe(expected);
});

test.each(['30', '', 's', '-5s', '1.5h', '5 s', '5S', '5w', '1h30m', '9999999999s', '٣s'])(
  '%j is no duration',
  (text) => {
    expect(parseDuration(text)).toBeUndefined();
  },
);

test.each([
  [0, '0s'],
  [500, '500ms'],
  [1_500, '1500ms'],
  [60_000, '1m'],
  [5_400_000, '90m'],
  [86_400_000, '1d'],
])('%d ms are written as %s, which reads as the same', (period, text) => {
  expect(formatDuration(period)).toBe(text);
  expect(parseDuration(text)).toBe(period);
});
