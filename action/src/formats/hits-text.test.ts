import { expect, test } from 'vitest';
import { readHits } from './hits-text.ts';

test.each([
  ['0', 0],
  [' 12 ', 12],
  ['+3', 3],
  ['1e+06', 1_000_000],
  ['1.5e3', 1500],
  ['2.9', 2],
  ['9007199254740992', Number.MAX_SAFE_INTEGER],
  ['1e400', Number.MAX_SAFE_INTEGER],
  ['-0', 0],
])('%s', (text, hits) => {
  expect(readHits(text)).toEqual({ hits, negative: false });
});

test('a negative count is 0, and said to be negative', () => {
  expect(readHits('-17')).toEqual({ hits: 0, negative: true });
});

test.each(['', ' ', '-', 'x', '1x', '0x10', '1 2', 'NaN', 'Infinity', '1e', '--1', '#####'])(
  '%j is no count',
  (text) => {
    expect(readHits(text)).toBeUndefined();
  },
);
