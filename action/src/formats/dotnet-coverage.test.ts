import { expect, test } from 'vitest';
import { reportInMemory } from '../../../test/support/report-in-memory.ts';
import { dotnetCoverage } from './dotnet-coverage.ts';
import { recognize } from './formats.ts';

const module = (ranges: string, files = '<source_file id="0" path="C:\\w\\A.cs" checksum_type="SHA256"/>') =>
  `<module name="a.dll" lines_covered="1"><functions>\n<function id="1"><ranges>${ranges}</ranges></function>` +
  `</functions>\n<source_files>${files}</source_files></module>`;
const range = (lines: string, covered: string, id = '0') => {
  const [from, to = from] = lines.split('-');
  return `<range source_id="${id}" start_line="${from}" end_line="${to}" covered="${covered}"/>`;
};
const read = (...modules: string[]) =>
  dotnetCoverage
    .parse(reportInMemory('c.xml', `<results><modules>${modules.join('')}</modules></results>`))
    .files.map((file) => [file.name, file.coverage()]);

test('every line of a range; one that ran in part has a hit', () => {
  const ranges = range('1-2', 'yes') + range('2', 'no') + range('4', 'partial') + range('5', 'no');
  expect(read(module(ranges))).toEqual([['C:\\w\\A.cs', [1, 1, null, 1, 0]]]);
});

test('numbers of files are those of their module; a file of two modules has the sums', () => {
  const second = '<source_file id="0" path="C:\\w\\B.cs"/><source_file id="1" path="C:\\w\\A.cs"/>';
  const modules = [module(range('1', 'yes')), module(range('1', 'no') + range('1', 'yes', '1'), second)];
  expect(read(...modules)).toEqual([
    ['C:\\w\\A.cs', [2]],
    ['C:\\w\\B.cs', [0]],
  ]);
});

test('code that belongs to no line is left out', () => {
  expect(read(module(range('1', 'yes') + range('16707566', 'no')))).toEqual([['C:\\w\\A.cs', [1]]]);
});

test.each([
  [range('1', 'yes', '7'), 3, 'expected <source_file id="7"> in the module, as a <range> names it'],
  [range('1', 'maybe'), 2, 'expected covered="yes|partial|no" on <range>, got "maybe"'],
  [range('9-1', 'yes'), 2, 'expected end_line="<line>" on <range>, got "1"'],
  [range('1-90000', 'yes'), 2, 'expected end_line="<line>" on <range>, got "90000"'],
])('%s is damage', (ranges, line, expected) => {
  expect(() => read(module(ranges))).toThrow(`c.xml, line ${line}: ${expected}`);
});

test('told by content; the older XML of Visual Studio is named', () => {
  expect(dotnetCoverage.matches('<?xml version="1.0"?>\n<results>\n  <modules>')).toBe(true);
  expect(dotnetCoverage.matches('<results><result>')).toBe(false);
  expect(recognize('<?xml version="1.0"?><CoverageDSPriv>\n<Module>')).toEqual({
    format: undefined,
    reason: expect.stringContaining('run "dotnet-coverage merge -f cobertura"'),
  });
});
