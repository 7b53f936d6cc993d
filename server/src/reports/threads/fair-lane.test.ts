import { expect, test } from 'vitest';
import { createFairLane } from './fair-lane.ts';

const A = 1;
const B = 2;
const C = 3;

/** Runs tasks of these keys in a lane of `width`, each ended by the test; answers the order in which they began. */
function begin(width: number, keys: readonly number[]) {
  const lane = createFairLane(width);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const run = (key: number): Promise<void> =>
    lane.run(key, () => {
      begun.push(key);
      return new Promise((end) => ends.push(end));
    });
  const all = keys.map(run);
  const endNext = async (): Promise<void> => {
    ends.shift()?.();
    // The end, and the beginning of the next one.
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  };
  return { begun, run, endNext, all };
}

test('of the keys that wait the one that was served least recently goes first', async () => {
  const { begun, endNext, run } = begin(1, [A, A, A, A, B, B, C]);
  await endNext();
  void run(C);
  for (let count = 0; count < 7; count += 1) await endNext();
  expect(begun).toEqual([A, B, C, A, B, C, A, A]);
});

test('a key that has every place waits behind another that comes', async () => {
  const { begun, endNext, run } = begin(2, [A, A, A, A]);
  void run(B);
  await Promise.resolve();
  expect(begun).toEqual([A, A]);
  await endNext();
  expect(begun).toEqual([A, A, B]);
});

test('a task that fails gives its place back, and its failure to its caller', async () => {
  const lane = createFairLane(1);
  const failed = lane.run(A, () => Promise.reject(new Error('no')));
  const next = lane.run(A, async () => 'yes');
  await expect(failed).rejects.toThrow('no');
  await expect(next).resolves.toBe('yes');
});
