import { expect, test } from 'vitest';
import { reportInMemory } from '../../../test/support/report-in-memory.ts';
import { dlang } from './dlang.ts';

const parse = (...lines: string[]) => dlang.parse(reportInMemory('a.lst', `${lines.join('\n')}\n`));
const read = (...lines: string[]) => parse(...lines).files.map((file) => [file.name, file.coverage()]);

test('counts of any width, lines that did not run, and source that looks like a listing', () => {
  expect(read('       |int a;', '      2|a();', '0000000|    3| b', '1234567890|c', 'src/a.d is 66% covered')).toEqual([
    ['src/a.d', [null, 2, 0, 1234567890]],
  ]);
});

test('several listings in one file, one of them without code', () => {
  expect(
    read('      1|a', 'a.d is 100% covered\r', '       |b', 'b.d has no code', '0000000|c', 'a.d is 0% covered'),
  ).toEqual([
    ['a.d', [1]],
    ['b.d', []],
  ]);
});

test.each([
  [['      1|a', 'hello'], 2, 'expected <count>|<source>, got "hello"'],
  [['      1|a', '      2|b'], 2, 'expected "<file> is <number>% covered" behind the listing, but the file ends'],
])('%j is damage', (lines, line, expected) => {
  expect(() => parse(...lines)).toThrow(`a.lst, line ${line}: ${expected}`);
});

test.each([
  ['       |module a;\n      1|a();\na.d is 100% covered\n', true],
  ['0000000|a();\n', true],
  ['       |a\n     1 0000 E8\n', false],
  ['    1|      2|int a;\n', false],
  ['|---|\n', false],
])('recognized by content: %j', (head, is) => expect(dlang.matches(head)).toBe(is));
