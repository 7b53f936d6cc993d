import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toColumn } from '../../../../test/support/records.ts';
import { MAX_HITS } from './column.ts';
import { type FileCoverage, NO_BRANCHES, type Report } from './file-coverage.ts';
import { branchesFromGroups, mergeFiles, mergeReports } from './merge.ts';

const hits = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: -1, max: 3 }) },
  fc.constantFrom(0x7fff_ffff, 0x8000_0000, MAX_HITS),
);
const key = fc.integer({ min: 0, max: 2 });
const groups = fc
  .array(fc.tuple(key, key, key, fc.oneof(fc.nat(3), fc.constantFrom(0x7fff_ffff, MAX_HITS))), { maxLength: 6 })
  .map((all) => all.flat());

const file = fc.record({
  name: fc.constantFrom('a.ts', 'b.ts', 'B.ts', 'é.ts'),
  digest: fc.constantFrom(undefined, 'aa', 'bb'),
  source: fc.constantFrom(undefined, '00'.repeat(32)),
  hits: fc.array(hits, { maxLength: 6 }).map(toColumn),
  branches: groups.map(branchesFromGroups),
}) satisfies fc.Arbitrary<FileCoverage>;

/** A report as the codec demands it: each name once, sorted. */
const report: fc.Arbitrary<Report> = fc.array(file, { maxLength: 5 }).map((files) => mergeReports([{ files }]));

const plain = (hitsOfLines: readonly number[], branches = NO_BRANCHES): FileCoverage => ({
  name: 'a.ts',
  digest: undefined,
  source: undefined,
  hits: toColumn(hitsOfLines),
  branches,
});

describe('mergeReports', () => {
  it('is commutative', () => {
    fc.assert(fc.property(report, report, (a, b) => void expect(mergeReports([a, b])).toEqual(mergeReports([b, a]))));
  });

  it('is associative', () => {
    fc.assert(
      fc.property(report, report, report, (a, b, c) => {
        const all = mergeReports([a, b, c]);
        expect(mergeReports([mergeReports([a, b]), c])).toEqual(all);
        expect(mergeReports([a, mergeReports([b, c])])).toEqual(all);
      }),
    );
  });

  it('does not depend on the order of arrival (rule 7)', () => {
    const shuffled = fc
      .array(report, { maxLength: 5 })
      .chain((all) =>
        fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length })),
      );
    fc.assert(fc.property(shuffled, ([all, other]) => void expect(mergeReports(other)).toEqual(mergeReports(all))));
  });

  it('changes none of its inputs', () => {
    fc.assert(
      fc.property(report, report, (a, b) => {
        const before = structuredClone([a, b]);
        mergeReports([a, b]);
        expect([a, b]).toEqual(before);
      }),
    );
  });

  it('adds hits as plain arithmetic does (rule 6)', () => {
    const column = fc.array(hits, { maxLength: 8 });
    fc.assert(
      fc.property(column, column, (a, b) => {
        const expected = Array.from({ length: Math.max(a.length, b.length) }, (_, line) => {
          const [x, y] = [a[line] ?? -1, b[line] ?? -1];
          return x < 0 ? y : y < 0 ? x : Math.min(x + y, MAX_HITS);
        });
        expect([...mergeFiles([plain(a), plain(b)]).hits]).toEqual(expected);
      }),
    );
  });
});

describe('mergeFiles', () => {
  it.each([
    { name: 'union of relevant lines', a: [-1, 0, 2], b: [1, -1, 3], sum: [1, 0, 5] },
    { name: 'the longer tail is kept', a: [1], b: [1, -1, 4, -1], sum: [2, -1, 4, -1] },
    { name: 'one past 31 bits', a: [0x7fff_ffff], b: [1], sum: [0x8000_0000] },
    { name: 'saturation at 2^53-1', a: [MAX_HITS - 1, MAX_HITS], b: [1, MAX_HITS], sum: [MAX_HITS, MAX_HITS] },
    { name: 'nothing', a: [], b: [], sum: [] },
  ])('$name', ({ a, b, sum }) => {
    const merged = mergeFiles([plain(a), plain(b)]).hits;
    expect([...merged]).toEqual(sum);
    expect(merged).toBeInstanceOf(sum.some((value) => value > 0x7fff_ffff) ? Float64Array : Int32Array);
  });

  it('joins branches by line, block and branch', () => {
    const a = branchesFromGroups([1, 0, 0, 1, 3, 0, 0, 2]);
    const b = branchesFromGroups([1, 0, 0, 4, 1, 0, 1, 5]);
    expect(mergeFiles([plain([], a), plain([], b)]).branches).toEqual(
      branchesFromGroups([1, 0, 0, 5, 1, 0, 1, 5, 3, 0, 0, 2]),
    );
  });

  it('keeps the least digest and source, whichever comes first', () => {
    const files = [undefined, 'b', 'a'].map((digest) => ({ ...plain([1]), digest, source: digest }));
    expect(mergeFiles(files)).toMatchObject({ digest: 'a', source: 'a' });
    expect(mergeFiles(files.toReversed())).toMatchObject({ digest: 'a', source: 'a' });
  });
});

describe('branchesFromGroups', () => {
  it('sorts by number and sums what is repeated', () => {
    const branches = branchesFromGroups([10, 0, 0, 1, 9, 0, 1, 2, 9, 0, 0, 3, 10, 0, 0, 4]);
    expect([...branches.line]).toEqual([9, 9, 10]);
    expect([...branches.branch]).toEqual([0, 1, 0]);
    expect([...branches.hits]).toEqual([3, 2, 5]);
  });

  it('keeps blocks beyond 31 bits, and below 0', () => {
    const branches = branchesFromGroups([5, 4_294_967_295, 0, 1, 5, -4_294_967_295, 0, 2]);
    expect([...branches.block]).toEqual([-4_294_967_295, 4_294_967_295]);
    expect([...branches.hits]).toEqual([2, 1]);
  });

  it('is the same in any order of groups', () => {
    const shuffled = fc
      .array(fc.tuple(key, key, key, fc.nat(9)), { maxLength: 8 })
      .chain((all) =>
        fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length })),
      );
    fc.assert(
      fc.property(
        shuffled,
        ([all, other]) => void expect(branchesFromGroups(other.flat())).toEqual(branchesFromGroups(all.flat())),
      ),
    );
  });
});
