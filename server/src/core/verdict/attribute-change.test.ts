import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aDiff, anyComparison, type Edit } from '../../../../test/support/diffs.ts';
import { numRuns } from '../../../../test/support/property-runs.ts';
import { aFile, aReport, totals } from '../../../../test/support/records.ts';
import { type Ratio, showChange, subtractRatios, totalPercent } from '../coverage/percent.ts';
import { addTotals } from '../coverage/totals.ts';
import { attributeChange, CHANGE_PARTS, type ChangePoints, splitRemoved } from './attribute-change.ts';
import { splitChange } from './split-change.ts';

const addRatios = (a: Ratio, b: Ratio): Ratio => subtractRatios(a, { ...b, numerator: -b.numerator });

const shown = (points: ChangePoints | undefined) =>
  points && Object.fromEntries(CHANGE_PARTS.map((part) => [part, showChange(points[part])]));
const NOTHING = Object.fromEntries(CHANGE_PARTS.map((part) => [part, 'unchanged']));

/** Nine covered lines of ten that no test below touches. */
const rest = (hits: readonly number[] = [1, 1, 1, 1, 1, 1, 1, 1, 1, 0]) => aFile('rest.ts', hits);

const between = (
  before: readonly number[],
  after: readonly number[],
  all: readonly Edit[],
  others = [rest(), rest()],
) =>
  attributeChange(
    splitChange({
      base: aReport(aFile('a.ts', before), others[0] as ReturnType<typeof rest>),
      head: aReport(aFile('a.ts', after), others[1] as ReturnType<typeof rest>),
      diff: { files: [aDiff('a.ts', all)], complete: true },
    }),
  );

describe('attributeChange', () => {
  test('the parts add up to build minus base, as exact fractions', () => {
    fc.assert(
      fc.property(anyComparison, (compared) => {
        const split = splitChange(compared);
        const [before, now] = [totalPercent(split.base), totalPercent(split.head)];
        const points = attributeChange(split);
        expect(points === undefined).toBe(before === undefined || now === undefined);
        if (!points || !before || !now) return;
        const all = CHANGE_PARTS.map((part) => points[part]).reduce(addRatios);
        const change = subtractRatios(now, before);
        expect(all.numerator * change.denominator).toBe(change.numerator * all.denominator);
      }),
      { numRuns: numRuns(500) },
    );
  });

  test('a part that is the same in base and build moves nothing', () => {
    fc.assert(
      fc.property(anyComparison, ({ base }) => {
        const points = attributeChange(splitChange({ base, head: base, diff: { files: [], complete: true } }));
        expect(points === undefined || Object.values(shown(points) ?? {}).every((one) => one === 'unchanged')).toBe(
          true,
        );
      }),
    );
  });

  test.each<[string, readonly number[], readonly number[], readonly Edit[], object]>([
    ['an uncovered line put in', [1], [1, 0], ['keep', 'add'], { changed: '−7.57 points' }],
    ['a covered line taken out', [1, 1], [1], ['keep', 'remove'], { removed: '−0.75 points' }],
    ['an uncovered line taken out', [1, 0], [1], ['keep', 'remove'], { removed: '+7.57 points' }],
    [
      'an unchanged line lost',
      [1, 1],
      [1, 0, 1],
      ['keep', 'keep', 'add'],
      { outside: '−8.33 points', changed: '+1.28 points' },
    ],
    [
      'rewritten, as covered as before: nothing is called removed',
      [1, 1],
      [1, 1],
      ['remove', 'add', 'remove', 'add'],
      {},
    ],
    [
      'rewritten, no longer covered: not called removed either',
      [1, 1],
      [1, 0],
      ['keep', 'remove', 'add'],
      { changed: '−8.33 points' },
    ],
    ['moved within the file', [1, 1, 1], [1, 1, 1], ['remove', 'keep', 'keep', 'add'], {}],
    [
      'ten covered lines made one',
      [1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
      [1],
      [...Array<Edit>(10).fill('remove'), 'add'],
      { removed: '−4.09 points' },
    ],
  ])('%s', (_, before, after, all, expected) => {
    expect(shown(between(before, after, all))).toEqual({ ...NOTHING, ...expected });
  });

  test('files outside the diff, and files of unknown change, are parts of their own', () => {
    const lost = [rest(), rest([1, 1, 1, 1, 1, 1, 1, 1, 0, 0])];
    expect(shown(between([1], [1], ['keep'], lost))).toEqual({ ...NOTHING, untouched: '−9.09 points' });
    const unknown = splitChange({ base: aReport(lost[0] as never), head: aReport(lost[1] as never), diff: undefined });
    expect(shown(attributeChange(unknown))).toEqual({ ...NOTHING, unexplained: '−10.00 points' });
  });

  test('a step that leaves nothing relevant moves nothing; the next one bears it', () => {
    const gone = splitChange({
      base: aReport(aFile('a.ts', [1])),
      head: aReport(aFile('b.ts', [0])),
      diff: { files: [aDiff('a.ts', ['remove'], { kind: 'removed' })], complete: true },
    });
    expect(shown(attributeChange(gone))).toEqual({ ...NOTHING, untouched: '−100.00 points' });
    const emptied = splitChange({
      base: aReport(aFile('a.ts', [1]), aFile('b.ts', [0])),
      head: aReport(aFile('c.ts', [1])),
      diff: { files: [aDiff('a.ts', [], { kind: 'removed' }), aDiff('c.ts', [], { complete: false })], complete: true },
    });
    expect(shown(attributeChange(emptied))).toEqual({
      ...NOTHING,
      removed: '−50.00 points',
      unexplained: '+100.00 points',
    });
  });
});

describe('splitRemoved', () => {
  test.each([
    ['nothing added: all is gone', totals(3, 5, 1, 2), totals(0, 0), totals(3, 5, 1, 2)],
    ['as many added: all is replaced', totals(3, 5), totals(5, 5), totals(0, 0)],
    ['fewer added: the covered ones are replaced first', totals(3, 5), totals(0, 2), totals(1, 3)],
    ['and the uncovered are gone', totals(3, 5), totals(0, 4), totals(0, 1)],
    ['lines replace lines, branches branches', totals(3, 3, 2, 2), totals(3, 3, 0, 1), totals(0, 0, 1, 1)],
  ])('%s', (_, removed, changed, gone) => {
    const parts = splitRemoved({ removed, changed });
    expect(parts.unreplaced).toEqual(gone);
    expect(addTotals(parts.unreplaced, parts.replaced)).toEqual(removed);
  });
});
