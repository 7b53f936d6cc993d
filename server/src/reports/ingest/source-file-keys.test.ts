import { expect, test } from 'vitest';
import { parseJob } from './parse-job.ts';
import { keyWarnings } from './source-file-keys.ts';

const warningsOf = (...files: readonly object[]): readonly string[] =>
  keyWarnings(parseJob(Buffer.from(JSON.stringify({ source_files: files })), 2 ** 20).job.files);

test.each([
  ['covergae', 'coverage'],
  ['coverages', 'coverage'],
  ['coverge', 'coverage'],
  ['Coverage', 'coverage'],
  ['branchs', 'branches'],
  ['sourceDigest', 'source_digest'],
  ['sources', 'source'],
  ['branchesList', undefined],
  ['functions', undefined],
  ['cov\u00e9rage', undefined],
  ['', undefined],
])('the key %j was meant to be %j', (key, meant) => {
  const sentence = `"${key}" is not a key of a source file; did you mean "${meant}"? It is in the source file "a".`;
  const lines = meant === 'coverage' ? {} : { coverage: [1] };
  const said = warningsOf({ name: 'a', ...lines, [key]: [] }).filter((one) => one.includes('is not a key'));
  expect(said).toEqual(meant === undefined ? [] : [sentence]);
});

test('files without coverage are counted, and an empty list is none of them', () => {
  const sentence = (where: string): string =>
    `"coverage" is missing or null, so that no line counts, in ${where}. Send a list, [] if it is empty.`;
  expect(warningsOf({ name: 'a', coverage: [] }, { name: 'b', coverage: [1] })).toEqual([]);
  expect(warningsOf({ name: 'a', coverage: null })).toEqual([sentence('the source file "a"')]);
  expect(warningsOf({ name: 'a' }, { name: 'b', coverage: [1] }, { name: 'c' })).toEqual([
    sentence('2 source files, the first "a"'),
  ]);
});

test('a misspelt key is named with the right one, unless the file has that too', () => {
  const file = { name: 'a', coverage: [1] };
  expect(warningsOf({ ...file, sources: 'x' }, { ...file, sources: 'y', branchesList: [] })).toEqual([
    '"sources" is not a key of a source file; did you mean "source"? It is in 2 source files, the first "a".',
  ]);
  expect(warningsOf({ ...file, sources: 'x', source: 'y' })).toEqual([]);
  const many = ['Source', 'SOURCE', 'sources', 'soure', 'Branches', 'branchs', 'sourced'].map((key) => [key, 1]);
  expect(warningsOf({ ...file, ...Object.fromEntries(many) })).toHaveLength(5);
});
