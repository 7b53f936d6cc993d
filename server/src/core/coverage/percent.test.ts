import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { totals } from '../../../../test/support/records.ts';
import {
  branchPercent,
  changeOf,
  compareRatios,
  exactDecimal,
  linePercent,
  placesOf,
  type Ratio,
  ratioToNumber,
  shareOutPoints,
  showChange,
  showLimit,
  showPercent,
  subtractRatios,
  totalPercent,
} from './percent.ts';

const lines = (coveredLines: number, relevantLines: number) => ({
  coveredLines,
  relevantLines,
  coveredBranches: 0,
  branches: 0,
});
const percent = (covered: number, all: number): Ratio => totalPercent(lines(covered, all)) as Ratio;

const counts = fc
  .tuple(fc.nat(10_000_000), fc.nat(10_000_000))
  .map(([a, b]) => ({ covered: Math.min(a, b), all: Math.max(a, b, 1) }));

describe('percentages (rules 2 to 4)', () => {
  it('lines and branches count alike', () => {
    const totals = { coveredLines: 1, relevantLines: 2, coveredBranches: 2, branches: 6 };
    expect(showPercent(totalPercent(totals))).toBe('37.50%');
    expect(showPercent(linePercent(totals))).toBe('50.00%');
    expect(showPercent(branchPercent(totals))).toBe('33.33%');
  });

  it('without branches the total is the line rate', () =>
    expect(totalPercent(lines(2, 3))).toEqual(linePercent(lines(2, 3))));

  it('without anything relevant there is none', () => {
    expect(totalPercent(lines(0, 0))).toBeUndefined();
    expect(showPercent(undefined)).toBe('no relevant lines');
  });
});

describe('showPercent (rule 5)', () => {
  it.each([
    [1, 3, '33.33%'],
    [2, 3, '66.66%'],
    [999_999, 1_000_000, '99.99%'],
    [1, 1_000_000, '0.00%'],
    [0, 5, '0.00%'],
    [5, 5, '100.00%'],
  ])('%i of %i is %s', (covered, all, text) => expect(showPercent(percent(covered, all))).toBe(text));

  it('is 100.00% only when nothing is missed, and never above the truth', () => {
    fc.assert(
      fc.property(counts, ({ covered, all }) => {
        const text = showPercent(percent(covered, all));
        expect(text === '100.00%').toBe(covered === all);
        const shown = BigInt(text.replace(/[.%]/g, ''));
        expect(shown * BigInt(all) <= 10_000n * BigInt(covered)).toBe(true);
        expect((shown + 1n) * BigInt(all) > 10_000n * BigInt(covered)).toBe(true);
      }),
    );
  });
});

describe('showChange (rule 5)', () => {
  it.each([
    [percent(1, 2), percent(1, 2), 'unchanged'],
    [percent(50, 100), percent(2, 4), 'unchanged'],
    [percent(3, 4), percent(1, 2), '+25.00 points'],
    [percent(1, 2), percent(3, 4), '−25.00 points'],
    [percent(2, 3), percent(1, 3), '+33.33 points'],
    [percent(999_999, 1_000_000), percent(1, 1), '−0.0001 points'],
    [percent(99_998, 100_000), percent(99_999, 100_000), '−0.001 points'],
  ])('from %o', (now, before, text) => expect(showChange(subtractRatios(now, before))).toBe(text));

  it('never reads as zero unless it is zero, and mirrors its sign', () => {
    fc.assert(
      fc.property(counts, counts, (a, b) => {
        const change = subtractRatios(percent(a.covered, a.all), percent(b.covered, b.all));
        const text = showChange(change);
        expect(text === 'unchanged').toBe(change.numerator === 0n);
        expect(text).not.toMatch(/^[−+]0\.0* points$/);
        const mirrored = showChange({ numerator: -change.numerator, denominator: change.denominator });
        expect(mirrored.slice(1)).toBe(text.slice(1));
      }),
    );
  });
});

it.each([
  [0, '0'],
  [2.5, '2.5'],
  [66.67, '66.67'],
  [1e-7, '0.0000001'],
  [100, '100'],
  [1.0000027e-227, '1e-227'],
])('the threshold %d is written %s', (limit, text) => expect(showLimit(limit)).toBe(text));

describe('shareOutPoints', () => {
  it('parts that are shown add up to the change as it is shown, each less than a unit from its own', () => {
    const part = fc.tuple(fc.integer({ min: -5_000, max: 5_000 }), fc.integer({ min: 1, max: 97 }));
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), (drawn) => {
        const parts = drawn.map(([n, d]) => ({ numerator: BigInt(n), denominator: BigInt(d) }));
        const change = parts.reduce((sum, one) => subtractRatios(sum, { ...one, numerator: -one.numerator }), {
          numerator: 0n,
          denominator: 1n,
        });
        const places = placesOf(change);
        const scale = 10n ** BigInt(places);
        const shown = shareOutPoints(change, parts, places);
        const sum = shown.reduce((total, { numerator }) => total + numerator, 0n);
        // BigInt division cuts toward zero, as rule 5 wants.
        expect(sum).toBe((change.numerator * scale) / change.denominator);
        for (const [index, one] of shown.entries()) {
          const own = parts[index] as Ratio;
          const apart = subtractRatios(one, own);
          expect(apart.numerator * scale < apart.denominator && -apart.numerator * scale < apart.denominator).toBe(
            true,
          );
        }
      }),
    );
  });
});

describe('exactDecimal (rule 3)', () => {
  it.each([
    [66.67, 6667n, 100n],
    [0, 0n, 1n],
    [100, 100n, 1n],
    [1e-7, 1n, 10_000_000n],
    [1.5e-7, 15n, 100_000_000n],
    [1e21, 10n ** 21n, 1n],
  ])('%d', (value, numerator, denominator) => expect(exactDecimal(value)).toEqual({ numerator, denominator }));

  it('comes back as the same double', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 100, noNaN: true }), (value) => {
        fc.pre(value === 0 || value > 1e-5);
        expect(Math.abs(ratioToNumber(exactDecimal(value)) - value)).toBeLessThanOrEqual(1e-12);
      }),
    );
  });

  it('a threshold equal to the percentage as shown is met exactly', () => {
    expect(compareRatios(percent(6667, 10_000), exactDecimal(66.67))).toBe(0);
    expect(compareRatios(percent(6666, 10_000), exactDecimal(66.67))).toBeLessThan(0);
  });
});

it('changeOf: exact, undefined where either has no percentage', () => {
  expect(changeOf(totals(2, 3), totals(1, 3))).toEqual({ numerator: 300n, denominator: 9n });
  expect(changeOf(totals(0, 0), totals(1, 3))).toBeUndefined();
  expect(changeOf(totals(1, 3), totals(0, 0))).toBeUndefined();
  expect(changeOf(totals(1, 3), undefined)).toBeUndefined();
  expect(changeOf(undefined, totals(1, 3))).toBeUndefined();
});
