import { expect, test } from 'vitest';
import { splitAuthorization, tokenOfAuthorization } from './authorization-header.ts';

test.each([
  ['Bearer abc', 'abc'],
  ['token abc', 'abc'],
  ['TOKEN \t abc  ', 'abc'],
  ['Basic YTpi', undefined],
  ['abc', undefined],
  ['Bearer', undefined],
  ['', undefined],
])('%j holds the token %j', (header, token) => expect(tokenOfAuthorization(header)).toBe(token));

test('a token may hold blanks, which no known one does', () => {
  const blanks = ' '.repeat(15_800);
  expect(splitAuthorization(`token a${blanks}b`)).toEqual({ scheme: 'token', token: `a${blanks}b` });
});
