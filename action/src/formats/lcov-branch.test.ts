import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { branchKey, splitBranch } from './lcov-branch.ts';

test('a record is split from both ends', () => {
  expect(splitBranch('12,0,jump to line 12, or so,-')).toEqual({
    line: '12',
    block: '0',
    branch: 'jump to line 12, or so',
    taken: '-',
  });
});

test.each(['', '1', '1,2', '1,2,3', ',1,2,3', 'x,1,2,3', '1 2,3,4,5'])('%j is no branch record', (text) => {
  expect(splitBranch(text)).toBeUndefined();
});

test('digits are themselves', () => {
  expect(['0', '17', '4294967295'].map(branchKey)).toEqual([0, 17, 4294967295]);
});

test('text is the first 31 bits of its SHA-256 with bit 30 set', () => {
  for (const text of ['e0', 'jump to line 12', '-1', '']) {
    const bits = createHash('sha256').update(text).digest().readBigUInt64BE(0) >> 33n;
    expect(branchKey(text)).toBe(Number(bits | (1n << 30n)));
    expect(branchKey(text)).toBeGreaterThanOrEqual(2 ** 30);
    expect(branchKey(text)).toBeLessThan(2 ** 31);
  }
});
