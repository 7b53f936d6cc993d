import { describe, expect, test } from 'vitest';
import { simulateFlipping, simulateStable } from '../../../../test/support/simulate/flipping.ts';
import {
  beginRecord,
  buildsSinceChange,
  chanceToCover,
  extendRecord,
  type FlipRecord,
  isFlipping,
  lastFlip,
  newestBuilds,
  statesOf,
} from './flip-record.ts';

/** `1` covered, `0` missed, `?` not measured; the oldest build first. */
function recordOf(states: string, proven = 0n): FlipRecord {
  const empty: FlipRecord = { line: 1, arm: undefined, gap: 0, covered: 0n, known: 0n, proven };
  return [...states].reduce((record, one) => extendRecord(record, one === '?' ? undefined : one === '1', false), empty);
}

const FIFTY = newestBuilds(50);

describe('isFlipping', () => {
  test.each([
    ['1111111111', false],
    ['1111011111', false],
    ['1110111011', true],
    // Broken and fixed, and broken again.
    ['11111000000111111110', false],
    ['1110000001111110111', false],
    ['1110000011111101111', true],
    // Mostly missed, at times covered.
    ['0000100010000', true],
    ['01', false],
    ['0101', true],
    // What no job measured is no change.
    ['11?11?11', false],
    ['1?0?1?0', true],
  ])('%s: %s', (states, expected) => {
    expect(isFlipping(recordOf(states), FIFTY)).toBe(expected);
  });

  test('two builds of one tree that differ prove it', () => {
    const record = extendRecord(recordOf('1111'), false, true);
    expect(isFlipping(record, FIFTY)).toBe(true);
    expect(isFlipping(extendRecord(recordOf('1111'), true, true), FIFTY)).toBe(false);
  });

  test('what is older than the builds that decide does not count', () => {
    const record = recordOf(`1010${'1'.repeat(50)}`);
    expect(isFlipping(record, FIFTY)).toBe(false);
    expect(isFlipping(record, newestBuilds(54))).toBe(true);
  });
});

describe('chance', () => {
  test.each(simulateFlipping())('finds the stated share of lines that are $what', ({ found, stated, agrees }) => {
    expect([found, stated, agrees]).toEqual([found, stated, true]);
  });

  test.each(simulateStable())(
    'takes at most $most of 100,000 stable lines for flipping, at $rate',
    ({ found, most }) => {
      expect(found).toBeLessThanOrEqual(most);
    },
  );
});

test('a record begins with the change that makes it', () => {
  const lost = beginRecord({ line: 7, arm: undefined, gap: 0 }, { isCovered: false, isProven: false, age: 3 });
  expect(statesOf(lost, FIFTY)).toEqual([false, true, true, true]);
  const gained = beginRecord({ line: 7, arm: [0, 1], gap: 0 }, { isCovered: true, isProven: true, age: 1 });
  expect([statesOf(gained, FIFTY), gained.proven, gained.arm]).toEqual([[true, false], 1n, [0, 1]]);
});

test('it remembers 64 builds', () => {
  const record = recordOf(`0${'1'.repeat(64)}`);
  expect(statesOf(record, newestBuilds(64))).toEqual(Array(64).fill(true));
  expect(record.known).toBe(2n ** 64n - 1n);
});

test('it says how long ago its state changed', () => {
  expect(buildsSinceChange(recordOf('11011'))).toBe(2);
  expect(buildsSinceChange(recordOf('0?11?'))).toBe(2);
  expect(buildsSinceChange(recordOf('???'))).toBe(0);
  expect(lastFlip(recordOf('11011'), FIFTY)).toBe(1);
  // In the first build that knows another state.
  expect(lastFlip(recordOf('1?0?0??'), FIFTY)).toBe(4);
  expect(lastFlip(recordOf('011'), newestBuilds(2))).toBeUndefined();
});

test('the chance that a build covers it is never certain', () => {
  expect(chanceToCover([])).toBe(0.5);
  expect(chanceToCover([true, true, true])).toBe(3.5 / 4);
  expect(chanceToCover(Array(50).fill(true, 0, 45).fill(false, 45))).toBeCloseTo(0.892, 3);
});
