import { describe, expect, test } from 'vitest';
import { reportInMemory } from '../../../test/support/report-in-memory.ts';
import { go } from './go.ts';

const parse = (text: string) => go.parse(reportInMemory('cover.out', text));
const read = (...lines: string[]) =>
  parse(['mode: count', ...lines, ''].join('\n')).files.map((file) => [file.name, file.coverage()]);

describe('lines', () => {
  test('each from the first to the last of a block is relevant, without statements too', () => {
    expect(read('m/a.go:2.5,4.2 1 3', 'm/a.go:6.1,6.9 0 0')).toEqual([['m/a.go', [null, 3, 3, 3, null, 0]]]);
  });

  test('a line has the largest count of its blocks', () => {
    expect(read('m/a.go:1.1,3.2 1 2', 'm/a.go:2.1,2.9 1 7', 'm/a.go:3.2,4.9 1 0')).toEqual([['m/a.go', [2, 7, 2, 0]]]);
  });

  test('the counts of a block that comes again are added first, as each test binary names it', () => {
    expect(read('m/a.go:1.1,1.9 1 2', 'm/b.go:1.1,1.2 1 0', 'm/a.go:1.1,1.9 1 3', 'm/a.go:1.1,1.5 1 4')).toEqual([
      ['m/a.go', [5]],
      ['m/b.go', [0]],
    ]);
  });

  test('counts of any size, saturated', () => {
    expect(read('a.go:1.1,1.2 1 9007199254740991', 'a.go:1.1,1.2 1 99999999999999999999')).toEqual([
      ['a.go', [Number.MAX_SAFE_INTEGER]],
    ]);
  });

  test('line 0 does not exist, and a block that ends before it begins has none', () => {
    const { files, warnings } = parse('mode: set\na.go:0.1,1.2 1 1\na.go:5.1,4.2 1 1\n');
    expect(files.map((file) => file.coverage())).toEqual([[1]]);
    expect(warnings).toEqual(['cover.out: 1 block for line 0 left out: there is no such line']);
  });
});

test('profiles that were joined with cat, Windows line ends, names with a colon, no newline at the end', () => {
  expect(read('C:\\m\\a b.go:1.1,1.2 1 1\r', 'mode: count\r', '', '__proto__:1.1,1.2 1 1')).toEqual([
    ['C:\\m\\a b.go', [1]],
    ['__proto__', [1]],
  ]);
  expect(parse('mode: set\na.go:1.1,1.2 1 1').files).toHaveLength(1);
});

describe('damage is an error with the file, the line and what was expected', () => {
  const FORM = 'expected <file>:<line>.<column>,<line>.<column> <statements> <count>, got';
  test.each([
    ['a.go:1.1,1.2 1', `${FORM} "a.go:1.1,1.2 1"`],
    ['a.go:1.1,1.2', `${FORM} "a.go:1.1,1.2"`],
    ['a.go:1.1,x 1 1', `${FORM} "a.go:1.1,x"`],
    ['a.go:1.1,1.2 1 -4', `${FORM} "a.go:1.1,1.2 1 -4"`],
    ['a.go', `${FORM} "a.go"`],
    ['\u0000\u0001', FORM],
    ['a.go:1.1,10000001.2 1 1', 'expected line numbers up to 10000000, got "a.go:1.1,10000001.2"'],
  ])('%j', (line, expected) => {
    expect(() => read('a.go:1.1,1.2 1 1', line)).toThrow(`cover.out, line 3: ${expected}`);
  });

  test('cut anywhere it is damage, or the blocks before', () => {
    const whole = 'mode: atomic\nm/a.go:1.10,2.2 1 12\nm/b.go:3.4,5.6 2 0\n';
    for (let length = 14; length < whole.length; length += 1) {
      const cut = whole.slice(0, length);
      if (/(?:\n| \d+ \d+)$/.test(cut)) expect(parse(cut).files.length).toBeLessThanOrEqual(2);
      else expect(() => parse(cut)).toThrow(/cover\.out, line [23]: expected/);
    }
  });
});

test('many blocks over the same million of lines take steps for each line once', () => {
  const blocks = Array.from({ length: 2_000 }, (_, at) => `a.go:1.${at},1000000.1 1 ${at}\n`);
  const [file] = parse(`mode: count\n${blocks.join('')}`).files;
  expect(file?.countLines()).toEqual({ covered: 1_000_000, all: 1_000_000 });
});

test.each([
  ['mode: set\n', true],
  ['mode: atomic\r\n', true],
  ['mode: other\n', false],
  ['a mode: set\n', false],
])('recognized by content: %j', (head, is) => expect(go.matches(head)).toBe(is));
