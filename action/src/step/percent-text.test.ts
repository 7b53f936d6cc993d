import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changeText, percentText } from './percent-text.ts';

test.each([
  [0, '0.00'],
  [100, '100.00'],
  [99.99999, '99.99'],
  [4.35, '4.35'],
  [57.1, '57.10'],
  [66.66666666666667, '66.66'],
  [1e-7, '0.00'],
])('%d %%', (percent, text) => expect(percentText(percent)).toBe(text));

test.each([
  [0, '0.00'],
  [-0, '0.00'],
  [1.239, '+1.23'],
  [-1.239, '-1.23'],
  [0.00345, '+0.003'],
  [-0.00999, '-0.009'],
  [0.019, '+0.01'],
  [2.5e-7, '+0.0000002'],
  [-12.3e-7, '-0.000001'],
  [-100, '-100.00'],
  [10.001, '+10.00'],
])('a change of %d', (change, text) => expect(changeText(change)).toBe(text));

test('equals exact arithmetic for any counts', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), fc.nat(1_000_000), (relevant, nat) => {
      const covered = Math.min(nat, relevant);
      const exact = (BigInt(covered) * 10_000n) / BigInt(relevant);
      expect(percentText((100 * covered) / relevant)).toBe(`${exact / 100n}.${String(exact % 100n).padStart(2, '0')}`);
    }),
  );
});
