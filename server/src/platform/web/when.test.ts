import { expect, test } from 'vitest';
import { showAge, showMoment } from './when.tsx';

const NOW = Date.UTC(2026, 10, 20, 14, 44);
const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

test.each([
  [0, 'just now'],
  [999, 'just now'],
  [40_000, '40 seconds ago'],
  [12 * MINUTE, '12 minutes ago'],
  [2 * HOUR - 1, '1 hour ago'],
  [DAY, 'yesterday'],
  [6 * DAY, '6 days ago'],
  [3 * 7 * DAY, '3 weeks ago'],
  [61 * DAY, '2 months ago'],
  [-(90 * DAY - 1), 'in 3 months'],
  [800 * DAY, '2 years ago'],
  [-3 * DAY, 'in 3 days'],
])('%i ms ago is written "%s"', (ago, words) => {
  expect(showAge(NOW - ago, NOW)).toBe(words);
});

test('a moment is written in UTC', () => {
  expect(showMoment(NOW)).toBe('20 November 2026, 14:44 UTC');
});
