import { describe, expect, test } from 'vitest';
import { reportInMemory } from '../../../test/support/report-in-memory.ts';
import { clover } from './clover.ts';

const wrap = (files: string): string =>
  `<?xml version="1.0"?>\n<coverage generated="1"><project timestamp="1">${files}</project></coverage>\n`;
const inFile = (lines: string, attributes = 'name="/w/a.php"'): string =>
  `<file ${attributes}>${lines}<metrics/></file>`;
const read = (text: string) => {
  const { files, warnings } = clover.parse(reportInMemory('clover.xml', text));
  return {
    files: files.map((file) => ({ name: file.name, coverage: file.coverage(), branches: file.branches() })),
    warnings,
  };
};
const only = (lines: string, attributes?: string) => read(wrap(inFile(lines, attributes))).files[0];

describe('lines', () => {
  test('statements count, the lines of methods do not', () => {
    const lines = '<line num="1" type="method" name="f" count="2"/><line num="2" type="stmt" count="2"/>';
    expect(only(lines)).toEqual({ name: '/w/a.php', coverage: [null, 2], branches: [] });
  });

  test('the path goes before the name', () => {
    expect(only('<line num="1" type="stmt" count="1"/>', 'name="a.js" path="/w/src/a.js"')?.name).toBe('/w/src/a.js');
  });

  test('of a line that is named again the larger count', () => {
    const lines = '<line num="1" type="stmt" count="1"/><line num="1" type="stmt" count="4"/>';
    expect(only(lines)?.coverage).toEqual([4]);
  });

  test('a file that is named again is the same file', () => {
    const file = inFile('<line num="1" type="stmt" count="1"/>');
    expect(read(wrap(file + file)).files).toEqual([{ name: '/w/a.php', coverage: [2], branches: [] }]);
  });

  test('negative counts and line 0, with warnings', () => {
    const { files, warnings } = read(
      wrap(inFile('<line num="0" type="stmt" count="1"/><line num="1" type="stmt" count="-1"/>')),
    );
    expect(files[0]?.coverage).toEqual([0]);
    expect(warnings).toEqual([expect.stringContaining('1 negative'), expect.stringContaining('line 0')]);
  });
});

describe('conditions', () => {
  test('with a count (istanbul) truecount and falsecount are numbers of arms', () => {
    const line = '<line num="1" count="7" type="cond" truecount="1" falsecount="2"/>';
    expect(only(line)).toMatchObject({ coverage: [7], branches: [1, 0, 0, 1, 1, 0, 1, 0, 1, 0, 2, 0] });
  });

  test('without a count (OpenClover) they are the hits of two arms', () => {
    const line = '<line num="1" type="stmt" count="5"/><line falsecount="0" truecount="5" num="1" type="cond"/>';
    expect(only(line)).toMatchObject({ coverage: [5], branches: [1, 0, 0, 5, 1, 0, 1, 0] });
  });

  test('several conditions of one line are told apart', () => {
    const line = '<line falsecount="0" truecount="5" num="1" type="cond"/>'.repeat(2);
    expect(only(line)?.branches).toEqual([1, 0, 0, 5, 1, 0, 1, 0, 1, 1, 0, 5, 1, 1, 1, 0]);
  });
});

test('tests of OpenClover are not counted', () => {
  const text = wrap(inFile('<line num="1" type="stmt" count="1"/>')).replace(
    '</coverage>',
    `<testproject>${inFile('<line num="1" type="stmt" count="1"/>', 'path="/w/ATest.java"')}</testproject></coverage>`,
  );
  expect(read(text).files.map(({ name }) => name)).toEqual(['/w/a.php']);
});

test.each([
  ['<line type="stmt" count="1"/>', 'expected num="<line>" on <line>, got nothing'],
  ['<line num="1" type="stmt" count="x"/>', 'expected count="<count>" on <line>, got "x"'],
  ['<line num="1" type="stmt"/>', 'expected count="<count>" on <line>, got nothing'],
  ['<line num="1" count="1" type="cond" truecount="999999999"/>', 'expected truecount="<arms>" on <line>'],
])('%s is damage', (line, expected) => {
  expect(() => read(wrap(inFile(line)))).toThrow(`clover.xml, line 2: ${expected}`);
});

test('a file without a name, and another root, are damage', () => {
  expect(() => read(wrap('<file/>'))).toThrow('expected name="..." on <file>, got nothing');
  expect(() => read('<report/>')).toThrow('clover.xml, line 1: expected <coverage>, got <report>');
});

test.each([
  ['<coverage generated="1">', true],
  ['<coverage clover="4.5.2" generated="1">', true],
  ['<coverage><project timestamp="1">', true],
  ['<coverage line-rate="1"><sources>', false],
  ['<coverage version="1"><file path="a">', false],
  ['<crap_result>', false],
])('%s is Clover: %s', (head, expected) => expect(clover.matches(head)).toBe(expected));
