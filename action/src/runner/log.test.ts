import type { BuildJson, PatchFileJson } from '@coverage/shared';
import { expect, test } from 'vitest';
import { annotationsOf, oneLine } from './log.ts';

test('a name with line breaks stays on one line', () => {
  expect(oneLine('src/a\r\n::error::b\u2028c')).toBe('src/a ::error::b c');
});

test.each(['::set-env name=PATH::x', '  ::add-mask::x'])('%j is no workflow command any more', (text) => {
  expect(oneLine(text).trimStart()).not.toMatch(/^::/);
});

test('the older form of a workflow command is broken up anywhere in the line', () => {
  expect(oneLine('file ##[error]boo')).toBe('file ## [error]boo');
});

test('plain text stays as it is', () => {
  expect(oneLine('src/grüße — a::b.ts')).toBe('src/grüße — a::b.ts');
});

const file = (name: string, uncovered: PatchFileJson['uncovered'], ranges = uncovered.length) =>
  ({ name, uncovered, uncovered_ranges: ranges }) as PatchFileJson;
const build = (...files: PatchFileJson[]) =>
  ({ url: 'https://cov.example/builds/9', patch: { files } }) as unknown as BuildJson;

test('each uncovered range of the change is one, in the order of the files', () => {
  const found = annotationsOf(build(file('a.js', [[3, 3]]), file('b.js', [[1, 4]])), 10);
  expect(found).toEqual({
    annotations: [
      { file: 'a.js', startLine: 3, endLine: 3, message: 'Line 3 is changed and not covered.' },
      { file: 'b.js', startLine: 1, endLine: 4, message: 'Lines 1 to 4 are changed and not covered.' },
    ],
  });
});

test('at most as many as there is room for, and the rest is counted', () => {
  const ranges = Array.from({ length: 20 }, (_, index): [number, number] => [index + 1, index + 1]);
  const { annotations, rest } = annotationsOf(build(file('a.js', ranges, 25)), 9);
  expect(annotations).toHaveLength(9);
  expect(rest).toBe(
    'GitHub shows 10 annotations of a step. 16 more uncovered places of the change: https://cov.example/builds/9',
  );
  expect(annotationsOf(build(file('a.js', ranges)), -1).annotations).toEqual([]);
});

test('none without changed lines', () => {
  expect(annotationsOf({ ...build(), patch: null }, 10)).toEqual({ annotations: [] });
});
