import { expect, test } from 'vitest';
import { diffLines } from './diff-lines.ts';

test('two texts of 200,000 lines of noise are given up', () => {
  const noise = (seed: number) => {
    let state = seed;
    return Array.from({ length: 200_000 }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return String((state >>> 16) % 50);
    });
  };
  const [old, now] = [noise(1), noise(2)];
  expect(diffLines(old, now)).toBeUndefined();
  expect(diffLines(old, old)).toEqual([]);
});
