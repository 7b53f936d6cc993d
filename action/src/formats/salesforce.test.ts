import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { reportInMemory } from '../../../test/support/report-in-memory.ts';
import { collectFiles } from '../report/source-files.ts';
import { salesforce } from './salesforce.ts';

const TILL =
  '{"id":"01p","name":"Till","totalLines":3,"lines":{"2":1,"3":0,"5":4},"totalCovered":2,"coveredPercent":67}';
const GUARD = '{"name":"TillGuard","totalLines":1,"lines":{"1":1}}';
const parse = (text: string) => salesforce.parse(reportInMemory('test-result-codecoverage.json', text));

test.each([
  `[${TILL}]`,
  `{"summary":{"testRunCoverage":"67%"},"tests":[{"name":"a"}],"coverage":{"coverage":[${TILL}],"records":[]}}`,
  `{"status":0,"result":{"summary":{},"coverage":{"coverage":[${TILL}]}}}`,
])('%s: lines with their hits', (text) => {
  expect(salesforce.matches(text)).toBe(true);
  expect(parse(text).files.map((file) => [file.name, file.coverage()])).toEqual([['Till', [null, 1, 0, null, 4]]]);
});

test('a name is that of a class or a trigger, in any folder', () => {
  const folder = 'force-app/main/default';
  const files = new Set([`${folder}/classes/Till.cls`, `${folder}/classes/Till.cls-meta.xml`, 'Guard.cls']);
  files.add(`${folder}/triggers/TillGuard.trigger`);
  const checkout = { root: realpathSync(tmpdir()), files, links: new Set<string>(), byGit: true };
  const report = { ...parse(`[${TILL},${GUARD}]`), absolute: '/elsewhere/c.json', path: 'c.json' };
  const log = { info: () => undefined, warning: () => undefined };
  const { files: found } = collectFiles([report], { checkout, basePath: '', allowAmbiguous: false }, log);
  expect(found.map(({ name }) => name)).toEqual([`${folder}/classes/Till.cls`, `${folder}/triggers/TillGuard.trigger`]);
});

test.each([
  ['[{"name":"A","totalLines":1,"lines":{"x":1}}]', 'expected a line number up to 10000000, got "x"'],
  ['[{"totalLines":1,"lines":{"1":1}}]', 'expected the name of a source file, got "null"'],
  ['[{"name":"A","totalLines":1,"lines":{"1":"1"}}]', 'expected a number of hits, got "1"'],
])('%s is damage', (text, expected) => {
  expect(() => parse(text)).toThrow(`test-result-codecoverage.json, line 1: ${expected}`);
});

test.each([
  ['[{"name":"a"}]', false],
  ['{"coverage":{"a.c":{"1":1}}}', false],
  ['{"summary":{"orgWideCoverage":"80%"},"tests":[{', true],
])('recognized by content: %s', (head, is) => expect(salesforce.matches(head)).toBe(is));
