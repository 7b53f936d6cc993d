import { expect, test } from 'vitest';
import { ADMIN_USER } from './caller.ts';
import { readUserName } from './user-name.ts';

test.each([
  ['alice', 'alice'],
  ['Alice', 'alice'],
  ['alice@example.com', 'alice@example.com'],
  ['a', 'a'],
])('%s is stored as %s', (text, expected) => {
  expect(readUserName(text)).toBe(expected);
});

test.each(['', '-alice', 'a b', 'é', 'a\n', 'a'.repeat(101), '<b>', ADMIN_USER])('%j is no user name', (text) => {
  expect(readUserName(text)).toBeUndefined();
});
