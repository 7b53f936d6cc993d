import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aDiff } from '../../../../test/support/diffs.ts';
import { aFile, aReport, totals } from '../../../../test/support/records.ts';
import { mergeReports } from '../coverage/merge.ts';
import { type Composition, composeReport } from './build-report.ts';

type Job = Composition['jobs'][number];
type Carried = Composition['carried'][number];

const hits = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: -1, max: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom(2 ** 31 - 1, 2 ** 40, Number.MAX_SAFE_INTEGER) },
);
const branch = fc.tuple(
  fc.integer({ min: 1, max: 3 }),
  fc.integer({ min: 0, max: 1 }),
  fc.integer({ min: 0, max: 1 }),
  fc.nat(2),
);
const file = fc
  .record({
    name: fc.constantFrom('a.ts', 'b.ts', 'B.ts', 'c/é.ts'),
    lines: fc.array(hits, { maxLength: 5 }),
    branches: fc.array(branch, { maxLength: 3 }),
    digest: fc.constantFrom(undefined, 'd1', 'd2'),
  })
  .map(({ name, lines, branches, digest }) => aFile(name, lines, { branches: branches.flat(), digest }));
const report = fc.array(file, { maxLength: 4 }).map((files) => mergeReports(files.map((one) => aReport(one))));
const job = fc.record({ flag: fc.constantFrom(undefined, 'api', 'ui'), report });
const carried = fc.uniqueArray(fc.record({ flag: fc.constantFrom('docs', 'e2e'), report }), {
  selector: (one) => one.flag,
  maxLength: 2,
});

/** A composition, and the same with its jobs and carried flags in another order. */
const twoOrders = fc
  .record({ jobs: fc.array(job, { maxLength: 5 }), carried, base: fc.option(report, { nil: undefined }) })
  .chain((one) =>
    fc.record({
      one: fc.constant<Composition>(one),
      other: fc.record({
        jobs: fc.shuffledSubarray(one.jobs, { minLength: one.jobs.length }),
        carried: fc.shuffledSubarray(one.carried, { minLength: one.carried.length }),
        base: fc.constant(one.base),
      }),
    }),
  );

