import { expect, test } from 'vitest';
import { reportInMemory } from '../../../test/support/report-in-memory.ts';
import { dotCover } from './dotcover.ts';

const read = (statements: string) => {
  const text =
    '<Root ReportType="DetailedXml"><FileIndices><File Index="1" Name="C:\\w\\A.cs"/></FileIndices>\n' +
    `<Assembly><Type><Method>${statements}</Method></Type></Assembly></Root>`;
  return dotCover.parse(reportInMemory('dotcover.xml', text)).files.map((file) => file.coverage());
};

test('every line of a statement; a line of several is covered where any of them is', () => {
  const statements =
    '<Statement FileIndex="1" Line="1" EndLine="2" Covered="True"/>' +
    '<Statement FileIndex="1" Line="2" EndLine="2" Covered="False"/>' +
    '<Statement FileIndex="1" Line="4" EndLine="4" Covered="False"/>';
  expect(read(statements)).toEqual([[1, 1, null, 0]]);
});

test.each([
  ['<Statement FileIndex="2" Line="1" Covered="True"/>', 'expected FileIndex="..." on <Statement>, got "2"'],
  ['<Statement FileIndex="1" Covered="True"/>', 'expected Line="<line>" on <Statement>, got nothing'],
  ['<Statement FileIndex="1" Line="9" EndLine="1" Covered="True"/>', 'expected EndLine="<line>" on <Statement>'],
  ['<Statement FileIndex="1" Line="1" EndLine="1"/>', 'expected Covered="True|False" on <Statement>, got nothing'],
])('%s is damage', (statement, expected) => {
  expect(() => read(statement)).toThrow(`dotcover.xml, line 2: ${expected}`);
});

test.each([
  ['<Root CoveredStatements="1" ReportType="DetailedXml" DotCoverVersion="2023.3">', true],
  ['<Root CoveredStatements="1" ReportType="Xml" DotCoverVersion="2023.3">', false],
  ['<Root>', false],
])('%s is dotCover: %s', (head, expected) => expect(dotCover.matches(head)).toBe(expected));
