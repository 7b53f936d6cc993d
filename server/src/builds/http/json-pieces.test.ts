import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonPieces } from './json-pieces.ts';

test('the pieces are what JSON.stringify writes', () => {
  const value = fc.oneof(fc.jsonValue(), fc.constant(undefined), fc.array(fc.jsonValue(), { maxLength: 120 }));
  const objects = fc.dictionary(fc.string(), value);
  fc.assert(fc.property(objects, (object) => [...jsonPieces(object)].join('') === JSON.stringify(object)));
});

test('no piece holds more than some entries of a list', () => {
  const pieces = [...jsonPieces({ flags: Array.from({ length: 1_000 }, () => 'x'.repeat(1_000)) })];
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(51_000);
});