describe('composeReport', () => {
  test('rule 7: the order of the jobs does not matter, down to the kind of every column', () => {
    fc.assert(
      fc.property(twoOrders, ({ one, other }) => {
        expect(composeReport(other)).toStrictEqual(composeReport(one));
      }),
    );
  });

  test('rule 3: the totals are those of the merged report, whatever the flags share', () => {
    const composed = composeReport({
      jobs: [
        { flag: 'api', report: aReport(aFile('a.ts', [1, 0, -1, 0]), aFile('b.ts', [0])) },
        { flag: 'ui', report: aReport(aFile('a.ts', [0, 2, -1, 0, 5])) },
        { flag: undefined, report: aReport(aFile('c.ts', [1], { branches: [1, 0, 0, 1, 1, 0, 1, 0] })) },
      ],
      carried: [],
      base: undefined,
    });
    expect(composed.report).toEqual(
      aReport(
        aFile('a.ts', [1, 2, -1, 0, 5]),
        aFile('b.ts', [0]),
        aFile('c.ts', [1], { branches: [1, 0, 0, 1, 1, 0, 1, 0] }),
      ),
    );
    expect(composed).toMatchObject({
      totals: totals(4, 6, 1, 2),
      files: 3,
      flags: [
        { name: 'api', kind: 'uploaded', totals: totals(1, 4) },
        { name: 'ui', kind: 'uploaded', totals: totals(2, 4) },
      ],
      fileChanges: [],
      fileChangeCount: 0,
    });
  });

  test('the jobs of one flag are one flag', () => {
    const { flags } = composeReport({
      jobs: [
        { flag: 'ui', report: aReport(aFile('a.ts', [1, 0])) },
        { flag: 'ui', report: aReport(aFile('a.ts', [0, 1])) },
      ],
      carried: [],
      base: undefined,
    });
    expect(flags).toEqual([{ name: 'ui', kind: 'uploaded', totals: totals(2, 2) }]);
  });

  test('a carried flag takes its share, without the files that have changed (rule 16)', () => {
    const composed = composeReport({
      jobs: [{ flag: 'ui', report: aReport(aFile('a.ts', [0, 0, -1], { digest: 'new' })) }],
      carried: [
        {
          flag: 'api',
          report: aReport(aFile('a.ts', [3, -1, 3], { digest: 'old' }), aFile('b.ts', [1])),
          assumesSame: true,
        },
      ],
      base: undefined,
    });
    expect(composed).toMatchObject({
      totals: totals(1, 3),
      leftOutFiles: 1,
      flags: [
        { name: 'api', kind: 'carried', totals: totals(1, 1) },
        { name: 'ui', kind: 'uploaded', totals: totals(0, 2) },
      ],
    });
  });

  test('files that jobs name with different digests are counted once each', () => {
    const stating = (digest: string | undefined) => ({
      flag: undefined,
      report: aReport(aFile('a.ts', [1], { digest }), aFile('b.ts', [1])),
    });
    const conflicts = (...jobs: ReturnType<typeof stating>[]): number =>
      composeReport({ jobs, carried: [], base: undefined }).digestConflicts;
    expect(conflicts(stating('1'), stating('1'), stating(undefined))).toBe(0);
    expect(conflicts(stating('1'), stating('2'), stating('3'))).toBe(1);
  });

  test('the changes are those against the base', () => {
    const composed = composeReport({
      jobs: [{ flag: undefined, report: aReport(aFile('new.ts', [1, 0])) }],
      carried: [],
      base: aReport(aFile('old.ts', [1])),
    });
    expect(composed.fileChangeCount).toBe(2);
    expect(composed.fileChanges.map(({ name, kind }) => [name, kind])).toEqual([
      ['new.ts', 'added'],
      ['old.ts', 'removed'],
    ]);
  });

  test('of carried flags alone, and of nothing at all', () => {
    const only = composeReport({
      jobs: [],
      carried: [{ flag: 'api', report: aReport(aFile('a.ts', [1, 0])), assumesSame: true }],
      base: undefined,
    });
    expect(only).toMatchObject({ totals: totals(1, 2), files: 1, flags: [{ name: 'api', kind: 'carried' }] });
    const nothing = composeReport({ jobs: [], carried: [], base: aReport(aFile('a.ts', [1])) });
    expect(nothing).toMatchObject({ report: aReport(), totals: totals(0, 0), files: 0, flags: [], fileChangeCount: 1 });
  });

  test('carried lines are moved by their own diff (rule 16), and the split is that of what was merged', () => {
    const composed = composeReport({
      jobs: [{ flag: 'ui', report: aReport(aFile('a.ts', [-1, 0, 0], { digest: 'new' })) }],
      carried: [
        {
          flag: 'api',
          report: aReport(aFile('a.ts', [3, -1], { digest: 'old' })),
          diff: { files: [aDiff('a.ts', ['add', 'keep', 'keep'])], complete: true },
        },
      ],
      base: aReport(aFile('a.ts', [1, 1], { digest: 'old' })),
      diffs: {
        base: { files: [aDiff('a.ts', ['add', 'keep', 'keep'])], complete: true },
        patch: { files: [aDiff('a.ts', ['keep', 'keep', 'add'])], complete: true },
      },
    });
    expect(composed).toMatchObject({
      report: aReport(aFile('a.ts', [-1, 3, 0], { digest: 'new' })),
      leftOutFiles: 0,
      split: { base: totals(2, 2), head: totals(1, 2), outside: { lostLines: 1 }, changed: totals(0, 0) },
      patch: { totals: totals(0, 1), fileCount: 1 },
    });
  });
});

test('reports are read flag by flag, each once, and the base last, so that few are in memory at a time', () => {
  const one = aReport(aFile('a.ts', [1, 0]));
  const read: string[] = [];
  const later = (name: string) => ({
    get report() {
      read.push(name);
      return one;
    },
  });
  const names = ['ui', 'api', undefined, 'ui', 'api', undefined];
  const composed = composeReport({
    jobs: names.map((flag) => Object.defineProperty(later(String(flag)), 'flag', { value: flag }) as Job),
    carried: ['docs', 'e2e'].map((flag) => Object.defineProperty(later(flag), 'flag', { value: flag }) as Carried),
    get base() {
      read.push('base');
      return one;
    },
  });
  expect(read).toEqual(['ui', 'ui', 'api', 'api', 'undefined', 'undefined', 'docs', 'e2e', 'base']);
  expect(composed.totals).toEqual(totals(1, 2));
});
