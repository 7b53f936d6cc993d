import { expect, test } from 'vitest';
import { reportInMemory } from '../../../test/support/report-in-memory.ts';
import { scoverage } from './scoverage.ts';

const statement = (attributes: string) => `<statement source="/w/A.scala" ${attributes}>\n</statement>`;
const read = (...statements: string[]) =>
  scoverage
    .parse(reportInMemory('s.xml', `<scoverage>\n${statements.join('')}</scoverage>`))
    .files.map((file) => [file.name, file.coverage(), file.branches()]);

test('a line has the largest count of its statements; each of them that begins a branch is an arm', () => {
  const statements = [
    statement('line="1" start="1" end="4" branch="false" invocation-count="3" ignored="false"'),
    statement('line="1" start="5" end="9" branch="true" invocation-count="0"'),
    statement('line="1" start="9" end="9" branch="true" invocation-count="2"'),
    statement('line="3" start="20" end="30" branch="false" invocation-count="0"'),
  ];
  expect(read(...statements)).toEqual([['/w/A.scala', [3, null, 0], [1, 5, 9, 0, 1, 9, 9, 2]]]);
});

test('what is ignored is not counted', () => {
  expect(read(statement('line="1" start="1" end="2" branch="true" invocation-count="0" ignored="true"'))).toEqual([]);
});

test.each([
  ['line="1" start="1" end="2" branch="false"', 'expected invocation-count="<count>" on <statement>, got nothing'],
  ['start="1" end="2" invocation-count="1"', 'expected line="<line>" on <statement>, got nothing'],
  ['line="1" end="2" branch="true" invocation-count="1"', 'expected start="<offset>" on <statement>, got nothing'],
])('%s is damage', (attributes, expected) => {
  expect(() => read(statement(attributes))).toThrow(`s.xml, line 2: ${expected}`);
});

test('told by its root', () => {
  expect(scoverage.matches('<scoverage \nstatement-count="21"')).toBe(true);
  expect(scoverage.matches('<coverage line-rate="1">')).toBe(false);
});
