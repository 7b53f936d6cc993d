import { expect, it } from 'vitest';
import { memberSize } from './json-walker.ts';

it('the size of a member is that of its value, at the top and under its plain key', () => {
  expect(memberSize(Buffer.from('{"a":{"diff":[1]},"b":"diff"}'), 'diff')).toBe(0);
  expect(memberSize(Buffer.from('{"diff":[1], "diff" : 7 }'), 'diff')).toBe(1);
  expect(memberSize(Buffer.from(' { } '), 'diff')).toBe(0);
  expect(memberSize(Buffer.from('["diff", 1]'), 'diff')).toBe(0);
});
