import { describe, expect, test } from 'vitest';
import { numRuns } from '../../../test/support/property-runs.ts';
import { reportInMemory } from '../../../test/support/report-in-memory.ts';
import { gcov } from './gcov.ts';

/** A million in `npm run test:slow`. */
const MANY = numRuns(1_000_000);

const parse = (...lines: string[]) =>
  gcov.parse(reportInMemory('a.c.gcov', ['        -:    0:Source:a.c', ...lines, ''].join('\n')));
const only = (...lines: string[]) => {
  const { files, warnings } = parse(...lines);
  expect(files).toHaveLength(1);
  return { coverage: files[0]?.coverage(), branches: files[0]?.branches(), warnings };
};

describe('lines', () => {
  test.each([
    ['        -:    1:// no code', []],
    ['    #####:    1:missed', [0]],
    ['    =====:    1:missed, and only reached by an exception', [0]],
    ['       12:    1:hit', [12]],
    ['      12*:    1:hit, with blocks that were not', [12]],
    ['     1.2k:    1:gcov -H', [1200]],
    ['    2.0M*:    1:gcov -H', [2_000_000]],
    ['99999999999999999999:    1:too many', [Number.MAX_SAFE_INTEGER]],
    ['        1:    1:a ? b : c; // 5:6:7', [1]],
    ['\u001b[33G      12:    1:colored\u001b[m\u001b[K', [12]],
    ['        -:    1:/*EOF*/', []],
  ])('%j', (line, coverage) => expect(only(line)).toMatchObject({ coverage, warnings: [] }));

  test('blocks of a line (gcov -a) are not lines', () => {
    expect(only('        1:    2:x', '        1:    2-block  0', '    %%%%%:    2-block  1').coverage).toEqual([
      null,
      1,
    ]);
  });

  test('a negative count is 0 with a warning', () => {
    expect(only('       -3:    1:x')).toMatchObject({
      coverage: [0],
      warnings: ['a.c.gcov: 1 negative hit count taken as 0'],
    });
  });

  test('a source that comes again in one stream is summed', () => {
    const line = '        2:    1:x';
    expect(only(line, 'branch  0 taken 1', '        -:    0:Source:a.c', line, 'branch  0 taken 3')).toMatchObject({
      coverage: [4],
      branches: [1, 0, 0, 4],
    });
  });
});

describe('branches', () => {
  test('arms of the line before; calls and jumps are none', () => {
    const { branches } = only(
      'function main called 1 returned 100% blocks executed 75%',
      '        3:    2:if (x)',
      'branch  0 taken 2 (fallthrough)',
      'call    1 returned 3',
      'branch  2 taken 0 (throw)',
      'unconditional  3 taken 1',
      '    #####:    3:y',
      'branch  0 never executed (fallthrough)',
    );
    expect(branches).toEqual([2, 0, 0, 2, 2, 0, 2, 0, 3, 0, 0, 0]);
  });

  test('percentages say only whether', () => {
    expect(only('        3:    1:x', 'branch  0 taken 67%', 'branch  1 taken 0%').branches).toEqual([
      1, 0, 0, 1, 1, 0, 1, 0,
    ]);
  });

  test('instances of a template follow their sum, which is what counts', () => {
    const instance = (hits: number) => ['-'.repeat(18), 'T<int>::f():', `        ${hits}:    1:x`, 'branch  0 taken 9'];
    const report = ['        3:    1:x', ...instance(1), ...instance(2), '-'.repeat(18), '        5:    2:y'];
    expect(only(...report)).toMatchObject({ coverage: [3, 5], branches: [] });
    expect(only(...report, 'branch  0 taken 5').branches).toEqual([2, 0, 0, 5]);
  });
});

test('one file with all sources and what gcov says of them', () => {
  const text = [
    "File 'a.c'",
    'Lines executed:50.00% of 2',
    'No branches',
    "Creating 'a.c.gcov'",
    '',
    '        -:    0:Source:C:\\b.c\r',
    '        -:    0:Graph:b.gcno',
    '        1:    1:x\r',
  ];
  const { files } = parse(...text);
  expect(files.map(({ name, lastLine }) => [name, lastLine])).toEqual([
    ['a.c', 0],
    ['C:\\b.c', 1],
  ]);
});

describe('damage is an error with the file, the line and what was expected', () => {
  test.each([
    ['    #####:    7', 'expected <count>:<line>:<source>, got "    #####:    7"'],
    ['    some:    7:x', 'expected <count>:<line>:<source>, got "    some:    7:x"'],
    ['hello', 'expected <count>:<line>:<source>, got "hello"'],
    ['        1: 10000001:x', 'expected line numbers up to 10000000'],
    ['branch  0 tak', 'expected branch <number> taken <count>, got "branch  0 tak"'],
    ['branch  0 taken x', 'expected <count>:<line>:<source>, got "branch  0 taken x"'],
    ['        -:    0:Source:', 'expected the name of a source file after Source:'],
  ])('%j', (line, expected) => {
    expect(() => parse('        1:    1:x', line)).toThrow(`a.c.gcov, line 3: ${expected}`);
  });

  test('counts before any source', () => {
    const parsed = () => gcov.parse(reportInMemory('a.c.gcov', '        1:    1:x\n'));
    expect(parsed).toThrow('a.c.gcov, line 1: expected 0:Source:<file> before counts');
  });
});

test(`${MANY} lines`, () => {
  const lines = Array.from({ length: MANY }, (_, at) => `        1:${String(at + 1).padStart(5)}:x`);
  expect(parse(lines.join('\n')).files[0]?.countLines()).toEqual({ covered: MANY, all: MANY });
});

test.each([
  ['        -:    0:Source:a.c\n', true],
  ['        -:    0:Colorization: profile count: \u001b[46m\u001b[Kzero coverage\n', true],
  ['        -:    0:Graph:a.c\n', false],
  ['        1:    1:x', false],
])('recognized by content: %j', (head, is) => expect(gcov.matches(head)).toBe(is));
