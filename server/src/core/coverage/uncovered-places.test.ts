import { expect, test } from 'vitest';
import { NO_BRANCHES } from './file-coverage.ts';
import { uncoveredPlaces } from './uncovered-places.ts';

const branchesAt = (...entries: readonly (readonly [line: number, hits: number])[]) => ({
  line: Int32Array.from(entries, ([line]) => line),
  block: new Int32Array(entries.length),
  branch: Int32Array.from(entries, (_, index) => index),
  hits: Int32Array.from(entries, ([, hits]) => hits),
});
const places = (hits: readonly number[], branches = NO_BRANCHES) =>
  [...uncoveredPlaces({ hits: Int32Array.from(hits), branches })].map(
    ({ kind, first, last }) => `${kind} ${first}–${last}`,
  );

test('missed lines are one place across lines that are not relevant, covered lines part them', () => {
  expect(places([1, 0, -1, 0, -1, 2, 0])).toEqual(['missed 2–4', 'missed 7–7']);
  expect(places([])).toEqual([]);
});

test('a line of which a branch was not taken is a place of its own kind, a missed line stays missed', () => {
  const branches = branchesAt([1, 0], [1, 2], [2, 0], [3, 0], [5, 1], [6, 0]);
  expect(places([3, 0, 1, -1, 1, -1], branches)).toEqual(['partly 1–1', 'missed 2–2', 'partly 3–3', 'partly 6–6']);
  expect(places([1, 1], branchesAt([1, 0], [2, 0]))).toEqual(['partly 1–2']);
});
