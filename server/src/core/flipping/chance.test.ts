import fc from 'fast-check';
import { expect, test } from 'vitest';
import { numRuns } from '../../../../test/support/property-runs.ts';
import { chanceOfMissing, usualMisses } from './chance.ts';

/** By every outcome of every block. */
function byOutcomes(covers: readonly number[], missed: number): number {
  let sum = 0;
  for (let outcome = 0; outcome < 2 ** covers.length; outcome += 1) {
    const isMissed = covers.map((_, at) => (outcome & (1 << at)) !== 0);
    if (isMissed.filter(Boolean).length < missed) continue;
    sum += covers.reduce((chance, cover, at) => chance * (isMissed[at] ? 1 - cover : cover), 1);
  }
  return sum;
}

test('the chance that this many are missed is that of all outcomes together', () => {
  const covers = fc.array(fc.double({ min: 0.01, max: 0.99, noNaN: true }), { maxLength: 9 });
  fc.assert(
    fc.property(covers, fc.nat(10), (some, missed) => {
      expect(chanceOfMissing(some, missed)).toBeCloseTo(byOutcomes(some, missed), 10);
    }),
    { numRuns: numRuns(200) },
  );
});

test('of 40 blocks at 95 %, a build misses 0 to 7, and 8 are more than chance', () => {
  const covers = Array(40).fill(0.95);
  expect(usualMisses(covers)).toEqual({ least: 0, most: 7 });
  expect(chanceOfMissing(covers, 8)).toBeLessThan(0.001);
  expect(1 - chanceOfMissing(covers, 6)).toBeCloseTo(0.986, 3);
});

test('one block at 89.2 % is missed in 10.8 % of builds', () => {
  expect(chanceOfMissing([45.5 / 51], 1)).toBeCloseTo(0.108, 3);
});

test('as many blocks as a ledger holds are counted in few steps, and as exactly', () => {
  const covers = Array(20_000).fill(0.5);
  let steps = 0;
  const counted = new Proxy(covers, {
    get(target, name, receiver) {
      steps += 1;
      return Reflect.get(target, name, receiver);
    },
  });
  // A thousandth is 3.09 standard deviations of 70.7 away from the mean of 10,000, and half a block for whole numbers.
  expect(usualMisses(counted)).toEqual({ least: 9_781, most: 10_219 });
  expect(steps).toBeLessThan(20 * covers.length);
});
