import { expect } from 'vitest';
import { OF_CAUSE, OF_CHANGE } from './change-patterns.ts';
import type { Claim } from './told.ts';

type Minimums = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** How often each number must be found in each place, of 150 histories; a third of what was found at first. */
export const OF_150: Minimums = {
  cause: { before: 2, commits: 5, count: 13, drop: 1, own: 1, 'sum of the parts': 8 },
  'check run': { missed: 14 },
  'comment of flag': { change: 54, 'to cover': 1, total: 54 },
  comment: {
    before: 1,
    branches: 2,
    'change of where it went': 8,
    change: 35,
    'changed lines': 17,
    commits: 1,
    count: 12,
    'counts, before': 35,
    'counts, branches': 33,
    'counts, lines': 50,
    covered: 5,
    coveredBranches: 2,
    drop: 1,
    'files outside the change': 9,
    files: 5,
    leftOut: 5,
    lines: 10,
    missed: 5,
    missedCode: 1,
    own: 1,
    'parts of the change': 8,
    percent: 5,
    'failing checks': 50,
    state: 50,
    'total and change': 1,
    total: 46,
  },
  explanation: {
    before: 32,
    branches: 10,
    change: 35,
    commits: 2,
    count: 13,
    covered: 25,
    coveredBranches: 10,
    drop: 1,
    lines: 26,
    own: 1,
    percent: 25,
    total: 46,
  },
  JSON: { 'checks that would fail': 50, 'failing checks': 50, 'overall state': 50 },
  'look of the page': { state: 50 },
  tab: { state: 50 },
  'page of flag': { change: 54, 'to cover': 2, total: 54 },
  'page, file': { 'changed lines': 66, 'missing lines': 38 },
  page: {
    'all branches': 33,
    'all lines': 50,
    before: 36,
    branches: 26,
    'change of the heading': 13,
    'change of the table': 8,
    change: 35,
    'changed lines': 1,
    commits: 1,
    'failing checks': 50,
    count: 24,
    covered: 85,
    coveredBranches: 24,
    drop: 1,
    'explanation of the change': 42,
    explanation: 50,
    files: 10,
    leftOut: 10,
    lines: 91,
    missed: 1,
    own: 1,
    'part of the change': 18,
    percent: 85,
    rates: 49,
    total: 46,
  },
  patch: { 'covered_lines of the files': 44, 'relevant_branches of the files': 44, 'relevant_lines of the files': 44 },
  'status of flag': { change: 32, 'to cover': 2, total: 42 },
  'status of the patch': { branches: 7, count: 5, covered: 18, coveredBranches: 7, leftOut: 4, lines: 18, percent: 18 },
  status: {
    before: 30,
    change: 35,
    count: 12,
    'failing checks': 50,
    percent: 16,
    state: 50,
    total: 46,
    'worst state': 50,
  },
};

/** What a pull request that misses lines states in each place. */
export const OF_ONE: Minimums = {
  status: { total: 1, state: 1 },
  comment: { total: 1, state: 1, 'counts, lines': 1 },
  page: { total: 1, 'failing checks': 1, 'all lines': 1, explanation: 1, rates: 1, 'lines to cover': 1 },
  'look of the page': { state: 1 },
  'page of flag': { total: 1 },
  'page, file': { 'changed lines': 1 },
};

/** That the texts are still read: a pattern that finds nothing contradicts nothing. */
export function expectToBeRead(claims: readonly Claim[], minimums: Minimums): void {
  const counts = countKinds(claims);
  const tooFew = Object.entries(minimums).flatMap(([where, kinds]) =>
    Object.entries(kinds)
      .map(([what, min]) => ({ kind: `${where}: ${what}`, min, found: counts.get(`${where}: ${what}`) ?? 0 }))
      .filter(({ found, min }) => found < min),
  );
  expect(tooFew).toEqual([]);
}

/** That every way to count the changed lines was met. */
export function expectEveryPattern(claims: readonly Claim[]): void {
  const met = new Set(claims.map(({ by }) => by));
  expect([...OF_CHANGE, ...OF_CAUSE].filter(({ source }) => !met.has(source))).toEqual([]);
}

/** All files are one place, and all flags. */
function countKinds(claims: readonly Claim[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { where, what } of claims) {
    const kind = `${where.replace(/ of flag .*/, ' of flag').replace(/^comment, .*/, 'comment')}: ${what}`;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}
