import { expect, test } from 'vitest';
import { backOff, isTransientStatus, retryAfter } from './retry-timing.ts';

test('pauses double from one second to half a minute', () => {
  expect([1, 2, 3, 4, 5, 6, 50].map((tries) => backOff(tries, 1))).toEqual([
    1000, 2000, 4000, 8000, 16000, 30000, 30000,
  ]);
});

test('chance takes up to half of a pause', () => {
  expect([0, 0.5, 1].map((random) => backOff(3, random))).toEqual([2000, 3000, 4000]);
});

const NOW = Date.parse('2026-01-01T00:00:00Z');

test.each([
  ['0', 0],
  [' 120 ', 120_000],
  ['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
  ['Wed, 31 Dec 2025 23:00:00 GMT', 0],
  [null, undefined],
  ['', undefined],
  ['soon', undefined],
  ['-5', undefined],
  ['1.5', undefined],
])('Retry-After: %s', (header, wait) => expect(retryAfter(header, NOW)).toBe(wait));

test.each([408, 429, 500, 502, 503, 504])('%i may pass', (status) => expect(isTransientStatus(status)).toBe(true));
test.each([200, 301, 400, 401, 404, 413, 422])('%i will not', (status) =>
  expect(isTransientStatus(status)).toBe(false),
);
