import { describe, expect, test } from 'vitest';
import { numRuns } from '../../../test/support/property-runs.ts';
import { reportInMemory } from '../../../test/support/report-in-memory.ts';
import { luacov } from './luacov.ts';

/** A million in `npm run test:slow`. */
const MANY = numRuns(1_000_000);

const RULE = '='.repeat(78);
const SUMMARY = [RULE, 'Summary', RULE, '', 'File  Hits Missed Coverage', 'a.lua 1    0      100.00%', ''].join('\n');
const parse = (text: string) => luacov.parse(reportInMemory('luacov.report.out', text));
const file = (name: string, ...lines: string[]) => [RULE, name, RULE, ...lines, '', ''].join('\n');
const read = (...lines: string[]) => parse(file('a.lua', ...lines) + SUMMARY).files.map((found) => found.coverage());

describe('lines', () => {
  test('counts, missed ones, blank ones and text that is no code', () => {
    expect(read('    -- tea', '  12 local a', '', '***0 b()', '   1 return a')).toEqual([[null, 12, null, 0, 1]]);
  });

  test('text that begins with a number, or looks like a rule, is no code', () => {
    expect(read(' 1 x = [[', '   12 leaves', `   ${RULE}`, '   ***0', '*0 ]]')).toEqual([[1, null, null, null, 0]]);
  });

  test('a line of code without text behind its count', () => {
    expect(read(' 1', '*0')).toEqual([[1, 0]]);
  });

  test('a file that comes again is summed, and names may be any', () => {
    const text = file('__proto__', ' 1 x') + file('b c.lua', '*0 x') + file('__proto__', ' 2 x') + SUMMARY;
    expect(parse(text.replaceAll('\n', '\r\n')).files.map((found) => [found.name, found.coverage()])).toEqual([
      ['__proto__', [3]],
      ['b c.lua', [0]],
    ]);
  });
});

describe('damage is an error with the file, the line and what was expected', () => {
  test.each([
    ['text instead of a count', file('a.lua', ' 1 x', 'hello') + SUMMARY, 5, 'expected <hits> <source>, got "hello"'],
    ['no name', [RULE, '', RULE, ' 1 x', ''].join('\n') + SUMMARY, 2, 'expected <file>, got ""'],
    ['no rule below the name', [RULE, 'a.lua', ' 1 x', ''].join('\n'), 3, `expected ${RULE}, got " 1 x"`],
    ['no rule above', 'a.lua\n', 1, `expected ${RULE}, got "a.lua"`],
  ])('%s', (_, text, line, expected) => {
    expect(() => parse(text)).toThrow(`luacov.report.out, line ${line}: ${expected}`);
  });

  test('cut anywhere before its summary', () => {
    const whole = file('a.lua', ' 1 x', '*0 y');
    for (let length = 1; length <= whole.length; length += 1)
      expect(() => parse(whole.slice(0, length))).toThrow(/^luacov\.report\.out, line \d: expected/);
  });
});

test(`${MANY} lines`, () => {
  const text = `${RULE}\na.lua\n${RULE}\n${' 1 x\n'.repeat(MANY)}${SUMMARY}`;
  expect(parse(text).files[0]?.countLines()).toEqual({ covered: MANY, all: MANY });
});

test.each([
  [`${RULE}\nsrc/a.lua\n${RULE}\n`, true],
  [`${RULE}\n\n${RULE}`, false],
  ['12:src/a.lua\n0 1 2 0\n', false],
])('recognized by content: %j', (head, is) => expect(luacov.matches(head)).toBe(is));
