import { describe, expect, test } from 'vitest';
import { numRuns } from '../../../test/support/property-runs.ts';
import { reportInMemory } from '../../../test/support/report-in-memory.ts';
import { develCover } from './devel-cover.ts';

/** A million in `npm run test:slow`. */
const MANY = numRuns(1_000_000);

const HEADER = 'line  err   stmt   bran   cond    sub   time   code';
const parse = (text: string) => develCover.parse(reportInMemory('devel-cover.txt', text));
const file = (name: string, ...rows: string[]) => [name, '', HEADER, ...rows, '', ''].join('\n');
const row = (line: number | string, statement: number | string, code = 'x', err = '') => {
  const number = `${String(line).padEnd(5)} ${err.padStart(3)}`;
  return `${number} ${String(statement).padStart(6)} ${''.padStart(6)} ${'66'.padStart(6)}   ${code}`;
};
const read = (...rows: string[]) => parse(file('lib/A.pm', ...rows)).files.map((found) => found.coverage());

describe('lines', () => {
  test('the largest count of a line’s statements; lines without one are no code', () => {
    expect(read(row(1, ''), row(2, 3), row('', 0), row('', 5), row(3, 0, 'x', '***'))).toEqual([[null, 5, 0]]);
  });

  test('counts and numbers that are wider than their column', () => {
    expect(read(row(1, 12_345_678), row(2, 7)).flat()).toEqual([12_345_678, 7]);
    expect(parse(file('lib/A.pm', row(1_234_567, 4))).files[0]?.lastLine).toBe(1_234_567);
  });

  test('what is marked as not coverable is not counted', () => {
    expect(read(row(1, 1), row(2, '-0'), row(3, '-2'))).toEqual([[1]]);
  });

  test('code that looks like a listing or its end is code', () => {
    expect(read(row(1, 1, HEADER), row(2, 1, 'lib/B.pm'), row(3, 1, ''))).toEqual([[1, 1, 1]]);
  });

  test('annotations stand before the counts', () => {
    const header = 'line  err who        stmt   code';
    const text = ['a b.pl', '', header, '1         9 ann         4   x', '2         7 bob             x', '', ''];
    expect(parse(text.join('\r\n')).files.map((found) => [found.name, found.coverage()])).toEqual([['a b.pl', [4]]]);
  });
});

test('branches are those of their line, in order, with the text of any length', () => {
  const branches = [
    'Branches',
    '--------',
    '',
    'line  err      %   true  false   branch',
    '----- --- ------ ------ ------   ------',
    '1     ***     50      0      3   if ($a and',
    '  $b) { }',
    '             100      1      2   elsif',
    '2             50     -0      4   unless',
    '',
    '',
  ].join('\n');
  const [found] = parse(file('__proto__', row(1, 1), row(2, 1)) + branches).files;
  expect(found?.countBranches()).toEqual({ covered: 4, all: 5 });
});

describe('damage is an error with the file, the line and what was expected', () => {
  test.each([
    ['a count that is none', file('a.pl', row(1, 'many')), 4, 'expected <line> <stmt>, got "1'],
    [
      'no statements',
      ['a.pl', '', 'line  err   bran   code', ''].join('\n'),
      3,
      'expected line err stmt ... code, got',
    ],
    ['no listing', 'Run:          t/a.t\n', 1, 'expected <line> <stmt>, got ""'],
    ['a line beyond every file', file('a.pl', row(99_999_999, 1)), 4, 'expected line numbers up to'],
  ])('%s', (_, text, line, expected) => {
    expect(() => parse(text)).toThrow(`devel-cover.txt, line ${line}: ${expected}`);
  });
});

test(`${MANY} lines`, () => {
  const rows = Array.from({ length: MANY }, (_, index) => row(index + 1, 1));
  expect(parse(file('a.pl', rows.join('\n'))).files[0]?.countLines()).toEqual({ covered: MANY, all: MANY });
});

test.each([
  [file('lib/A.pm', row(1, 1)), true],
  [`Run:          t/fare.t\n\n${file('lib/A.pm').replaceAll('\n', '\r\n')}`, true],
  ['line  err   stmt   code\n', false],
])('recognized by content: %j', (head, is) => expect(develCover.matches(head)).toBe(is));
