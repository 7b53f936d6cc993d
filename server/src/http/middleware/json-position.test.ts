import { expect, test, vi } from 'vitest';
import { locateJsonError } from './json-position.ts';

test.each([
  ['{x', 1],
  ['abc', 0],
  ['{"a":1,}', 7],
  ['{"a":tru}', 8],
  ['{"a":"x', 7],
  ['', 0],
  ['{"a":1}x', 7],
  ['[1 2]', 3],
  [`{"${'a'.repeat(60)}":bbbbbbbbbbbbbbbbbb bb}`, 64],
  ['-', 1],
  ['{"a":1', 6],
  ['{"a":nul', 8],
  ['[1,2,3,x,5,6,7]', 7],
])('%j goes wrong at %d', (text, offset) => {
  expect(locateJsonError(text).offset).toBe(offset);
});

test('counts lines and columns from 1', () => {
  expect(locateJsonError('{\n  "a": 1,\n  oops\n}')).toEqual({ offset: 14, line: 3, column: 3 });
});

test('finds its place in a megabyte with few looks at the text', () => {
  const parse = vi.spyOn(JSON, 'parse');
  const place = locateJsonError(`[${'1,'.repeat(500_000)}y`);
  const looks = parse.mock.calls.length;
  parse.mockRestore();
  // Halving finds it in 20; one more that fails first, and one that ends the search.
  expect(looks).toBeLessThanOrEqual(22);
  expect(place.offset).toBe(1_000_001);
  expect(place).toMatchObject({ line: 1, column: 1_000_002 });
});
