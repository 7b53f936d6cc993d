import { expect, test } from 'vitest';
import { readRateLimit } from './rate-limit.ts';

const NOW = Date.parse('2030-01-01T00:00:00Z');
const RESET = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW / 1_000 + 600) };

test.each<[string, number, object, string, number | undefined]>([
  ['retry-after in seconds', 403, { 'retry-after': '30' }, '', 30_000],
  ['retry-after as a date', 429, { 'retry-after': 'Tue, 01 Jan 2030 00:01:00 GMT' }, '', 60_000],
  ['retry-after before the budget', 403, { ...RESET, 'retry-after': '5' }, '', 5_000],
  ['retry-after of a 503', 503, { 'retry-after': '5' }, '', 5_000],
  ['retry-after that says nothing', 429, { 'retry-after': 'soon' }, '', 60_000],
  ['the budget is spent', 403, RESET, 'API rate limit exceeded', 600_000],
  ['the budget is spent, by 429', 429, RESET, '', 600_000],
  ['something remains', 403, { ...RESET, 'x-ratelimit-remaining': '1' }, 'Resource not accessible', undefined],
  ['a secondary limit by its words', 403, {}, 'You have exceeded a secondary rate limit.', 60_000],
  ['the old words', 403, {}, 'You have triggered an abuse detection mechanism.', 60_000],
  ['a bare 429', 429, {}, '', 60_000],
  ['another 403', 403, {}, 'Resource not accessible by integration', undefined],
  ['a bare 503', 503, {}, '', undefined],
  ['a 503 at the end of the budget', 503, RESET, '', undefined],
  ['a 404 with the header', 404, { 'retry-after': '30' }, '', undefined],
  ['never less than a second', 429, { 'retry-after': '0' }, '', 1_000],
  ['never more than an hour', 429, { 'retry-after': '86400' }, '', 3_600_000],
])('%s', (_, status, headers, message, pause) => {
  const refusal = { status, headers: headers as Record<string, unknown>, message, problems: [] };
  expect(readRateLimit(refusal, NOW)).toBe(pause === undefined ? undefined : NOW + pause);
});
