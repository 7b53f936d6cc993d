import { expect, test } from 'vitest';
import { reportInMemory } from '../../../test/support/report-in-memory.ts';
import { jacoco } from './jacoco.ts';

const parse = (text: string) => jacoco.parse(reportInMemory('jacoco.xml', text));
const read = (lines: string) => {
  const [file] = parse(
    `<report name="a">\n<package name="com/acme"><sourcefile name="A.java">${lines}</sourcefile></package></report>`,
  ).files;
  return { name: file?.name, coverage: file?.coverage(), branches: file?.branches() };
};

test('a line is covered where any of its instructions ran; without instructions it is none', () => {
  const lines =
    '<line nr="1" mi="0" ci="9" mb="0" cb="0"/><line nr="2" mi="3" ci="1" mb="1" cb="2"/>' +
    '<line nr="3" mi="4" ci="0" mb="0" cb="0"/><line nr="4" mi="0" ci="0" mb="0" cb="0"/>';
  expect(read(lines)).toEqual({
    name: 'com/acme/A.java',
    coverage: [1, 1, 0],
    branches: [2, 0, 0, 1, 2, 0, 1, 1, 2, 0, 2, 0],
  });
});

test('the lines of classes and methods are passed over', () => {
  const text =
    '<report name="a"><package name="p"><class name="p/A"><method name="f" line="3"/></class>' +
    '<sourcefile name="A.java"><line nr="1" mi="0" ci="1"/></sourcefile></package></report>';
  expect(parse(text).files.map((file) => file.coverage())).toEqual([[1]]);
});

test('groups within groups: a file for each, with its modules and its package', () => {
  const file = '<package name="p"><sourcefile name="A.java"><line nr="1" mi="0" ci="1"/></sourcefile></package>';
  const { files, packaged } = parse(
    `<report name="a"><group name="all"><group name="core">${file}</group><group name="web">${file}</group></group>` +
      '<package name=""><sourcefile name="B.java"/></package></report>',
  );
  expect(files.map(({ name }) => name)).toEqual(['all/core/p/A.java', 'all/web/p/A.java', 'B.java']);
  expect([...(packaged ?? [])]).toEqual([
    ['all/core/p/A.java', { modules: ['all', 'core'], path: 'p/A.java' }],
    ['all/web/p/A.java', { modules: ['all', 'web'], path: 'p/A.java' }],
    ['B.java', { modules: [], path: 'B.java' }],
  ]);
});

test.each([
  ['<line mi="0" ci="1"/>', 'expected nr="<line>" on <line>, got nothing'],
  ['<line nr="1" mi="x" ci="1"/>', 'expected mi="<count>" on <line>, got "x"'],
  ['<line nr="1" mi="0" ci="1" cb="9999999999"/>', 'expected cb="<arms>" on <line>'],
  ['<line nr="6" mb="1" cb="1"/>', 'expected mi="..." and ci="..." on <line>; gcovr does not write them, let it write'],
])('%s is damage', (line, expected) => expect(() => read(line)).toThrow(`jacoco.xml, line 2: ${expected}`));

test.each([
  ['<report name="a"><sessioninfo id="1"/>', true],
  ['<report name="a"><group name="b">', true],
  ['<report name="a"><package name="p"><sourcefile name="A.java"><line nr="1" mi="0" ci="1"/>', true],
  ['<report name="GCOVR report"><package name="p"><sourcefile name="a.c"><line nr="6"/>', false],
  ['<report name="GCOVR report"><package name="p"><sourcefile name="a.c"><line nr="6" mb="1" cb="1"/>', false],
  ['<report><summary/>', false],
  ['<coverage><sources>', false],
])('%s is JaCoCo: %s', (head, expected) => expect(jacoco.matches(head)).toBe(expected));
