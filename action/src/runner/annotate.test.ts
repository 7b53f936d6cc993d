import type { BuildJson, PatchFileJson } from '@coverage/shared';
import { expect, test } from 'vitest';
import { annotationsOf } from './annotate.ts';

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
    'GitHub shows 10 annotations of a step. 16 more missed places in the change: https://cov.example/builds/9',
  );
  expect(annotationsOf(build(file('a.js', ranges)), -1).annotations).toEqual([]);
});

test('none without changed lines', () => {
  expect(annotationsOf({ ...build(), patch: null }, 10)).toEqual({ annotations: [] });
});
