import { expect, test } from 'vitest';
import { reportInMemory } from '../../../test/support/report-in-memory.ts';
import { covdir } from './covdir.ts';

const read = (text: string) =>
  covdir.parse(reportInMemory('c.json', text)).files.map((file) => [file.name, file.coverage()]);

test('folders within folders, also absolute ones; -1 is no code', () => {
  const a = '{"coverage":[-1,3,0],"name":"a.c","linesTotal":2}';
  const b = '{"children":{"usr":{"children":{"b.h":{"coverage":[1]}}}}}';
  expect(read(`{"children":{"src":{"children":{"a.c":${a}}},"/":${b}},"linesTotal":3}`)).toEqual([
    ['src/a.c', [null, 3, 0]],
    ['/usr/b.h', [1]],
  ]);
});

test.each([
  ['{"children":{"a.c":{"coverage":["x"]}}}', 'expected a number of hits, got "x"'],
  ['{"children":{"a.c":{"coverage":{}}}}', 'expected an array under "coverage"'],
  ['{"coverage":[1]}', 'expected the name of a source file, got ""'],
])('%s is damage', (text, expected) => expect(() => read(text)).toThrow(`c.json, line 1: ${expected}`));

test.each([
  ['{"children":{"src":{"children":{"a.c":{"coverage":[-1,1', true],
  ['{"children":{},"coveragePercent":0.0,"linesCovered":0,"linesTotal":0,"name":""}', true],
  ['{"children":{"a":{"size":3}}}', false],
  ['{"coverage":{"a.c":{"1":1}}}', false],
])('recognized by content: %s', (head, is) => expect(covdir.matches(head)).toBe(is));
