import { expect, test } from 'vitest';
import { reportInMemory } from '../../../test/support/report-in-memory.ts';
import { recognize } from './formats.ts';
import { readHead } from './report-bytes.ts';

const LINES = 1_000_000;

const each = (write: (line: number) => string): string =>
  Array.from({ length: LINES }, (_, at) => write(at + 1)).join();
const statement = (line: number): string =>
  `"${line}":{"start":{"line":${line},"column":0},"end":{"line":${line},"column":9}}`;

/** A file of which each line was run once, as each format writes it. */
const REPORTS: Readonly<Record<string, () => string>> = {
  lcov: () => `SF:a.c\n${each((line) => `DA:${line},1\n`).replaceAll('\n,', '\n')}end_of_record\n`,
  istanbul: () =>
    `{"/a.js":{"path":"/a.js","statementMap":{${each(statement)}},"fnMap":{},"branchMap":{},` +
    `"s":{${each((line) => `"${line}":1`)}},"f":{},"b":{}}}`,
  coveragepy: () =>
    `{"meta":{"format":3,"version":"7.17.3"},"files":{"a.py":{"executed_lines":[${each(String)}],` +
    '"missing_lines":[],"excluded_lines":[]}}}',
  simplecov: () => `{"RSpec":{"coverage":{"/a.rb":{"lines":[${each(() => '1')}]}},"timestamp":1}}`,
  coveralls: () => `{"source_files":[{"name":"a.c","source_digest":"0","coverage":[${each(() => '1')}]}]}`,
};

test.each(Object.entries(REPORTS))('%s of a file of a million lines', (name, write) => {
  const report = reportInMemory('r', write());
  const { format } = recognize(readHead(report));
  expect(format?.name).toBe(name);
  const files = format?.parse(report).files ?? [];
  expect(files.map((file) => file.countLines())).toEqual([{ covered: LINES, all: LINES }]);
});
