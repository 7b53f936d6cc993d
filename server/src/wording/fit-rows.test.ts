import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitRows } from './fit-rows.ts';

test.each([
  ['no rows', [], 10, { rows: [], omitted: 0, length: 0 }],
  ['all fit, each with its line end', ['abc', 'de'], 7, { rows: ['abc', 'de'], omitted: 0, length: 7 }],
  ['one character short', ['abc', 'de'], 6, { rows: ['abc'], omitted: 1, length: 4 }],
  ['none fits', ['abc'], 3, { rows: [], omitted: 1, length: 0 }],
  ['no room at all', ['abc'], -5, { rows: [], omitted: 1, length: 0 }],
  [
    'a row too large for what is left hides no other',
    ['a', 'long row', 'b'],
    6,
    { rows: ['a', 'b'], omitted: 1, length: 4 },
  ],
])('%s', (_, rows, room, expected) => {
  expect(fitRows(rows, room)).toEqual(expected);
});

test('takes no more than the room, and counts every row', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.nat(100), (rows, room) => {
      const fitting = fitRows(rows, room);
      expect(fitting.rows.map((row) => `${row}\n`).join('').length).toBe(fitting.length);
      expect(fitting.length).toBeLessThanOrEqual(room);
      expect(fitting.rows.length + fitting.omitted).toBe(rows.length);
    }),
  );
});
