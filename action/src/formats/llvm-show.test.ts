import { expect, test } from 'vitest';
import { reportInMemory } from '../../../test/support/report-in-memory.ts';
import { llvmShow } from './llvm-show.ts';

const RULE = `  ${'-'.repeat(18)}`;
const parse = (...lines: string[]) => llvmShow.parse(reportInMemory('cov.txt', `${lines.join('\n')}\n`));
const read = (...lines: string[]) => parse('/w/a.c:', ...lines).files.map((file) => [file.coverage(), file.branches()]);

test('counts, shortened ones, and lines that are no code', () => {
  expect(read('    1|       |// 3| 4', '    2|      0|a', '    3|  1.23M|b', '    4|     12|  ^3')).toEqual([
    [[null, 0, 1_230_000, 12], []],
  ]);
});

test('the counts of regions, macros and instances of a template are no lines of their own', () => {
  const instance = ['  | _Z1fIiE:', '  |    1|      7|f()', '  |  |  Branch (1:3): [True: 7, False: 0]', RULE];
  const macro = ['  |  |    9|      5|#define A', `  |  ${RULE}`];
  expect(read('    1|      2|f()', '       ^2 ^1.5k', RULE, ...instance, ...macro)).toEqual([[[2], []]]);
});

test('arms by their place, those of instances summed; a percentage is taken or not', () => {
  const branches = [
    '  |  Branch (1:3): [True: 2, False: 1.2k]',
    '  |  Branch (1:3): [True: 1, False: 0]',
    '  |  Branch (1:9): [True: 0.00%, False: 100.00%]',
    '  |  Branch (1:12): [Folded - Ignored]',
  ];
  expect(read('    1|      2|f()', RULE, ...branches, RULE)).toEqual([
    [[2], [1, 3, 0, 3, 1, 3, 1, 1200, 1, 9, 0, 0, 1, 9, 1, 1]],
  ]);
});

test('colors are passed over', () => {
  const text = '\x1b[0;36m/w/a.c:\n\x1b[0m    1|  \x1b[0;35m1.23M\x1b[0m|a\n';
  expect(llvmShow.matches(text)).toBe(true);
  const [file] = llvmShow.parse(reportInMemory('cov.txt', text)).files;
  expect([file?.name, file?.coverage()]).toEqual(['/w/a.c', [1_230_000]]);
});

test.each([
  [['    1|      1|a'], 1, 'expected "<file>:" before the lines; of one file llvm-cov leaves it out: run "llvm-cov'],
  [['/w/a.c:', 'hello'], 2, 'expected <line>|<count>|<source>, got "hello"'],
  [['/w/a.c:', '  |  Branch (x)'], 2, 'expected Branch (<line>:<column>): [True: <count>, False: <count>], got'],
  [['/w/a.c:', '    0|      1|a'], 2, 'expected line numbers up to 10000000, got "    0|      1|"'],
])('%j is damage', (lines, line, expected) => {
  expect(() => parse(...lines)).toThrow(`cov.txt, line ${line}: ${expected}`);
});

test.each([
  ['/w/a.c:\n    1|       |int a;\n', true],
  ['    1|      1|int a;\n', true],
  ['       |module a;\n', false],
  ['a:\n  1|2|b\n', false],
])('recognized by content: %j', (head, is) => expect(llvmShow.matches(head)).toBe(is));
