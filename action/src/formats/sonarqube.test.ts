import { expect, test } from 'vitest';
import { reportInMemory } from '../../../test/support/report-in-memory.ts';
import { sonarqube } from './sonarqube.ts';

const read = (lines: string) => {
  const text = `<coverage version="1">\n<file path="/lib/a.ex">${lines}</file></coverage>`;
  const { files, warnings } = sonarqube.parse(reportInMemory('sonar.xml', text));
  return { coverage: files[0]?.coverage(), branches: files[0]?.branches(), warnings };
};

test('a line is covered or not, and says how many of its arms are', () => {
  const lines =
    '<lineToCover lineNumber="1" covered="true" branchesToCover="2" coveredBranches="1"/>' +
    '<lineToCover lineNumber="3" covered="false"/>';
  expect(read(lines)).toEqual({ coverage: [1, null, 0], branches: [1, 0, 0, 1, 1, 0, 1, 0], warnings: [] });
});

test('of a line that is named again the larger counts', () => {
  const lines =
    '<lineToCover lineNumber="1" covered="true" branchesToCover="2" coveredBranches="1"/>' +
    '<lineToCover lineNumber="1" covered="false" branchesToCover="2" coveredBranches="2"/>';
  expect(read(lines)).toMatchObject({ coverage: [1], branches: [1, 0, 0, 1, 1, 0, 1, 1] });
});

test.each([
  ['<lineToCover covered="true"/>', 'expected lineNumber="<line>" on <lineToCover>, got nothing'],
  ['<lineToCover lineNumber="1"/>', 'expected covered="true|false" on <lineToCover>, got nothing'],
  ['<lineToCover lineNumber="1" covered="__proto__"/>', 'expected covered="true|false" on <lineToCover>, got'],
  [
    '<lineToCover lineNumber="1" covered="true" branchesToCover="1" coveredBranches="2"/>',
    'expected coveredBranches="<arms>" on <lineToCover>, got "2"',
  ],
])('%s is damage', (line, expected) => {
  expect(() => read(line)).toThrow(`sonar.xml, line 2: ${expected}`);
});

test('a file without a path is damage', () => {
  expect(() => sonarqube.parse(reportInMemory('s.xml', '<coverage version="1"><file/></coverage>'))).toThrow(
    's.xml, line 1: expected path="..." on <file>, got nothing',
  );
});

test.each([
  ['<coverage version="1"><file path="a">', true],
  ['<coverage version="1"><!-- a --><file path="a">', true],
  ['<coverage generated="1"><project>', false],
  ['<testExecutions version="1"><file path="a">', false],
])('%s is SonarQube: %s', (head, expected) => expect(sonarqube.matches(head)).toBe(expected));
